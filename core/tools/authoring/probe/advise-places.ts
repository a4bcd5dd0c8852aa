import { valueAt } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { present } from '../../../engine/values/defined.ts'
import { sameValue } from '../../../providers/rest/document/attributes.ts'
import { shownIds } from '../../../providers/rest/document/document.ts'
import type { Operation } from '../../../providers/rest/document/operation.ts'
import { pathOf } from '../../../providers/rest/document/template.ts'
import { flow } from '../init/draft/yaml.ts'
import { placeText } from '../init/find/names.ts'
import type { ProbedType } from './choose-types.ts'
import { advice } from './words.ts'

export interface ObservedAnswer {
  readonly isRead: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

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

const adviseList = ({ resource }: ProbedType, place: Path): string | undefined => {
  const { lookup, discover, operations } = resource
  if (!('list' in lookup)) return undefined
  const op: Operation | undefined = operations[lookup.list.op ?? 'list']
  const inner = within(place, op?.answer)
  const text = inner && placeText(inner)
  if (text === undefined || text === '' || text === (lookup.list.items ?? '')) return undefined
  const places = present('lookup.list', discover !== undefined && 'discover')
  return advice.list(text, flow(text), places)
}

const adviseObject = ({ resource }: ProbedType, place: Path): string | undefined => {
  const read = resource.parts[0]?.read ?? 'retrieve'
  const op = typeof read === 'string' ? read : read.op
  const text = placeText(place)
  if (place.length === 0 || text === (resource.operations[op]?.answer ?? '')) return undefined
  return advice.object(text, flow(text), op)
}

const adviseFound = (probed: ProbedType, { place, item }: MembersPlace): string | undefined => {
  if (item === undefined) return adviseObject(probed, place)
  if (item.length === 0) return adviseList(probed, place)
  return advice.insideItem(placeText(item))
}

/**
 * Finds the place, in the responses, of what could not be read; `undefined` if they do not contain it, or the document
 * already names it.
 */
export const adviseReading = (
  probed: ProbedType,
  spec: JsonObject,
  answers: readonly ObservedAnswer[],
): string | undefined => {
  const bodies = answers.flatMap(({ isRead, body }) => (isRead ? [body] : [])).toReversed()
  for (const body of bodies) {
    const found = findObject(body, isMade(probed, spec))
    const said = found && adviseFound(probed, found)
    if (said !== undefined) return said
  }
  const list = bodies.map((body) => findList(body)).find((place) => place !== undefined)
  return list === undefined ? undefined : adviseList(probed, list)
}

export const adviseIds = (
  probed: ProbedType,
  spec: JsonObject,
  answers: readonly ObservedAnswer[],
): string | undefined => {
  const { serverId = {}, operations } = probed.resource
  const [name] = Object.keys(serverId)
  const created = answers.findLast(({ isRead }) => !isRead)
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
  const { produces = {}, answer = '', wait } = probed.resource.operations['create'] ?? {}
  const body = answers.findLast(({ isRead }) => !isRead)?.body
  // An object that is waited for may get its ids later.
  if (body === undefined || wait !== undefined || probed.resource.wait !== undefined) return undefined
  const isWrong = Object.entries(produces).some(([name, place]) => {
    if (typeof place !== 'string' || ids[name] === undefined) return false
    return String(valueAt(body, [...pathOf(answer), ...pathOf(place)]) ?? '') !== ids[name]
  })
  return isWrong ? adviseIds(probed, spec, answers) : undefined
}
