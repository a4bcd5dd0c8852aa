import { toPointer, valueAt } from '../../../json/pointer.ts'
import type { Request } from '../../../schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import { answerUrl } from '../../../transport/answer/answer-url.ts'
import type { ReadDeps } from '../../provider.ts'
import type { Operation } from '../document/operation.ts'
import { pathOf, variablesOf } from '../document/template.ts'
import { ask, badBody, buildRead, kindOf, type Unknown, unresolved } from '../request/ask.ts'
import { buildRequest, objectScope, type TypeContext } from '../request/context.ts'
import type { Finder } from './finder.ts'
import { type Items, itemsAmong, listItems } from './list-items.ts'
import { listFaults, unknowns } from './words.ts'

export type Resolution = { readonly kind: 'found'; readonly object: JsonObject } | { readonly kind: 'none' } | Unknown

/** What is looked for, and what else the object must hold. */
interface Question {
  readonly value: string | number
  readonly filters: Readonly<Record<string, Json>>
}

/** Ids that servers make, so that most names are not asked for as ids. */
const idLike = /^(\d+|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|[0-9a-f]{24,64})$/i

/**
 * Finds an object by its URL, its id or its name. What looks like an id is asked for as one first, and may still be a name;
 * any other value is a name first, and may still be an id. Whatever was emitted for an object means that object again.
 */
export const resolveRef = async (
  context: TypeContext,
  finder: Finder,
  question: Question,
  deps: ReadDeps,
  /** `id`: a name means nothing. */
  by: 'any' | 'id' = 'any',
): Promise<Resolution> => {
  for (const way of waysFor(String(question.value), by)) {
    const found = await way(context, finder, question, deps)
    if (found.kind !== 'none') return found
  }
  return { kind: 'none' }
}

type Way = (context: TypeContext, finder: Finder, question: Question, deps: ReadDeps) => Promise<Resolution>

const waysFor = (text: string, by: 'any' | 'id'): readonly Way[] => {
  if (/^https?:\/\//i.test(text)) return [byUrl]
  if (by === 'id') return [byId, byEmitted]
  return idLike.test(text) ? [byId, byName, byEmitted] : [byName, byId, byEmitted]
}

/** A path, a slug, a URL of another host: no request can ask for it, so it is searched among all objects. */
const byEmitted: Way = async (context, finder, { value, filters }, deps) => {
  if (finder.all === undefined) return { kind: 'none' }
  const { operation, listing, identity } = finder.all
  const { query: own = {}, ...rest } = operation
  const whole = { ...rest, query: withoutNames(finder, own) }
  const query = withoutNames(finder, { ...listing.query, ...(filters as Readonly<Record<string, string>>) })
  const scope = objectScope(context, filters, {})
  // A list below an object that is not named cannot be asked for.
  if (!buildRead(context, whole, scope, query).ok) return { kind: 'none' }
  const listed = await itemsAmong(
    await listItems(context, { ...listing, query }, whole, scope, deps, identity),
    (items) => items.filter((item) => finder.isThere(item) && finder.isEmitted(item, value) && isWithin(item, filters)),
  )
  const found = onlyOne(listed, 'are shown as it')
  if (found.kind !== 'unknown' || found.reason === 'ambiguous') return found
  return { ...found, detail: `none has that name or id, and not all could be listed: ${found.detail}` }
}

/** A filter by the name would leave out what is looked for by something else. */
const withoutNames = <Value extends Json>(
  { variables }: Finder,
  query: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([, value]) => !variablesOf(value).some(([first]) => variables.includes(String(first))),
    ),
  )

const onlyOne = (listed: Items, words: string): Resolution => {
  if (listed.kind !== 'items') return listed.kind === 'absent' ? { kind: 'none' } : listed
  const [only, ...others] = listed.items
  if (only === undefined) return { kind: 'none' }
  if (others.length === 0) return { kind: 'found', object: only }
  return unknowns.severalFound(listed.items.length, words)
}

/** Behind a proxy an API may show URLs of a host of its own: nothing is sent there, but one that it shows is known. */
const byUrl: Way = async (context, finder, question, deps) => {
  const target = answerUrl(String(question.value), context.baseUrl)
  if (!target.ok) {
    const known = await byEmitted(context, finder, question, deps)
    return known.kind === 'found' ? known : unknowns.unresolved(`it is ${target.detail}`)
  }
  const operation: Operation = finder.byId ?? { method: 'GET', path: '/' }
  const built = buildRequest(context, { ...operation, method: 'GET', path: '/', query: {} }, () => undefined)
  return built.ok
    ? askForOne(context, finder, operation, { ...built.request, url: target.url }, deps)
    : unresolved(built)
}

const byId = async (
  context: TypeContext,
  finder: Finder,
  { value, filters }: Question,
  deps: ReadDeps,
): Promise<Resolution> => {
  if (finder.byId === undefined) return { kind: 'none' }
  const built = buildRead(context, finder.byId, scopeFor(context, finder, value, filters))
  if (!built.ok) return { kind: 'none' }
  // A server that takes no such text for an id says so by a status of its own.
  const absent = [...(finder.byId.absent ?? finder.absent), ...noSuchId]
  return askForOne(context, finder, { ...finder.byId, absent }, built.request, deps)
}

const noSuchId = [400, 404, 422]

const byName = async (
  context: TypeContext,
  finder: Finder,
  { value, filters }: Question,
  deps: ReadDeps,
): Promise<Resolution> => {
  if (finder.byName === undefined) return { kind: 'none' }
  const { operation, listing, identity } = finder.byName
  const scope = scopeFor(context, finder, value, filters)
  if (listing === undefined) {
    const built = buildRead(context, operation, scope)
    if (!built.ok) return unresolved(built)
    const found = await askForOne(context, finder, operation, built.request, deps)
    return found.kind === 'found' && !finder.isNamed(found.object, value) ? { kind: 'none' } : found
  }
  const query = { ...listing.query, ...(filters as Readonly<Record<string, string>>) }
  const listed = await itemsAmong(
    await listItems(context, { ...listing, query }, operation, scope, deps, identity),
    (items) =>
      items.filter(
        (item) =>
          finder.isThere(item) &&
          (finder.isNamed(item, value) || finder.isEmitted(item, value)) &&
          isWithin(item, filters),
      ),
  )
  return onlyOne(listed, 'are called so')
}

const scopeFor = (context: TypeContext, { variables }: Finder, value: Json, filters: JsonObject) =>
  objectScope(context, filters, Object.fromEntries(variables.map((name) => [name, value])))

/** A filter that the server ignores is found out where its items show what it is about. */
const isWithin = (item: JsonObject, filters: Readonly<Record<string, Json>>): boolean =>
  Object.entries(filters).every(([name, wanted]) => {
    const observed = valueAt(item, [name])
    return (
      observed === undefined || observed === null || typeof observed === 'object' || String(observed) === String(wanted)
    )
  })

const askForOne = async (
  context: TypeContext,
  finder: Finder,
  operation: Operation,
  request: Request,
  deps: ReadDeps,
): Promise<Resolution> => {
  const absent = operation.absent ?? finder.absent
  const answer = await ask(context, operation, request, absent, deps)
  if (answer.kind !== 'answer') return answer.kind === 'absent' ? { kind: 'none' } : answer
  const place = pathOf(operation.answer ?? '')
  const object = valueAt(answer.response.body, place)
  if (object === null && absent.includes(null)) return { kind: 'none' }
  if (!isObject(object))
    return badBody(request, listFaults.notAList(kindOf(object), `an object at "${toPointer(place)}"`))
  return finder.isThere(object) ? { kind: 'found', object } : { kind: 'none' }
}
