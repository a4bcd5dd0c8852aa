import type { Auth, TokenAuth, TokenUse } from '../../schema/auth.ts'
import type { Request } from '../../schema/command.ts'
import type { SecretMark } from '../../schema/value.ts'
import { type Lookups, resolveText } from '../secrets/resolve-value.ts'
import type { WireRequest } from '../transport.ts'

export const authenticate = async (
  request: Request,
  auth: Exclude<Auth, TokenAuth>,
  lookups: Lookups,
): Promise<WireRequest> => {
  switch (auth.kind) {
    case 'basic':
      return withBasic(request, auth, lookups)
    case 'header': {
      const secret = await textOf(auth.secret, lookups)
      return withHeader(request, auth.name, put(auth.template, '{secret}', secret))
    }
    case 'query':
      return withQuery(request, auth.name, await textOf(auth.secret, lookups))
    case 'sigv4': {
      const { region, service, sessionToken } = auth
      const [accessKeyId, secretAccessKey] = await Promise.all([
        textOf(auth.accessKeyId, lookups),
        textOf(auth.secretAccessKey, lookups),
      ])
      const session = sessionToken === undefined ? {} : { sessionToken: await textOf(sessionToken, lookups) }
      return { ...request, signing: { region, service, accessKeyId, secretAccessKey, ...session } }
    }
  }
}

export const withBasic = async (
  request: Request,
  { user, password }: { readonly user: string | SecretMark; readonly password: SecretMark | '' },
  lookups: Lookups,
): Promise<Request> => withPair(request, `${await textOf(user, lookups)}:${await textOf(password, lookups)}`, lookups)

/** Basic authentication. The encoded pair is also a secret. */
export const withPair = (request: Request, pair: string, { learn }: Pick<Lookups, 'learn'>): Request => {
  learn?.(pair)
  return withHeader(request, 'authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
}

export const withToken = (request: Request, { in: where, name, template }: TokenUse, token: string): Request => {
  const value = put(template, '{token}', token)
  if (where === 'header') return withHeader(request, name, value)
  return where === 'query' ? withQuery(request, name, value) : withCookie(request, `${name}=${value}`)
}

export const textOf = (value: string | SecretMark, lookups: Lookups): Promise<string> =>
  resolveText(typeof value === 'string' ? value : { ...value }, lookups)

/** Uses a function, because `replaceAll` would interpret `$&` in a secret. */
const put = (template: string, variable: string, value: string): string => template.replaceAll(variable, () => value)

const withHeader = (request: Request, name: string, value: string): Request => ({
  ...request,
  headers: { ...request.headers, [name]: value },
})

const withCookie = (request: Request, cookie: string): Request => {
  const [name = 'cookie', other] =
    Object.entries(request.headers ?? {}).find(([each]) => each.toLowerCase() === 'cookie') ?? []
  return withHeader(request, name, other === undefined ? cookie : `${other}; ${cookie}`)
}

/** Appends text without parsing, because that would change the spelling of the approved part. */
const withQuery = (request: Request, name: string, value: string): Request => {
  const separator = request.url.includes('?') ? '&' : '?'
  return { ...request, url: `${request.url}${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}` }
}
