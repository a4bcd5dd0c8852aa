import type { Json, JsonObject } from './json.ts'
import type { SecretMark } from './value.ts'

/** Secrets are references, which the transport resolves. */
export type Auth =
  /** `template` holds `{secret}`, for example `Bearer {secret}`. */
  | { readonly kind: 'header'; readonly name: string; readonly template: string; readonly secret: SecretMark }
  | { readonly kind: 'query'; readonly name: string; readonly secret: SecretMark }
  /** With an empty password, the user is the secret. */
  | { readonly kind: 'basic'; readonly user: string | SecretMark; readonly password: SecretMark | '' }
  | TokenAuth
  /** AWS Signature Version 4, over the bytes that are sent. */
  | {
      readonly kind: 'sigv4'
      readonly region: string
      readonly service: string
      readonly accessKeyId: string | SecretMark
      readonly secretAccessKey: SecretMark
      readonly sessionToken?: SecretMark
    }

/** Another request fetches the token first. The token is a secret of one run: it is never stored and never shown. */
export type TokenAuth = OAuth2 | Login

/** Client credentials: https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
export interface OAuth2 {
  readonly kind: 'oauth2'
  readonly tokenUrl: string
  readonly clientId: string | SecretMark
  readonly clientSecret: SecretMark
  /** Where the client credentials are: in basic authentication, or among the parameters. */
  readonly client: 'header' | 'body'
  /** Scope, audience and other parameters of this server; they override the standard ones. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly send: TokenUse
}

export interface Login {
  readonly kind: 'login'
  /** The only request that signs in. A check sends it too, and nobody approves it. */
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The values are texts. They may contain marks, like the body. */
  readonly headers?: Readonly<Record<string, Json>>
  readonly body?: Json
  readonly basic?: { readonly user: string | SecretMark; readonly password: SecretMark | '' }
  /** Signed again for each call. The signed token replaces the marks with `signedSource` in `headers` and `body`. */
  readonly jwt?: SignedClaims
  readonly token: TokenSource
  /**
   * How long the token is valid: seconds, or the place in the answer of the seconds or of the time when it expires.
   * Absent: until the API refuses the token.
   */
  readonly expires?: number | { readonly pointer: string }
  /** Statuses of the answer that has the token. Absent: 200 to 299, or 200 to 399 if the token is not in the body. */
  readonly success?: readonly number[]
  /** Statuses with which the API refuses a token without doing anything. Absent: 401. */
  readonly refused?: readonly number[]
  /** Every request carries `basic` in addition to the token. */
  readonly always?: true
  readonly send: TokenUse
  /** Further tokens of the same answer, which requests also carry. */
  readonly also?: readonly { readonly token: TokenSource; readonly send: TokenUse }[]
}

/** A token that the caller signs: https://www.rfc-editor.org/rfc/rfc7519 */
export interface SignedClaims {
  readonly algorithm: JwtAlgorithm
  /** A private key in PEM. */
  readonly key: SecretMark
  readonly keyId?: string
  /** All claims except the times and the id. */
  readonly claims: JsonObject
  /** Seconds from now until the token expires. */
  readonly seconds: number
  /** Seconds by which the time of issue lies in the past, for a server whose clock is behind. */
  readonly skew: number
  /** Each token has an id of its own (`jti`). */
  readonly unique?: true
}

/** The source of the mark that the signed token replaces. No configuration can name this source. */
export const signedSource = 'jwt:signed'

/**
 * Algorithms with a private key: https://www.rfc-editor.org/rfc/rfc7518#section-3.1 and
 * https://www.rfc-editor.org/rfc/rfc8037
 */
export const jwtAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const
type JwtAlgorithm = (typeof jwtAlgorithms)[number]

export type TokenSource = { readonly header: string } | { readonly cookie: string } | { readonly pointer: string }

/** How requests carry a token; `template` contains `{token}`. */
export interface TokenUse {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  readonly template: string
}
