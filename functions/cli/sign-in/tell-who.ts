import { AppError, defined, printable } from '#core'
import { createClient } from '../backend/http-client.ts'
import type { Context, Endpoint, Exit } from '../context.ts'
import type { SignedIn } from './signed-in.ts'

interface ShownCaller {
  readonly subject: string
  readonly issuer?: string
  readonly rights: readonly { readonly scope: string; readonly workspaces: string }[]
}

export const endpointIn = ({ endpoint }: Context): Endpoint => {
  if (endpoint !== undefined) return endpoint
  throw new AppError('USAGE', { detail: 'nobody signs in on this machine; name the deployment with --endpoint' })
}

/** Asks the deployment who it takes us for. */
export const tellWho = async (endpoint: Endpoint, session: SignedIn | undefined, context: Context): Promise<Exit> => {
  const { output, host } = context
  const me = await createClient(endpoint, host.version).get<ShownCaller>('/v1/me')
  const expiresAt = session?.expiresAt
  output.answer({ endpoint: endpoint.url, ...me, ...defined({ expiresAt }) }, () => {
    const rights = me.rights.map(({ scope, workspaces }) => `  ${scope.padEnd(8)}${printable(workspaces)}`)
    const ends =
      expiresAt === undefined ? '' : `, until ${expiresAt}${session?.refreshToken ? ' and then renewed' : ''}`
    return [`${printable(me.subject)} at ${endpoint.url}${ends}`, ...rights].join('\n')
  })
  return 0
}
