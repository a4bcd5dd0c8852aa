import { toPointer } from '../../../engine/json/pointer.ts'
import type { Problem } from '../../../engine/schema/issue.ts'
import type { Json, JsonObject, Path } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { type AuthEntry, type LoginEntry, waysOf } from '../document/api/auth.ts'
import type { RestSettings } from '../document/api/provider.ts'
import { withProviderDefaults } from '../document/defaults.ts'
import type { RestDocument, RestResource } from '../document/document.ts'
import { isRead, type Operation } from '../document/operation/operation.ts'
import { partsOf, textsIn, variablesOf } from '../document/shared/template.ts'
import { type Findings, problem } from './shared/problem.ts'

/**
 * A sign-in is sent in a check too, and without approval. So it must not go to an address of objects: a POST there would make
 * one. It may share an address only if each call names what it does.
 */

/** As written in the document, with variables. */
const writtenSignIns = ({ provider: { auth } }: RestDocument): readonly SignIn[] =>
  auth === undefined ? [] : waysOf(auth).flatMap(({ at, way }) => writtenSignIn(way, at) ?? [])

const writtenSignIn = (way: AuthEntry, at: Path): SignIn | undefined => {
  if ('oauth2' in way) return { way, at, key: 'oauth2', url: way.oauth2.tokenUrl, sent: [] }
  if (!('login' in way)) return undefined
  const { url, body, headers } = way.login
  return { way, at, key: 'login', url, sent: [body ?? null, headers ?? null] }
}

/** Why an address must not be used to sign in; `undefined` if it may. The host does not count: it has many names. */
export const refuseSignIn = (document: RestDocument, signIn: SignIn, baseUrl: string): Problem | undefined => {
  const target = segmentsOf(urlPath(signIn.url))
  const bases = [...new Set([urlPath(baseUrl), '', '/'])]
  const calls = callsOf(document).filter(({ operation: { path } }) =>
    bases.some((base) => isSamePath(target, segmentsOf(withWildcards(`${base}${path}`)))),
  )
  const [found] = calls
  const { way, at, key } = signIn
  if (found === undefined) return undefined
  if ('login' in way && isCallOfItsOwn(calls, way.login, signIn)) return undefined
  return problem(['provider', 'auth', ...at, key], 'signInAtOperation', signIn.url, found.operation.path)
}

/** Without a workspace only an address without variables can be checked. */
export const checkSignIn = (document: RestDocument): Findings =>
  writtenSignIns(document)
    .filter(({ url }) => partsOf(url).every((part) => 'text' in part))
    .map((signIn) => refuseSignIn(document, signIn, ''))

/** A placeholder for the value of a variable. No path contains it. */
const wildcard = '\0'

const withWildcards = (template: string): string =>
  partsOf(template)
    .map((part) => ('text' in part ? part.text : wildcard))
    .join('')

const urlPath = (url: string): string => url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? ''

/** As a tolerant server may read it: encodings undone, dots and empty segments gone, in lower case. */
const segmentsOf = (path: string): readonly string[] => {
  let decoded = path
  for (let n = 0; n < 8; n += 1)
    decoded = decoded.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  const segments: string[] = []
  for (const each of decoded.toLowerCase().split(/[/\\]/)) {
    const [name = ''] = each.split(';')
    const plain = name.trim()
    if (plain === '..') segments.pop()
    else if (plain !== '' && plain !== '.') segments.push(plain)
  }
  const last = segments.pop()
  return last === undefined ? segments : [...segments, last.replace(/\.(json|xml|ya?ml)$/, '')]
}

const isSamePath = (target: readonly string[], template: readonly string[]): boolean =>
  target.length === template.length && template.every((segment, n) => fits(target[n] ?? '', segment))

const fits = (text: string, segment: string): boolean => {
  const [first = '', ...rest] = segment.split(wildcard)
  if (rest.length === 0) return text === segment
  if (!text.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/**
 * An API whose calls share one address distinguishes them by a text in each call: `method` of JSON-RPC, `command`, `action`.
 * There a sign-in is a separate call, as far as a document can show it.
 */

/** A request that fetches a token. */
export interface SignIn {
  /** As written in the document, and where it is within `auth`. */
  readonly way: AuthEntry
  readonly at: Path
  readonly key: 'login' | 'oauth2'
  readonly url: string
  /** Everything that may contain texts. */
  readonly sent: readonly Json[]
}

/** An operation with every body that may be sent by it. */
interface SignInCall {
  readonly operation: Operation
  readonly bodies: readonly Json[]
}

/** All requests that a document may cause. The body of a part or an action replaces the body of the operation. */
const callsOf = ({ provider, resources, resolvers = {} }: RestDocument): readonly SignInCall[] => [
  ...Object.values(resources).flatMap((resource) =>
    Object.entries(resource.operations).map(([name, operation]) =>
      callOf(provider, operation, bodiesFor(resource, name)),
    ),
  ),
  ...Object.values(resolvers)
    .flatMap(({ list, retrieve }) => present(list, retrieve))
    .map((operation) => callOf(provider, operation, [])),
  ...present(provider.sight?.read).map((operation) => callOf(provider, operation, [])),
]

const callOf = (provider: RestSettings, written: Operation, others: readonly Json[]): SignInCall => {
  const operation = withProviderDefaults(provider, written)
  return { operation, bodies: [operation.body ?? null, ...others] }
}

const bodiesFor = ({ parts, actions = {} }: RestResource, name: string): readonly Json[] =>
  [
    ...parts.flatMap(({ write, collection }) => {
      const whole = collection?.write
      const own = whole !== undefined && 'op' in whole && whole.op === name ? whole.body : undefined
      const isUsed = [write?.op, write?.create, write?.remove].includes(name)
      return [isUsed ? write?.body : undefined, own]
    }),
    ...Object.values(actions).map(({ op, body }) => (op === name ? body : undefined)),
  ].filter((body) => body !== undefined)

/** Place -> literal text. A text with variables is not among them. */
type LiteralTexts = ReadonlyMap<string, string>

/** As a tolerant server may compare it. */
const plain = (text: string): string => text.trim().toLowerCase()

const textsOfRequest = (body: Json, query: Json, headers: Readonly<Record<string, string>>): LiteralTexts =>
  new Map(
    textsIn({ body, query, header: lowerCased(headers) })
      .filter(({ text }) => variablesOf(text).length === 0)
      .map(({ at, text }) => [toPointer(at), plain(text)]),
  )

const lowerCased = (headers: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const textsOfCall = ({ operation, bodies }: SignInCall): readonly LiteralTexts[] =>
  bodies.map((body) => textsOfRequest(body, (operation.query ?? {}) as Json, operation.headers ?? {}))

/**
 * Whether a login at the address of these calls is one that none of them is: at one place each of them holds a text that is
 * written out, this text tells reads from writes, and that of the login is no other's. A text that distinguishes reads from
 * writes names the operation; a text that all writes have, or only writes, may be an ordinary member of an object.
 */
const isCallOfItsOwn = (calls: readonly SignInCall[], entry: LoginEntry, signIn: SignIn): boolean => {
  const own = textsOfRequest(entry.body ?? null, queryOf(entry.url), entry.headers ?? {})
  return [...own].some(([place, text]) => {
    const reads = calls.filter(({ operation }) => isRead(operation)).flatMap(textsOfCall)
    const writes = calls.filter(({ operation }) => !isRead(operation)).flatMap(textsOfCall)
    const [asked, done] = [reads, writes].map((all) => all.map((texts) => texts.get(place)))
    const names = new Set([...(asked ?? []), ...(done ?? [])])
    const tells =
      reads.length > 0 && writes.length > 0 && !names.has(undefined) && !asked?.some((one) => done?.includes(one))
    return tells && !names.has(text) && !wordsIn(signIn).some((word) => names.has(word))
  })
}

const queryOf = (url: string): Json => {
  const query = url.split('#')[0]?.split('?').slice(1).join('?') ?? ''
  return Object.fromEntries(new URLSearchParams(query))
}

/** Texts that a login sends, at any place: none may be the name of another call, wherever a server searches names. */
const wordsIn = ({ sent, url }: SignIn): readonly string[] =>
  textsIn([...sent, queryOf(url)]).map(({ text }) => plain(text))
