import { valueAt } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import type { WireRequest } from '../../../engine/transport/transport.ts'
import { present } from '../../../engine/values/defined.ts'
import { sameValue } from '../../../providers/rest/document/attributes.ts'
import { readOp, shownIds } from '../../../providers/rest/document/document.ts'
import type { Operation } from '../../../providers/rest/document/operation/operation.ts'
import { pathOf } from '../../../providers/rest/document/shared/template.ts'
import { flow } from '../init/draft/yaml.ts'
import { placeText } from '../init/find/names.ts'
import type { ProbedType } from './choose-types.ts'
import { advice } from './words.ts'

export interface ObservedAnswer {
  readonly request: Pick<WireRequest, 'method' | 'url' | 'body'>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** Whether it answers this operation: a sign-in, a read of the caller or of another type says nothing of it. */
export const isAnswerTo = (operation: Operation | undefined, { request }: ObservedAnswer): boolean => {
  if (operation === undefined || operation.method !== request.method) return false
  if (operation.graphql === true) return queryOf(request.body)?.replaceAll(/[{}]/g, '$&$&') === queryOf(operation.body)
  const [path = ''] = operation.path.split('?')
  const pattern = path
    .split(/\{[^}]*\}/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+')
  return new RegExp(`${pattern}$`).test(new URL(request.url).pathname)
}

const queryOf = (body: Json | undefined): string | undefined =>
  isObject(body) && typeof body['query'] === 'string' ? body['query'] : undefined

const bodiesOf = (answers: readonly ObservedAnswer[], operation: Operation | undefined): readonly Json[] =>
  answers.filter((each) => isAnswerTo(operation, each)).map(({ body }) => body)

/** The members around an object. With `item`, `place` leads to a list, and `item` into each of its elements. */
interface MembersPlace {
  readonly place: Path
  readonly item?: Path
}

const deepest = 4

const findObject = (body: Json, isIt: (object: JsonObject) => boolean, depth = 0): MembersPlace | undefined => {
  if (isArray(body)) {
    const inner = body.map((each) => findObject(each, isIt, depth + 1)).find((found) => found !== undefined)
    return inner === undefined || inner.item !== undefined ? undefined : { place: [], item: inner.place }
  }
  if (!isObject(body)) return undefined
  if (isIt(body)) return { place: [] }
  if (depth === deepest) return undefined
  for (const [member, value] of Object.entries(body)) {
    const inner = findObject(value, isIt, depth + 1)
    if (inner !== undefined) return { ...inner, place: [member, ...inner.place] }
  }
  return undefined
}

const findList = (body: Json, depth = 0): Path | undefined => {
  if (isArray(body)) return []
  if (!isObject(body) || depth === deepest) return undefined
  const [only, ...others] = Object.entries(body).flatMap(([member, value]) => {
    const inner = findList(value, depth + 1)
    return inner === undefined ? [] : [[member, ...inner]]
  })
  return others.length === 0 ? only : undefined
}

/** Tells whether an object has the identity of the created one. Keys that are only in the URL are not compared. */
const isMade =
  ({ resource, entries }: ProbedType, spec: JsonObject) =>
  (object: JsonObject): boolean => {
    const keys = resource.identity.keys.filter((key) => entries[key]?.in !== 'path')
    return (
      keys.length > 0 &&
      keys.every((key) => {
        const entry = entries[key]
        const read = valueAt(object, pathOf(entry?.path ?? key))
        return entry !== undefined && read !== undefined && sameValue(entry, spec[key], read)
      })
    )
  }

/** Places start at `answer`, if the operation has one. */
const within = (place: Path, answer = ''): Path | undefined => {
  const around = pathOf(answer)
  return around.every((step, index) => step === place[index]) ? place.slice(around.length) : undefined
}

const listOperation = ({ resource: { lookup, operations } }: ProbedType): Operation | undefined =>
  'list' in lookup ? operations[lookup.list.op] : undefined

const adviseList = (probed: ProbedType, place: Path): string | undefined => {
  const { lookup, discover } = probed.resource
  if (!('list' in lookup)) return undefined
  const inner = within(place, listOperation(probed)?.answer)
  const text = inner && placeText(inner)
  if (text === undefined || text === '' || text === (lookup.list.items ?? '')) return undefined
  const places = present('lookup.list', discover !== undefined && 'discover')
  return advice.list(text, flow(text), places)
}

/** The operation that reads the object itself. */
const readOperation = ({ resource: { parts, operations } }: ProbedType): [string, Operation | undefined] => {
  const op = parts[0] === undefined ? 'retrieve' : readOp(parts[0])
  return [op, operations[op]]
}

const adviseObject = (probed: ProbedType, place: Path): string | undefined => {
  const [op, operation] = readOperation(probed)
  const text = placeText(place)
  return place.length === 0 || text === (operation?.answer ?? '') ? undefined : advice.object(text, flow(text), op)
}

/**
 * Finds the place, in the responses, of what could not be read; `undefined` if they do not contain it, or the document
 * already names it. Only an answer to the list tells where the list is, and only one to the read where the object is.
 */
export const adviseReading = (
  probed: ProbedType,
  spec: JsonObject,
  answers: readonly ObservedAnswer[],
): string | undefined => {
  const lists = bodiesOf(answers, listOperation(probed)).toReversed()
  for (const body of lists) {
    const found = findObject(body, isMade(probed, spec))
    if (found?.item === undefined) continue
    const said = found.item.length === 0 ? adviseList(probed, found.place) : advice.insideItem(placeText(found.item))
    if (said !== undefined) return said
  }
  for (const body of bodiesOf(answers, readOperation(probed)[1]).toReversed()) {
    const found = findObject(body, isMade(probed, spec))
    const said = found !== undefined && found.item === undefined ? adviseObject(probed, found.place) : undefined
    if (said !== undefined) return said
  }
  const list = lists.map((body) => findList(body)).find((place) => place !== undefined)
  return list === undefined ? undefined : adviseList(probed, list)
}

export const adviseIds = (
  probed: ProbedType,
  spec: JsonObject,
  answers: readonly ObservedAnswer[],
): string | undefined => {
  const { serverId = {}, operations } = probed.resource
  const [name] = Object.keys(serverId)
  const created = answers.findLast((each) => isAnswerTo(operations['create'], each))
  if (name === undefined || created === undefined) return undefined
  const { answer, produces } = operations['create'] ?? {}
  const shown = pathOf(shownIds(probed.resource)[name] ?? name)
  const hasId = (object: JsonObject): boolean => ['string', 'number'].includes(typeof valueAt(object, shown))
  const isIt = isMade(probed, spec)
  const found = findObject(created.body, (object) => isIt(object) && hasId(object)) ?? findObject(created.body, hasId)
  const place = found === undefined || found.item !== undefined ? undefined : within([...found.place, ...shown], answer)
  const header = Object.keys(created.headers).find((each) => each.toLowerCase() === 'location')
  const source: Json | undefined = place === undefined ? header && { header: 'Location' } : placeText(place)
  if (source === undefined) return produces === undefined ? undefined : advice.noId(name)
  if (JSON.stringify(produces?.[name]) === JSON.stringify(source)) return undefined
  const text = typeof source === 'string' ? flow(source) : '{ header: Location }'
  return advice.id(name, `{ ${flow(name)}: ${text} }`)
}

/**
 * Finds the place of the ids in the response to a create, for an object that was found anyway, if `produces` names
 * another place.
 */
export const adviseWrongIds = (
  probed: ProbedType,
  spec: JsonObject,
  ids: Readonly<Record<string, string>>,
  answers: readonly ObservedAnswer[],
): string | undefined => {
  const { create } = probed.resource.operations
  const { produces = {}, answer = '', wait } = create ?? {}
  const body = bodiesOf(answers, create).at(-1)
  // An object that is waited for may get its ids later.
  if (body === undefined || wait !== undefined || probed.resource.wait !== undefined) return undefined
  const isWrong = Object.entries(produces).some(([name, place]) => {
    if (typeof place !== 'string' || ids[name] === undefined) return false
    return String(valueAt(body, [...pathOf(answer), ...pathOf(place)]) ?? '') !== ids[name]
  })
  return isWrong ? adviseIds(probed, spec, answers) : undefined
}
