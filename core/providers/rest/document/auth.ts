import * as z from 'zod'
import { chapter, described, json, optional } from '../../../schema/described.ts'
import { count, place, scalar, several, status, template } from './words.ts'

/* How a document says who sends its requests. Secrets are `{with.name}` of a `with` that takes references. */

const secret = described(template, 'A variable of `with` that is a secret.', '{with.apiKey}')

const pair = z.strictObject({
  user: described(template, 'The user; without a password the secret: a key that goes alone.', '{with.user}'),
  password: described(template.default(''), 'The password.', '{with.password}'),
})

const tokenTemplate = described(z.string().default('{token}'), 'What is sent, with `{token}`.', 'Token {token}')
const sentIn = (what: string) => described(z.string().min(1), `The ${what} that holds the token.`)

const tokenUse = chapter(
  'send',
  'How a token goes along',
  'Exactly one way for a token to go along; `Authorization: Bearer {token}` when left out.',
  z.union([
    z.strictObject({ header: sentIn('header'), template: tokenTemplate }),
    z.strictObject({ query: sentIn('parameter of the query'), template: tokenTemplate }),
    z.strictObject({ cookie: sentIn('cookie'), template: tokenTemplate }),
  ]),
)
export type TokenUseEntry = z.infer<typeof tokenUse>
const bearer = { header: 'Authorization', template: 'Bearer {token}' }

const oauth2 = z.strictObject({
  tokenUrl: described(
    template,
    'A URL, which may be of another host, or a path below the base URL; no operation may have that path.',
    '/oauth/token',
  ),
  clientId: described(template, 'The id of the client.', '{with.clientId}'),
  clientSecret: described(template, 'The secret of the client.', '{with.clientSecret}'),
  client: described(
    z.enum(['header', 'body']).default('header'),
    "Where the client's credentials go: basic authentication (`header`), or the fields `client_id` and `client_secret` of the form (`body`).",
  ),
  scope: optional(z.union([template, several(template)]), 'What is asked for.', 'api:read'),
  audience: optional(template, 'For whom the token is.'),
  parameters: described(z.record(z.string(), scalar).default({}), 'Further fields of the request; they win.'),
  send: described(tokenUse.default(bearer), 'How the token goes along.'),
})

const tokenSource = z.union([
  place.min(1),
  z.strictObject({ header: described(z.string().min(1), 'A header of the answer.') }),
  z.strictObject({ cookie: described(z.string().min(1), 'A cookie that the answer sets.') }),
])
export type TokenSourceEntry = z.infer<typeof tokenSource>

const login = z.strictObject({
  method: described(z.enum(['GET', 'POST']).default('POST'), 'The method of the call. It is made in a check too.'),
  url: described(
    template,
    'A path below the base URL, or a URL; no operation may have that path, unless all calls there say what is called.',
    '/login',
  ),
  otherHost: described(z.boolean().default(false), 'The URL may be of another host than the base URL.'),
  headers: optional(z.record(z.string(), template), 'Headers of the call.'),
  basic: optional(pair, 'Basic authentication of the call.'),
  body: optional(
    json,
    'The body: JSON, or the fields of a form where `headers` says `Content-Type: application/x-www-form-urlencoded`.',
    { username: '{with.user}', password: '{with.password}' },
  ),
  token: described(tokenSource, 'Where the answer holds the token.', 'access_token', { cookie: 'session' }),
  expires: optional(
    z.union([count, place.min(1)]),
    'Seconds, or the place of the answer that tells them.',
    900,
    'expires_in',
  ),
  success: optional(
    several(status),
    'Statuses of the answer that holds the token: 200 to 299 when left out, to 399 where the token is in no body.',
    [409],
  ),
  refused: optional(
    z.array(z.number().int().min(400).max(499)).min(1),
    'Statuses with which the API refuses a token before it does anything: a new one is fetched then. 401 when left out.',
    [401, 409],
  ),
  always: optional(z.boolean(), '`basic` goes along with every request, beside the token.'),
  send: described(tokenUse.default(bearer), 'How the token goes along.'),
  also: optional(
    z
      .array(
        z.strictObject({
          token: described(tokenSource, 'Where the answer holds it.'),
          send: described(tokenUse, 'How it goes along.'),
        }),
      )
      .min(1),
    'Further tokens of the same answer, which go along too: a cookie and what protects it.',
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

export const auth = chapter(
  'auth',
  'Signing in',
  'How requests sign in: one of these. A secret is `{with.name}` of a `with` that says `secret: true`; a user or an id may be one.',
  z.union([
    z.strictObject({
      header: described(
        z.strictObject({
          name: described(z.string(), 'The header.', 'X-API-Key'),
          template: described(z.string().default('{secret}'), 'What it holds.', 'Key {secret}'),
          secret,
        }),
        'A header with a key.',
      ),
    }),
    z.strictObject({
      query: described(
        z.strictObject({ name: described(z.string(), 'The parameter.', 'api_key'), secret }),
        'A parameter of the query with a key.',
      ),
    }),
    z.strictObject({ basic: described(pair, 'Basic authentication.') }),
    z.strictObject({ bearer: described(z.strictObject({ secret }), '`Authorization: Bearer`.') }),
    z.strictObject({ oauth2: described(oauth2, 'Client credentials of OAuth 2.') }),
    z.strictObject({ login: described(login, 'A call that answers a token.') }),
    z.strictObject({ sigv4: described(sigv4, 'AWS Signature Version 4.') }),
  ]),
)
export type AuthEntry = z.infer<typeof auth>

export const tls = z.strictObject({
  ca: optional(
    template,
    "The authority that signed the server's certificate, the only one that is trusted then.",
    './ca.pem',
  ),
  cert: optional(template, "The client's own certificate."),
  key: optional(template, 'The key of that certificate: always a secret.', '{with.clientKey}'),
})
export type TlsEntry = z.infer<typeof tls>
