import { AppError } from '#core'
import type { Host } from '../process/host.ts'
import { findSession, keepSession } from './sessions.ts'

/** Milliseconds before its end in which a token is renewed, so that it does not end under way. */
const earlyMs = 60_000

/** The token for an endpoint, renewed if it ends soon; `undefined` if nobody signed in there. Throws SIGN_IN_EXPIRED. */
export const signedIn = async (
  endpoint: string,
  host: Pick<Host, 'variables' | 'clock'>,
): Promise<string | undefined> => {
  const session = await findSession(endpoint, host)
  const endsAt = Date.parse(session?.expiresAt ?? '')
  if (session === undefined || !(endsAt - earlyMs <= host.clock.now().getTime())) return session?.accessToken
  if (session.refreshToken === undefined)
    throw new AppError('SIGN_IN_EXPIRED', {
      endpoint,
      detail: 'the token has ended, and the issuer gave none to renew it',
    })
  const { renewed } = await import('./sign-in.ts')
  const next = await renewed(endpoint, session, host)
  await keepSession(endpoint, next, host)
  return next.accessToken
}
