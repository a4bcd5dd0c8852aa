import { isObject, type Json } from '../../schema/json.ts'
import { wordsOf } from './name-words.ts'

/* Names under which servers take another method than the one that was sent: Rails, Symfony, Laravel, WordPress, OData, ASP.NET. */

const harmless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `X-HTTP-Method-Override`, `X-HTTP-Method`, `X-Method-Override`, `X-Method`, and what is spelled like them. */
const isHeader = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return /^x?(http)?(method(override)?|verb(override)?|(override)method)$/.test(plain)
}

/** A server may read `_method[]`, ` _method`, `a;_method` or `%5Fmethod` as that name, so each word of a name counts. */
const partsOf = (name: string): readonly string[] =>
  unescaped(unescaped(name))
    .normalize('NFKC')
    .split(/[^\w$-]+/)

const unescaped = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** `_method`, `$method`, `__method`, `x-http-method-override`; `method` alone is a word of many APIs. */
const isOverride = (name: string): boolean =>
  /^[_$]+(http)?[_-]?(method|verb)$/i.test(name) || (/[-_]|^x/i.test(name) && /^x[-_]?(http)?[-_]?method/i.test(name))

const means = (value: unknown): boolean => !harmless.has(String(value).trim().toUpperCase())

/** Gateways have names of their own, such as `X-Original-Method`: a name that says that a method follows counts where one of these does. */
const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'MERGE'])

const changes = (value: unknown): boolean =>
  String(value)
    .split(',')
    .some((each) => changing.has(each.replaceAll(/[^a-z]/gi, '').toUpperCase()))

const isTemplate = (value: unknown): boolean => /\{[^{}]+\}/.test(String(value))

const isMethod = (word: string): boolean => /method$|^(?:http)?verb$/.test(word)

/** A browser asks by these whether it may send a method, and nothing does it. */
const isOfBrowsers = (name: string): boolean => /^access-control-/i.test(name)

const overridesInHeader = (name: string, value: unknown): boolean =>
  (isHeader(name) && means(value)) ||
  (!isOfBrowsers(name) && wordsOf(name).some(isMethod) && (changes(value) || isTemplate(value)))

/** `payment_method={name}` is an honest filter: what it is filled with is judged when it is sent. */
const isOfHttp = (word: string): boolean => isMethod(word) || /^x?(?:x|https?|rest|request|override)$/.test(word)

const namesMethod = (name: string, value: unknown): boolean => {
  const words = wordsOf(name)
  return isMethod(words.at(-1) ?? '') && (changes(value) || (isTemplate(value) && words.every(isOfHttp)))
}

/** The first header that lets a server do something else than the method of the request says. */
export const overridingHeader = (headers: Readonly<Record<string, unknown>> = {}): string | undefined =>
  Object.keys(headers).find((name) => overridesInHeader(name, headers[name]))

/** The same among the members of a body. */
export const overridingMember = (all: Iterable<readonly [string, unknown]>): string | undefined =>
  [...all].find(([name, value]) => partsOf(name).some(isOverride) && means(value))?.[0]

/** The same among the parameters of a query. */
export const overridingParameter = (all: Iterable<readonly [string, unknown]>): string | undefined => {
  const parameters = [...all]
  const other = parameters.find(([name, value]) => partsOf(name).some((part) => namesMethod(part, value)))
  return overridingMember(parameters) ?? other?.[0]
}

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
    overridingMember(inBody) !== undefined
  )
}
