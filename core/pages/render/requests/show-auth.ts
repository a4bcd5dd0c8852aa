import type { Auth, TokenAuth, TokenUse } from '../../../engine/schema/auth.ts'
import { isArray, isObject, type Json } from '../../../engine/schema/json.ts'
import { isSecret } from '../../../engine/schema/value.ts'
import { present } from '../../../engine/values/defined.ts'
import { visible } from '../characters/visible.ts'
import { showAuthPart } from '../rows/show-value.ts'

/** How a request signs in: secrets by the names of their sources, tokens by where they come from. */
export interface ShownAuth {
  readonly headers: readonly string[]
  /** What is appended to the URL. */
  readonly query: string
}

const none: ShownAuth = { headers: [], query: '' }
const signedBy = (header: string): ShownAuth => ({ ...none, headers: [header] })

export const showAuth = (auth: Auth | undefined, url: string): ShownAuth => {
  if (auth === undefined) return none
  switch (auth.kind) {
    case 'header':
      return signedBy(`${visible(auth.name)}: ${put(auth.template, '{secret}', nameOf(auth.secret))}`)
    case 'query':
      return { ...none, query: queryPart(url, auth.name, nameOf(auth.secret)) }
    case 'basic':
      return signedBy(`authorization: Basic base64(${nameOf(auth.user)}:${nameOf(auth.password)})`)
    case 'sigv4': {
      const keys = present(auth.accessKeyId, auth.secretAccessKey, auth.sessionToken)
      const scope = `${visible(auth.service)} in ${visible(auth.region)}`
      return signedBy(`authorization: AWS4-HMAC-SHA256 (for ${scope}, with ${keys.map(nameOf).join(', ')})`)
    }
    default:
      return withTokens(auth, url)
  }
}

const withTokens = (auth: TokenAuth, url: string): ShownAuth => {
  const { basic, always, also = [] } = auth.kind === 'login' ? auth : {}
  const pair = basic !== undefined && always === true ? showAuth({ kind: 'basic', ...basic }, url) : none
  return [auth.send, ...also.map(({ send }) => send)].reduce(({ headers, query }, send) => {
    const more = withToken(send, `(token from ${tokenSource(auth)})`, `${url}${query}`)
    return { headers: [...headers, ...more.headers], query: `${query}${more.query}` }
  }, pair)
}

const withToken = ({ in: where, name, template }: TokenUse, token: string, url: string): ShownAuth => {
  const value = put(template, '{token}', token)
  if (where === 'query') return { ...none, query: queryPart(url, name, value) }
  return signedBy(where === 'cookie' ? `cookie: ${visible(name)}=${value}` : `${visible(name)}: ${value}`)
}

const tokenSource = (auth: TokenAuth): string => {
  if (auth.kind === 'oauth2') {
    const used = [nameOf(auth.clientId), nameOf(auth.clientSecret), ...secretsIn(auth.parameters)]
    return `POST ${visible(auth.tokenUrl)} with ${used.join(', ')}`
  }
  const { user, password } = auth.basic ?? {}
  const pair = [user, password].flatMap((part) => (typeof part === 'object' ? [nameOf(part)] : []))
  const used = [...pair, ...secretsIn([auth.headers ?? {}, auth.body ?? null])]
  return `${visible(auth.method)} ${visible(auth.url)}${used.length === 0 ? '' : ` with ${used.join(', ')}`}`
}

const secretsIn = (value: Json): readonly string[] => {
  if (isSecret(value)) return [nameOf(value)]
  if (isArray(value)) return value.flatMap(secretsIn)
  return isObject(value) ? Object.values(value).flatMap(secretsIn) : []
}

/** Without the digest, which users do not need. */
const nameOf = (part: string | { readonly $secret: string }): string =>
  showAuthPart(typeof part === 'string' ? part : { $secret: part.$secret })

const put = (template: string, variable: string, value: string): string =>
  template.split(variable).map(visible).join(value)

const queryPart = (url: string, name: string, value: string): string =>
  `${url.includes('?') ? '&' : '?'}${visible(name)}=${value}`
