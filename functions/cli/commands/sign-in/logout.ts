import { asAppError } from '#core'
import type { Context, Exit } from '../../context.ts'
import { findSession, keepSession } from '../../sign-in/sessions.ts'
import { endpointIn } from '../../sign-in/tell-who.ts'
import { command } from '../command.ts'

const logout = async (context: Context): Promise<Exit> => {
  const { host, output } = context
  const { url } = endpointIn(context)
  const session = await findSession(url, host)
  if (session !== undefined) {
    // The tokens are forgotten, whatever the issuer answers.
    await keepSession(url, undefined, host)
    const { revoke } = await import('../../sign-in/sign-in.ts')
    await revoke(session).catch((error: unknown) => output.note(`not revoked: ${asAppError(error).message}`))
  }
  output.answer({ endpoint: url, signedOut: session !== undefined }, () =>
    session === undefined ? `nobody was signed in at ${url}` : `signed out at ${url}`,
  )
  return 0
}

export const commands = [
  command({
    name: 'logout',
    example: 'plumbline logout',
    description: 'Forgets the tokens for a deployment, and revokes them where the issuer can.',
    run: (context: Context) => logout(context),
  }),
]
