import { isObject, type Json } from '../../schema/json.ts'

/* Names under which servers take another method than the one that was sent: Rails, Symfony, Laravel, WordPress, OData, ASP.NET. */

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `X-HTTP-Method-Override`, `X-HTTP-Method`, `X-Method-Override`, `X-Method`, and what is spelled like them. */
const isHeader = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return /^x?(http)?(method(override)?|verb(override)?|(override)method)$/.test(plain)
}

/** A server may read `_method[]`, ` _method` or `a;_method` as that name, so each word of a name counts. */
const isParameter = (name: string): boolean =>
  name
    .normalize('NFKC')
    .split(/[^\w$-]+/)
    .some(isOverride)

/** `_method`, `$method`, `__method`, `x-http-method-override`; `method` alone is a word of many APIs. */
const isOverride = (name: string): boolean =>
  /^[_$]+(http)?[_-]?(method|verb)$/i.test(name) || (/[-_]|^x/i.test(name) && /^x[-_]?(http)?[-_]?method/i.test(name))

const means = (value: unknown): boolean => !harmless.has(String(value).trim().toUpperCase())

/** The first header that lets a server do something else than the method of the request says. */
export const overridingHeader = (headers: Readonly<Record<string, unknown>> = {}): string | undefined =>
  Object.keys(headers).find((name) => isHeader(name) && means(headers[name]))

/** The same among the parameters of a query or the members of a body. */
export const overridingParameter = (all: Iterable<readonly [string, unknown]>): string | undefined =>
  [...all].find(([name, value]) => isParameter(name) && means(value))?.[0]

/** A read must not write under another name of its method. */
export const overridesMethod = (request: {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
}): boolean => {
  const { url, headers, body } = request
  const { searchParams: inQuery = [], pathname = '' } = URL.parse(url) ?? {}
  // Parameters of a segment of the path: `/things;_method=DELETE`.
  const inPath = new URLSearchParams(pathname.split(/[;/]/).join('&'))
  const inBody = typeof body === 'string' ? new URLSearchParams(body) : isObject(body) ? Object.entries(body) : []
  return (
    overridingHeader(headers) !== undefined ||
    overridingParameter(inQuery) !== undefined ||
    overridingParameter([...inPath].filter(([, value]) => value !== '')) !== undefined ||
    overridingParameter(inBody) !== undefined
  )
}
