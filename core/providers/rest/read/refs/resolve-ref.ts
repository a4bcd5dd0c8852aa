import { valueAt } from '../../../../engine/json/pointer.ts'
import type { Request } from '../../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import { answerUrl } from '../../../../engine/transport/answer/answer-url.ts'
import { present } from '../../../../engine/values/defined.ts'
import type { Listing, Operation } from '../../document/operation/operation.ts'
import { type Scope, variablesOf } from '../../document/shared/template.ts'
import { ask, buildRead, objectIn, unresolved } from '../../request/ask.ts'
import { buildRequest, objectScope, type ReadContext } from '../../request/context.ts'
import type { Finder } from '../lists/finder.ts'
import { itemsAmong, type List, listItems } from '../lists/list-items.ts'
import { sortedItems } from '../lists/sorted-items.ts'
import { refFaults, unknowns } from '../shared/words.ts'

export type Resolution =
  | { readonly kind: 'found'; readonly object: JsonObject }
  | { readonly kind: 'none' }
  | UnknownResult

export const none: Resolution = { kind: 'none' }

/** The searched value, and what else the object must contain. */
interface Question {
  readonly value: string | number
  readonly filters: NonNullable<Listing['query']>
}

/** The forms of server ids, so that most names are not requested as ids. */
const idLike = /^(\d+|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|[0-9a-f]{24,64})$/i

/**
 * Finds an object by its URL, its id or its name. A value in the form of an id is requested as an id first, then searched as
 * a name; any other value is searched as a name first, then requested as an id. A value that was emitted for an object finds
 * that object again. `by: id`: names are not searched.
 */
export const resolveRef = async (
  context: ReadContext,
  finder: Finder,
  question: Question,
  by: 'any' | 'id' = 'any',
): Promise<Resolution> => {
  for (const way of waysFor(String(question.value), by)) {
    const found = await way(context, finder, question)
    if (found.kind !== 'none') return found
  }
  return none
}

type SearchStep = (context: ReadContext, finder: Finder, question: Question) => Promise<Resolution>

const waysFor = (text: string, by: 'any' | 'id'): readonly SearchStep[] => {
  if (/^https?:\/\//i.test(text)) return [byUrl]
  if (by === 'id') return [byId, byEmitted]
  return idLike.test(text) ? [byId, byName, byEmitted] : [byName, byId, byEmitted]
}

/** A path, a slug, a URL of another host: no request can contain it, so it is searched in all objects. */
const byEmitted: SearchStep = async (context, finder, { value, filters }) => {
  if (finder.all === undefined) return none
  const { operation, listing } = finder.all
  const whole = { ...operation, query: withoutNames(finder, operation.query ?? {}) }
  const query = withoutNames(finder, { ...listing.query, ...filters })
  const scope = objectScope(context, filters, {})
  // A list below an object that is not named cannot be asked for.
  if (!buildRead(context, whole, scope, query).ok) return none
  const list = { ...finder.all, operation: whole, listing: { ...listing, query } }
  const among: Among = (items) => isIn(finder, filters, emitted(finder, items, String(value)))
  const found = await onlyOne(context, list, scope, among, unknowns.severalShown)
  if (found.kind !== 'unknown' || found.reason === 'ambiguous') return found
  return { ...found, detail: refFaults.notAllListed(found.detail) }
}

/** A filter by the name would leave out what is looked for by something else. */
const withoutNames = <Value extends Json>(
  { variables }: Finder,
  query: Readonly<Record<string, Value>>,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([, value]) => !variablesOf(value).some(([first]) => variables.includes(String(first))),
    ),
  )

type Among = (items: readonly JsonObject[]) => readonly JsonObject[]

const isIn = (finder: Finder, filters: Question['filters'], items: readonly JsonObject[]): readonly JsonObject[] =>
  items.filter((item) => finder.isThere(item) && isWithin(item, filters))

const named = (finder: Finder, items: readonly JsonObject[], text: string | undefined): readonly JsonObject[] =>
  text === undefined ? [] : (sortedItems(items, `named ${finder.key}`, finder.namesOf).get(text) ?? [])

const emitted = (finder: Finder, items: readonly JsonObject[], text: string): readonly JsonObject[] =>
  sortedItems(items, `emitted ${finder.key}`, (item) => present(finder.emittedOf(item))).get(text) ?? []

const onlyOne = async (
  context: ReadContext,
  list: List,
  scope: Scope,
  among: Among,
  several: (count: number) => UnknownResult,
): Promise<Resolution> => {
  const listed = await itemsAmong(await listItems(context, list, scope), among)
  if (listed.kind !== 'items') return listed.kind === 'absent' ? none : listed
  const [only, ...others] = listed.items
  if (only === undefined) return none
  return others.length === 0 ? { kind: 'found', object: only } : several(listed.items.length)
}

/** Behind a proxy an API may show URLs of a host of its own: nothing is sent there, but one that it shows is known. */
const byUrl: SearchStep = async (context, finder, question) => {
  const target = answerUrl(String(question.value), context.baseUrl)
  if (!target.ok) {
    const known = await byEmitted(context, finder, question)
    return known.kind === 'found' ? known : unknowns.badUrl(target.detail)
  }
  const operation: Operation = finder.byId ?? { method: 'GET', path: '/' }
  const built = buildRequest(context, { ...operation, method: 'GET', path: '/', query: {} }, () => undefined)
  return built.ok ? askForIt(context, finder, operation, { ...built.request, url: target.url }) : unresolved(built)
}

/** A server that takes no such text for an id says so by a status of its own. */
const noSuchId = [400, 404, 422]

const byId: SearchStep = async (context, finder, question) => {
  if (finder.byId === undefined) return none
  const built = buildRead(context, finder.byId, scopeFor(context, finder, question))
  if (!built.ok) return none
  const absent = [...(finder.byId.absent ?? finder.absent), ...noSuchId]
  return askForIt(context, finder, { ...finder.byId, absent }, built.request)
}

const byName: SearchStep = async (context, finder, question) => {
  if (finder.byName === undefined) return none
  const { value, filters } = question
  const scope = scopeFor(context, finder, question)
  if (!('listing' in finder.byName)) {
    const { operation } = finder.byName
    const built = buildRead(context, operation, scope)
    if (!built.ok) return unresolved(built)
    const found = await askForIt(context, finder, operation, built.request)
    return found.kind === 'found' && !finder.isNamed(found.object, value) ? none : found
  }
  const { listing } = finder.byName
  const text = finder.textOf(value)
  const among: Among = (items) =>
    isIn(finder, filters, [...new Set([...named(finder, items, text), ...emitted(finder, items, String(value))])])
  const list = { ...finder.byName, listing: { ...listing, query: { ...listing.query, ...filters } } }
  return onlyOne(context, list, scope, among, unknowns.severalNamed)
}

const scopeFor = (context: ReadContext, { variables }: Finder, { value, filters }: Question) =>
  objectScope(context, filters, Object.fromEntries(variables.map((name) => [name, value])))

/** A filter that the server ignores is found out where its items show what it is about. */
const isWithin = (item: JsonObject, filters: JsonObject): boolean =>
  Object.entries(filters).every(([name, expected]) => {
    const observed = valueAt(item, [name]) ?? null
    return typeof observed === 'object' || String(observed) === String(expected)
  })

const askForIt = async (
  context: ReadContext,
  finder: Finder,
  operation: Operation,
  request: Request,
): Promise<Resolution> => {
  const read = { operation, request, absent: operation.absent ?? finder.absent }
  const answer = await ask(context, read)
  const found = answer.kind === 'answer' ? objectIn(read, answer.response) : answer
  if (found.kind === 'unknown') return found
  return found.kind === 'object' && finder.isThere(found.object) ? { kind: 'found', object: found.object } : none
}
