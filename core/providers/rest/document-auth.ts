import * as z from 'zod'
import { count, json, place, scalar, template } from './document-words.ts'

/* How a document says who sends its requests. Secrets are `{with.name}` of a `with` that takes references. */

/** Without a password the user is the secret: a key that goes alone. */
const pair = z.strictObject({ user: template, password: template.default('') })

/** Exactly one way for a token to go along; `template` holds `{token}`. */
const tokenUse = z.union([
  z.strictObject({ header: z.string().min(1), template: z.string().default('{token}') }),
  z.strictObject({ query: z.string().min(1), template: z.string().default('{token}') }),
  z.strictObject({ cookie: z.string().min(1), template: z.string().default('{token}') }),
])
export type TokenUseEntry = z.infer<typeof tokenUse>
const bearer = { header: 'Authorization', template: 'Bearer {token}' }

const oauth2 = z.strictObject({
  /** A URL, which may be of another host, or a path below the base URL. */
  tokenUrl: template,
  clientId: template,
  clientSecret: template,
  /** Where the client's credentials go: basic authentication (`header`), or the fields client_id and client_secret (`body`). */
  client: z.enum(['header', 'body']).default('header'),
  scope: z.union([template, z.array(template).min(1)]).exactOptional(),
  audience: template.exactOptional(),
  /** Further fields of the request; they win. */
  parameters: z.record(z.string(), scalar).default({}),
  send: tokenUse.default(bearer),
})

const login = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST'),
  /** A path below the base URL, or a URL. */
  url: template,
  /** The URL may be of another host than the base URL. */
  otherHost: z.boolean().default(false),
  headers: z.record(z.string(), template).exactOptional(),
  basic: pair.exactOptional(),
  /** JSON, or the fields of a form where `headers` says so by its Content-Type. */
  body: json.exactOptional(),
  /** Where the answer holds the token: a place of its body, a header or a cookie. */
  token: z.union([
    place.min(1),
    z.strictObject({ header: z.string().min(1) }),
    z.strictObject({ cookie: z.string().min(1) }),
  ]),
  /** Seconds, or the place of the answer that tells them. */
  expires: z.union([count, place.min(1)]).exactOptional(),
  send: tokenUse.default(bearer),
})
export type LoginEntry = z.infer<typeof login>

const sigv4 = z.strictObject({
  region: template,
  service: template,
  accessKeyId: template,
  secretAccessKey: template,
  sessionToken: template.exactOptional(),
})

export const auth = z.union([
  z.strictObject({
    header: z.strictObject({ name: z.string(), template: z.string().default('{secret}'), secret: template }),
  }),
  z.strictObject({ query: z.strictObject({ name: z.string(), secret: template }) }),
  z.strictObject({ basic: pair }),
  z.strictObject({ bearer: z.strictObject({ secret: template }) }),
  z.strictObject({ oauth2 }),
  z.strictObject({ login }),
  z.strictObject({ sigv4 }),
])
export type AuthEntry = z.infer<typeof auth>

/** PEM: the path of a file of the workspace, or a secret. There is no way to go on without verifying. */
export const tls = z.strictObject({
  /** The authority that signed the server's certificate; no other is trusted then. */
  ca: template.exactOptional(),
  /** The client's own certificate. */
  cert: template.exactOptional(),
  key: template.exactOptional(),
})
export type TlsEntry = z.infer<typeof tls>
