import * as oidc from 'openid-client'
import { AppError, defined } from '#core'
import type { Host } from '../process/host.ts'
import { isLoopback } from '../process/loopback.ts'
import { awaitCallback } from './await-callback.ts'
import type { SignedIn } from './signed-in.ts'

export interface SignInRequest {
  readonly issuer: string
  readonly clientId: string
  /** Separated by spaces. */
  readonly scope: string
  /** The port on this machine that the issuer sends the browser to. */
  readonly port: number
}

type Clocked = Pick<Host, 'clock'>

const issuerOf = (issuer: string): URL => {
  const url = URL.parse(issuer)
  if (url !== null && (url.protocol === 'https:' || isLoopback(url))) return url
  throw new AppError('USAGE', { detail: `the issuer "${issuer}" is not an https address` })
}

/** A program on somebody's machine keeps no secret: the client is a public one, and PKCE protects its code. */
const openIssuer = ({ issuer, clientId }: Pick<SignInRequest, 'issuer' | 'clientId'>): Promise<oidc.Configuration> => {
  const url = issuerOf(issuer)
  const options = isLoopback(url) ? { execute: [oidc.allowInsecureRequests] } : {}
  return failing(issuer, () => oidc.discovery(url, clientId, undefined, oidc.None(), options))
}

/** The codes of OAuth name what happened; a text of the issuer may repeat what was sent. */
const failing = async <Result>(issuer: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    const { code, error: named } = error as { readonly code?: unknown; readonly error?: unknown }
    const words = [named, code].filter(
      (each): each is string => typeof each === 'string' && /^[\w.-]{1,80}$/.test(each),
    )
    throw new AppError('SIGN_IN_REFUSED', { issuer, detail: words[0] ?? 'no usable answer' }, { cause: error })
  }
}

const sessionOf = (
  request: Pick<SignInRequest, 'issuer' | 'clientId' | 'scope'>,
  tokens: oidc.TokenEndpointResponse,
  { clock }: Clocked,
  former?: SignedIn,
): SignedIn => {
  const { issuer, clientId, scope } = request
  const ends = tokens.expires_in
  // Any other character would end the header that the token is sent in.
  for (const token of [tokens.access_token, tokens.refresh_token ?? ''])
    if (!/^[\x21-\x7e]*$/.test(token))
      throw new AppError('SIGN_IN_REFUSED', { issuer, detail: 'its token has characters that no token has' })
  return {
    ...{ issuer, clientId, scope, accessToken: tokens.access_token },
    ...defined({
      refreshToken: tokens.refresh_token ?? former?.refreshToken,
      expiresAt: ends === undefined ? undefined : new Date(clock.now().getTime() + ends * 1_000).toISOString(),
    }),
  }
}

/**
 * Signs in with the browser: a code with PKCE, sent to a port of this machine (RFC 8252). `show` gets the address to open.
 * Throws SIGN_IN_REFUSED, and USAGE for a port that is taken.
 */
export const signInByBrowser = async (
  request: SignInRequest,
  host: Clocked & Pick<Host, 'onInterrupt'>,
  show: (url: string) => void,
): Promise<SignedIn> => {
  const { issuer, scope, port } = request
  const configuration = await openIssuer(request)
  const verifier = oidc.randomPKCECodeVerifier()
  const state = oidc.randomState()
  // Not 127.0.0.1, which some issuers (Cognito) do not accept.
  const redirect = `http://localhost:${port}/callback`
  const code_challenge = await oidc.calculatePKCECodeChallenge(verifier)
  const asked = { redirect_uri: redirect, scope, state, code_challenge, code_challenge_method: 'S256' }
  const url = await failing(issuer, async () => oidc.buildAuthorizationUrl(configuration, asked))
  const answered = await awaitCallback(redirect, state, host, () => show(url.href))
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  return sessionOf(
    request,
    await failing(issuer, () => oidc.authorizationCodeGrant(configuration, answered, checks)),
    host,
  )
}

/** Signs in on another device, where this machine has no browser. `show` gets the address and the code to type there. */
export const signInByDevice = async (
  request: Omit<SignInRequest, 'port'>,
  host: Clocked,
  show: (url: string, code: string) => void,
): Promise<SignedIn> => {
  const { issuer, scope } = request
  const configuration = await openIssuer(request)
  const given = await failing(issuer, () => oidc.initiateDeviceAuthorization(configuration, { scope }))
  show(given.verification_uri, given.user_code)
  return sessionOf(request, await failing(issuer, () => oidc.pollDeviceAuthorizationGrant(configuration, given)), host)
}

/** Throws SIGN_IN_EXPIRED. */
export const renewed = async (endpoint: string, session: SignedIn, host: Clocked): Promise<SignedIn> => {
  try {
    const configuration = await openIssuer(session)
    const tokens = await failing(session.issuer, () =>
      oidc.refreshTokenGrant(configuration, session.refreshToken ?? ''),
    )
    return sessionOf(session, tokens, host, session)
  } catch (cause) {
    const detail = cause instanceof AppError ? cause.message : 'the issuer does not answer'
    throw new AppError('SIGN_IN_EXPIRED', { endpoint, detail }, { cause })
  }
}

/** Tells the issuer that nobody renews the token any more, where it wants to know. Throws SIGN_IN_REFUSED. */
export const revoke = async (session: SignedIn): Promise<void> => {
  const { issuer, refreshToken } = session
  if (refreshToken === undefined) return
  const configuration = await openIssuer(session)
  if (configuration.serverMetadata().revocation_endpoint === undefined) return
  await failing(issuer, () => oidc.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }))
}
