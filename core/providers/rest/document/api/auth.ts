import * as z from 'zod'
import { jwtAlgorithms } from '../../../../engine/schema/auth.ts'
import { chapter, described, json, optional } from '../../../../engine/schema/described.ts'
import type { Path } from '../../../../engine/schema/json.ts'
import { count, place, scalar, several, status, template } from '../shared/words.ts'

/** How a document describes the sign-in. Secrets are `{with.name}` of a `with` that takes references. */

const secret = described(template, 'A variable of `with` that is a secret.', '{with.apiKey}')

const pair = z.strictObject({
  user: described(template, 'The user. For an API key without a password, the user is the secret.', '{with.user}'),
  password: described(template.default(''), 'The password.', '{with.password}'),
})

const tokenTemplate = described(
  z.string().default('{token}'),
  'The value that is sent, with `{token}`.',
  'Token {token}',
)
const sentIn = (what: string) => described(z.string().min(1), `The ${what} that has the token.`)

const tokenUse = chapter(
  'send',
  'How a token is sent',
  'How requests carry the token: one of these; `Authorization: Bearer {token}` when left out.',
  z.union([
    z.strictObject({ header: sentIn('header'), template: tokenTemplate }),
    z.strictObject({ query: sentIn('query parameter'), template: tokenTemplate }),
    z.strictObject({ cookie: sentIn('cookie'), template: tokenTemplate }),
  ]),
)
export type TokenUseEntry = z.infer<typeof tokenUse>
const bearer = { header: 'Authorization', template: 'Bearer {token}' }

const oauth2 = z.strictObject({
  tokenUrl: described(
    template,
    'A URL, also of another host, or a path below the base URL. No operation may have that path.',
    '/oauth/token',
  ),
  clientId: described(template, 'The id of the client.', '{with.clientId}'),
  clientSecret: described(template, 'The secret of the client.', '{with.clientSecret}'),
  client: described(
    z.enum(['header', 'body']).default('header'),
    "Where the client's credentials go: basic authentication (`header`), or the fields `client_id` and `client_secret` of the form (`body`).",
  ),
  scope: optional(z.union([template, several(template)]), 'The requested scopes.', 'api:read'),
  audience: optional(template, 'The audience of the token.'),
  parameters: described(
    z.record(z.string(), scalar).default({}),
    'More fields of the request; they override the standard ones.',
  ),
  send: described(tokenUse.default(bearer), 'How requests carry the token.'),
})

const tokenSource = z.union([
  place.min(1),
  z.strictObject({ header: described(z.string().min(1), 'A header of the answer.') }),
  z.strictObject({ cookie: described(z.string().min(1), 'A cookie that the answer sets.') }),
])
export type TokenSourceEntry = z.infer<typeof tokenSource>

const jwt = chapter(
  'jwt',
  'A token that the caller signs',
  'The claims of a JSON Web Token that is signed anew for each call, and has an `iat` and an `exp`.',
  z.strictObject({
    key: described(
      template,
      'The private key in PEM: PKCS#8, or PKCS#1 of RSA. Always a secret; it never leaves the process.',
      '{with.privateKey}',
    ),
    algorithm: described(z.enum(jwtAlgorithms).default('RS256'), 'How it is signed.'),
    keyId: optional(template, 'The id of the key (`kid`), for a server that knows several.', '{with.keyId}'),
    issuer: described(template, 'Who signs (`iss`): the id of an app, the address of a service account.', '{with.app}'),
    subject: optional(template, 'For whom (`sub`).', '{with.user}'),
    audience: optional(template, 'Who must accept it (`aud`).', 'https://id.example.com/token'),
    claims: optional(z.record(z.string(), json), 'More claims.', { scope: 'api.read' }),
    seconds: described(
      count.max(3600).default(300),
      'It expires this many seconds from now. Many servers refuse more than ten minutes.',
    ),
    skew: described(
      z.number().int().min(0).max(600).default(60),
      'Its `iat` is this many seconds ago, so that a server whose clock is behind accepts it.',
    ),
    unique: optional(
      z.boolean(),
      '`true`: each one has an id of its own (`jti`), for a server that accepts each only once.',
    ),
  }),
)
export type JwtEntry = z.infer<typeof jwt>

const login = z.strictObject({
  method: described(z.enum(['GET', 'POST']).default('POST'), 'The method of the call. A check makes the call too.'),
  url: described(
    template,
    'A path below the base URL, or a URL. No operation may have that path, unless every call to it names its method, as in JSON-RPC.',
    '/login',
  ),
  otherHost: described(z.boolean().default(false), 'The URL may be of another host than the base URL.'),
  headers: optional(z.record(z.string(), template), 'Headers of the call.'),
  basic: optional(pair, 'Basic authentication of the call.'),
  jwt: optional(
    jwt,
    'A token that the caller signs with a private key: `{jwt}` in `headers` and `body` of the call. For the apps of GitHub, for service accounts, and for clients that sign (RFC 7523).',
    { key: '{with.privateKey}', issuer: '{with.app}' },
  ),
  body: optional(
    json,
    'The body: JSON, or the fields of a form where `headers` says `Content-Type: application/x-www-form-urlencoded`.',
    { username: '{with.user}', password: '{with.password}' },
  ),
  token: described(tokenSource, 'Where the answer has the token.', 'access_token', { cookie: 'session' }),
  expires: optional(
    z.union([count, place.min(1)]),
    'How long the token is valid: seconds, or the place in the answer of these seconds or of the time when it expires.',
    900,
    'expires_in',
    'expires_at',
  ),
  success: optional(
    several(status),
    'Statuses of the answer that has the token. When left out: 200 to 299, or 200 to 399 if the token is not in the body.',
    [409],
  ),
  refused: optional(
    z.array(z.number().int().min(400).max(499)).min(1),
    'Statuses with which the API refuses a token before it does anything: then a new token is fetched. 401 when left out.',
    [401, 409],
  ),
  always: optional(z.boolean(), '`true`: every request carries `basic` in addition to the token.'),
  send: described(tokenUse.default(bearer), 'How requests carry the token.'),
  also: optional(
    z
      .array(
        z.strictObject({
          token: described(tokenSource, 'Where the answer has it.'),
          send: described(tokenUse, 'How requests carry it.'),
        }),
      )
      .min(1),
    'More tokens of the same answer that requests carry too: for example a CSRF token beside a cookie.',
    [{ token: { header: 'X-CSRF-Token' }, send: { header: 'X-CSRF-Token' } }],
  ),
})
export type LoginEntry = z.infer<typeof login>

const sigv4 = z.strictObject({
  region: described(template, 'The region.', 'eu-central-1'),
  service: described(template, 'The service, as its signatures name it.', 'execute-api'),
  accessKeyId: described(template, 'The id of the key.', '{with.accessKeyId}'),
  secretAccessKey: described(template, 'The key.', '{with.secretAccessKey}'),
  sessionToken: optional(template, 'The token of a session.'),
})

const way = chapter(
  'auth',
  'Signing in',
  'How requests sign in: one of these. A secret is `{with.name}` of a `with` that has `secret: true`; a user or an id may be a secret too.',
  z.union([
    z.strictObject({
      header: described(
        z.strictObject({
          name: described(z.string(), 'The header.', 'X-API-Key'),
          template: described(z.string().default('{secret}'), 'The value of the header.', 'Key {secret}'),
          secret,
        }),
        'An API key in a header.',
      ),
    }),
    z.strictObject({
      query: described(
        z.strictObject({ name: described(z.string(), 'The parameter.', 'api_key'), secret }),
        'An API key in a query parameter.',
      ),
    }),
    z.strictObject({ basic: described(pair, 'Basic authentication.') }),
    z.strictObject({ bearer: described(z.strictObject({ secret }), '`Authorization: Bearer`.') }),
    z.strictObject({ oauth2: described(oauth2, 'Client credentials of OAuth 2.') }),
    z.strictObject({ login: described(login, 'A call whose answer has a token.') }),
    z.strictObject({ sigv4: described(sigv4, 'AWS Signature Version 4.') }),
  ]),
)
export type AuthEntry = z.infer<typeof way>

/** One way, or several of which the settings of the workspace choose one. */
export const auth = z.union([way, z.array(way).min(2)])
export type AuthEntries = z.infer<typeof auth>

/** A way to sign in, and where it is within `auth`. */
export interface Way {
  readonly at: Path
  readonly way: AuthEntry
}

export const waysOf = (entries: AuthEntries): readonly Way[] =>
  Array.isArray(entries) ? entries.map((way, index) => ({ at: [index], way })) : [{ at: [], way: entries }]

export const tls = z.strictObject({
  ca: optional(
    template,
    'The authority that signed the certificate of the server. No other authority is trusted then.',
    './ca.pem',
  ),
  cert: optional(template, "The client's own certificate."),
  key: optional(template, 'The private key of that certificate: always a secret.', '{with.clientKey}'),
})
export type TlsEntry = z.infer<typeof tls>
