import { toPointer } from '../../../json/pointer.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { present } from '../../../values/defined.ts'
import type { LoginEntry } from '../document/auth.ts'
import { withProviderDefaults } from '../document/defaults.ts'
import type { RestDocument, RestResource } from '../document/document.ts'
import { isRead, type Operation } from '../document/operation.ts'
import type { RestSettings } from '../document/provider.ts'
import { textsIn, variablesOf } from '../document/template.ts'

/*
 * An API whose calls share one address tells them apart by a text that they hold: `method` of JSON-RPC, `command`, `action`.
 * There a sign-in is a call of its own, as far as a document can show it.
 */

/** A request that fetches a token. */
export interface SignIn {
  readonly key: 'login' | 'oauth2'
  readonly url: string
  /** All that may hold texts. */
  readonly sent: readonly Json[]
}

/** An operation with every body that may be sent by it. */
export interface Call {
  readonly operation: Operation
  readonly bodies: readonly Json[]
}

/** Everything that a document may ask for. What a part or an action sends takes the place of an operation's own body. */
export const callsOf = ({ provider, resources, resolvers = {} }: RestDocument): readonly Call[] => [
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

const callOf = (provider: RestSettings, written: Operation, others: readonly Json[]): Call => {
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

/** Place -> text, of every text that stands there as it is sent, whatever is filled in around it. */
type Texts = ReadonlyMap<string, string>

/** As a server may compare it that reads generously. */
const plain = (text: string): string => text.trim().toLowerCase()

const textsOfRequest = (body: Json, query: Json, headers: Readonly<Record<string, string>>): Texts =>
  new Map(
    textsIn({ body, query, header: lowerCased(headers) })
      .filter(({ text }) => variablesOf(text).length === 0)
      .map(({ at, text }) => [toPointer(at), plain(text)]),
  )

const lowerCased = (headers: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const textsOfCall = ({ operation, bodies }: Call): readonly Texts[] =>
  bodies.map((body) => textsOfRequest(body, (operation.query ?? {}) as Json, operation.headers ?? {}))

/**
 * Whether a login at the address of these calls is one that none of them is: at one place each of them holds a text that is
 * written out, this text tells reads from writes, and that of the login is no other's. What tells reads from writes decides
 * what is done; a text that all writes hold, or only they, may be a member of an object like any other.
 */
export const isCallOfItsOwn = (calls: readonly Call[], entry: LoginEntry, signIn: SignIn): boolean => {
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

/** Texts that a login sends, at any place: none may name another call, however a server looks for names. */
const wordsIn = ({ sent, url }: SignIn): readonly string[] =>
  textsIn([...sent, queryOf(url)]).map(({ text }) => plain(text))
