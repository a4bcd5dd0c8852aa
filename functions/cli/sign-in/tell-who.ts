import * as z from 'zod'
import { AppError, defined, printable } from '#core'
import { createClient } from '../backend/http-client.ts'
import type { Context, Endpoint, Exit } from '../context.ts'
import type { SignedIn } from './signed-in.ts'

const callerShape = z.looseObject({
  subject: z.string(),
  issuer: z.string().optional(),
  rights: z.array(z.object({ scope: z.string(), workspaces: z.string() })),
})

export const endpointIn = ({ endpoint }: Context): Endpoint => {
  if (endpoint !== undefined) return endpoint
  throw new AppError('USAGE', { detail: 'nobody signs in on this machine; name the deployment with --endpoint' })
}

/** Asks the deployment who it takes us for. */
export const tellWho = async (endpoint: Endpoint, session: SignedIn | undefined, context: Context): Promise<Exit> => {
  const { output, host } = context
  const { data: me } = callerShape.safeParse(await createClient(endpoint, host.version).get('/v1/me'))
  if (me === undefined)
    throw new AppError('ENDPOINT_FAILED', { endpoint: endpoint.url, detail: 'something that is no caller' })
  const expiresAt = session?.expiresAt
  output.answer({ endpoint: endpoint.url, ...me, ...defined({ expiresAt }) }, () => {
    const rights = me.rights.map(({ scope, workspaces }) => `  ${printable(scope).padEnd(14)}${printable(workspaces)}`)
    const ends =
      expiresAt === undefined ? '' : `, until ${expiresAt}${session?.refreshToken ? ' and then renewed' : ''}`
    return [`${printable(me.subject)} at ${endpoint.url}${ends}`, ...rights].join('\n')
  })
  return 0
}
