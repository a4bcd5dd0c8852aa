import type { Json, JsonObject } from './json.ts'
import type { SecretMark } from './value.ts'

/** How a request authenticates. Secrets are references; the transport resolves them. */
export type Auth =
  /** `template` holds `{secret}`, for example `Bearer {secret}`. */
  | { readonly kind: 'header'; readonly name: string; readonly template: string; readonly secret: SecretMark }
  | { readonly kind: 'query'; readonly name: string; readonly secret: SecretMark }
  /** An empty password: the user is the secret. */
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

/** A token that another request fetches first. It is a secret of one run: never stored, never shown. */
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
  /** Only this request signs in: it is sent in a check too, and nobody approves it. */
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Texts; they may contain marks, as the body may. */
  readonly headers?: Readonly<Record<string, Json>>
  readonly body?: Json
  readonly basic?: { readonly user: string | SecretMark; readonly password: SecretMark | '' }
  /** Signed for each call anew; its text is at the marks with `signedSource` in `headers` and `body`. */
  readonly jwt?: SignedClaims
  readonly token: TokenSource
  /** How long it is valid: seconds, or their place in the answer, also as a time. Absent: until it is refused. */
  readonly expires?: number | { readonly pointer: string }
  /** Statuses of the answer that has the token. Absent: 200 to 299, or 200 to 399 if the token is not in the body. */
  readonly success?: readonly number[]
  /** Statuses with which the API refuses a token without doing anything. Absent: 401. */
  readonly refused?: readonly number[]
  /** Every request carries `basic` in addition to the token. */
  readonly always?: true
  readonly send: TokenUse
  /** More tokens of the same answer that requests carry too. */
  readonly also?: readonly { readonly token: TokenSource; readonly send: TokenUse }[]
}

/** A token that the caller signs: https://www.rfc-editor.org/rfc/rfc7519 */
export interface SignedClaims {
  readonly algorithm: JwtAlgorithm
  /** A private key in PEM. */
  readonly key: SecretMark
  readonly keyId?: string
  /** Everything except its times and its id. */
  readonly claims: JsonObject
  /** It expires this many seconds from now. */
  readonly seconds: number
  /** It was made this many seconds ago, for a server whose clock is behind. */
  readonly skew: number
  /** Each one has an id of its own (`jti`). */
  readonly unique?: true
}

/** The source of the secret that stands for the signed token. No configuration can name it. */
export const signedSource = 'jwt:signed'

/** With a private key: https://www.rfc-editor.org/rfc/rfc7518#section-3.1 and https://www.rfc-editor.org/rfc/rfc8037 */
export const jwtAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const
type JwtAlgorithm = (typeof jwtAlgorithms)[number]

export type TokenSource = { readonly header: string } | { readonly cookie: string } | { readonly pointer: string }

/** How requests carry a token; `template` contains `{token}`. */
export interface TokenUse {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  readonly template: string
}
