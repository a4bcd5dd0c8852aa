import type { Configuration } from 'openid-client'
import { keep, kept } from './kept.ts'

/** How people sign in: `GET /v1/sign-in`. */
export interface IssuerClient {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
}

export interface IssuedTokens {
  readonly access: string
  /** In milliseconds since 1970; absent: the issuer does not say. */
  readonly endsAt?: number
  readonly renewal?: string
}

interface Trip {
  readonly verifier: string
  readonly state: string
  /** Where the reader was. */
  readonly hash: string
}

const loadLibrary = () => import('./oidc.ts')

const redirect = (): string => `${location.origin}${location.pathname}`

const openIssuer = async ({ issuer, clientId }: IssuerClient): Promise<Configuration> => {
  const oidc = await loadLibrary()
  const url = new URL(issuer)
  // On one machine, page and issuer are at an address that never leaves it.
  const options = url.protocol === 'http:' ? { execute: [oidc.allowInsecureRequests] } : {}
  return oidc.discovery(url, clientId, undefined, oidc.None(), options)
}

const toTokens = (
  { access_token, expires_in, refresh_token }: { access_token: string; expires_in?: number; refresh_token?: string },
  former?: string,
): IssuedTokens => {
  const renewal = refresh_token ?? former
  return {
    access: access_token,
    ...(expires_in !== undefined && { endsAt: Date.now() + expires_in * 1_000 }),
    ...(renewal !== undefined && { renewal }),
  }
}

/** Sends the reader to the issuer: a code with PKCE. The page ends here and begins again when they come back. */
export const leaveToSignIn = async (way: IssuerClient): Promise<void> => {
  const oidc = await loadLibrary()
  const configuration = await openIssuer(way)
  const trip: Trip = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), hash: location.hash }
  keep('trip', trip)
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirect(),
    scope: way.scope,
    state: trip.state,
    code_challenge: await oidc.calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: 'S256',
  })
  // Otherwise the way back would lead to the issuer again.
  location.replace(url)
}

/** Whether the issuer has sent the reader back with an answer. */
export const isBack = (): boolean => /[?&](code|error)=/.test(location.search)

/**
 * Takes the answer of the issuer out of the address, and the tokens for it. `undefined`: the issuer knows nobody.
 * Rejects with the error of the library.
 */
export const comeBack = async (way: IssuerClient): Promise<IssuedTokens | undefined> => {
  const oidc = await loadLibrary()
  const trip = kept<Trip>('trip')
  keep('trip', undefined)
  const answered = new URL(location.href)
  // The code is of no use twice, and an address is shared and logged.
  history.replaceState(null, '', `${location.pathname}${trip?.hash ?? ''}`)
  if (answered.searchParams.get('error') === 'login_required' || trip === undefined) return undefined
  const checks = { pkceCodeVerifier: trip.verifier, expectedState: trip.state }
  return toTokens(await oidc.authorizationCodeGrant(await openIssuer(way), answered, checks))
}

export const renew = async (way: IssuerClient, renewal: string): Promise<IssuedTokens> => {
  const oidc = await loadLibrary()
  return toTokens(await oidc.refreshTokenGrant(await openIssuer(way), renewal), renewal)
}
