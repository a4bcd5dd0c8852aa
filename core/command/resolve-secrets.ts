import { AppError } from '../errors.ts'
import { afterPlaceholder } from '../schema/after-placeholder.ts'
import type { Auth, Request } from '../schema/command.ts'
import type { Json } from '../schema/json.ts'
import type { Lookups } from './resolve-value.ts'
import { resolveText, resolveValue } from './resolve-value.ts'
import type { Secrets } from './secrets.ts'
import type { Transport } from './transport.ts'

export interface ResolveOptions {
  readonly secrets: Secrets
  /** The sources that the configuration itself names. What an API answers can never make us send another secret. */
  readonly allowed: ReadonlySet<string>
  /** Resolves `live:<address>#<pointer>`: a sensitive value of the object itself, from the read right before the write. */
  readonly live?: (source: string, digest?: string) => Promise<Json>
  /** What an earlier command produced; `undefined` where it did not. */
  readonly after?: (address: string, pointer: string) => Json | undefined
  /** Hears every secret text before it is sent, so that it can be kept out of all that is said later. */
  readonly learn?: (value: string) => void
}

/** Fills in secrets and values of earlier commands, and adds the authentication. The given request stays as it is. */
export const resolveSecrets = (inner: Transport, options: ResolveOptions): Transport => ({
  send: async (request, signal) => inner.send(await resolveRequest(request, options), signal),
})

const resolveRequest = async (request: Request, options: ResolveOptions): Promise<Request> => {
  const lookups = lookupsFor(request, options)
  const { auth, body, ...rest } = request
  const resolved = {
    ...rest,
    url: resolveUrl(request, lookups),
    ...(body === undefined ? {} : { body: await resolveValue(body, lookups) }),
  }
  return auth === undefined ? resolved : applyAuth(resolved, auth, lookups, options)
}

const lookupsFor = (request: Request, options: ResolveOptions): Lookups => ({
  secret: async (source, digest) => {
    const value = await resolveSource(source, digest, options)
    learnAll(value, options.learn)
    return value
  },
  after: (address, pointer) => {
    const value = options.after?.(address, pointer)
    if (value !== undefined) return value
    const { method, url } = request
    throw new AppError('RESPONSE_INVALID', { method, url, detail: `${address} did not answer a value at "${pointer}"` })
  },
})

const resolveSource = async (
  source: string,
  digest: string | undefined,
  { secrets, allowed, live }: ResolveOptions,
): Promise<Json> => {
  if (source.startsWith('live:')) {
    if (live) return live(source, digest)
    throw new AppError('SECRET_UNRESOLVED', { source, detail: 'it is known only right before a write' })
  }
  if (allowed.has(source)) return secrets.resolve(source)
  throw new AppError('SECRET_UNRESOLVED', { source, detail: 'the configuration does not name it' })
}

/** A value of the target may be an object that holds the secret texts. */
export const learnAll = (value: Json, learn: ResolveOptions['learn']): void => {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'object') for (const inner of Object.values(value)) learnAll(inner, learn)
  else learn?.(String(value))
}

const resolveUrl = (request: Request, lookups: Lookups): string =>
  request.url.replaceAll(afterPlaceholder, (_, address: string, pointer: string) => {
    const value = lookups.after(address, pointer)
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    // An empty or dotted segment would make the URL of another object, a whole collection perhaps.
    if (isScalar && !['', '.', '..'].includes(String(value))) return encodeURIComponent(value)
    const { method, url } = request
    throw new AppError('RESPONSE_INVALID', {
      method,
      url,
      detail: `what ${address} answered at "${pointer}" cannot be part of a URL`,
    })
  })

const applyAuth = async (
  request: Request,
  auth: Auth,
  lookups: Lookups,
  { learn }: ResolveOptions,
): Promise<Request> => {
  if (auth.kind === 'basic') {
    const user = typeof auth.user === 'string' ? auth.user : await resolveText({ ...auth.user }, lookups)
    const pair = `${user}:${await resolveText({ ...auth.password }, lookups)}`
    learn?.(pair)
    return withHeader(request, 'authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }
  const secret = await resolveText({ ...auth.secret }, lookups)
  if (auth.kind === 'header')
    return withHeader(
      request,
      auth.name,
      auth.template.replaceAll('{secret}', () => secret),
    )
  // Appended as text: parsing the URL would spell the approved part anew.
  const separator = request.url.includes('?') ? '&' : '?'
  return { ...request, url: `${request.url}${separator}${encodeURIComponent(auth.name)}=${encodeURIComponent(secret)}` }
}

const withHeader = (request: Request, name: string, value: string): Request => ({
  ...request,
  headers: { ...request.headers, [name]: value },
})
