import { pathText, valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Response } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { PresentResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { failureWords } from '../../../engine/transport/answer/answer-errors.ts'
import { defined } from '../../../engine/values/defined.ts'
import { escapeMarks } from '../../../engine/values/marks/marks.ts'
import { mapMembers, pick, unlessEmpty } from '../../../engine/values/members.ts'
import { holdsState } from '../../../engine/values/scalars.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { type Entries, entriesIn, entriesOf, placeIn, sameValue } from '../document/attributes.ts'
import { besideName, besideObject } from '../document/beside-envelope.ts'
import { isCreateAgain, type RestResource, readOp, shownIds } from '../document/document.ts'
import type { Lock } from '../document/lock.ts'
import type { ResourcePart } from '../document/part.ts'
import { ownMembers, replacedMembers } from '../document/replaced-place.ts'
import { names, pathOf, pointerOf } from '../document/shared/template.ts'
import type { TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { permissionText } from '../request/permission.ts'
import { rawValue } from '../request/raw-value.ts'
import { lackIn } from '../request/whole-answer.ts'
import type { FoundObject } from './find-object.ts'
import { listedEntries } from './shared/item-identity.ts'
import { type Answered, spelledObject } from './shared/spelled-numbers.ts'
import { doubts, unknowns } from './shared/words.ts'

/** Whether requests are made from the whole object, or from its shape, or put another one in its place. */
const needsObject = (resource: RestResource, part: ResourcePart): boolean => {
  const { write, collection } = part
  const calls = Object.values(resource.actions ?? {})
  if (collection?.write !== undefined || calls.some((call) => replaces(resource, part, call))) return true
  const entries = Object.entries(entriesOf(part))
  const holdsMore = entries.some(
    ([name, entry]) => holdsMoreThanItSays(entry) || isInside(entry, name) || isRespelled(entry),
  )
  if (write === undefined) return holdsMore && calls.length > 0
  const isWhole = ['object', 'jsonPatch', 'mergePatch', 'full'].includes(write.send) || replaces(resource, part, write)
  return isWhole || write.create !== undefined || holdsMore
}

const replaces = (
  resource: RestResource,
  part: ResourcePart,
  { op, body }: { readonly op: string; readonly body?: Json | undefined },
): boolean => {
  const operation = resource.operations[op]
  if (operation === undefined) return false
  if (operation.method === 'PUT' || isCreateAgain(resource, operation)) return true
  const template = body ?? operation.body
  if (template === undefined) return false
  return [replacedMembers, ownMembers].some((placesIn) => placesIn(resource, part, operation, template).length > 0)
}

/** A value in an object of which an answer may have more. */
const isInside = (entry: AttributeEntry, name: string): boolean => !entry.computed && placeIn(entry, name).length > 1

/** A value that would come back in another spelling than it was read in. */
const isRespelled = (entry: AttributeEntry): boolean =>
  entriesIn(entry).some(
    ({ as: form, normalise, cases, computed }) => computed !== true && (form ?? normalise ?? cases) !== undefined,
  )

/** Whether a body names an id of the server: the object shows whether that is a number. */
const sendsIds = (resource: RestResource): boolean => {
  const known = idSenders.get(resource)
  if (known !== undefined) return known
  const ids = Object.keys(shownIds(resource))
  const sends = Object.values(resource.operations).some(
    ({ body }) => body !== undefined && ids.some((id) => names(body, id)),
  )
  idSenders.set(resource, sends)
  return sends
}

const idSenders = new WeakMap<RestResource, boolean>()

/** A container that is written whole, of which an answer may have more than the document names. */
const holdsMoreThanItSays = ({ type, element, computed, partial }: AttributeEntry): boolean => {
  if (computed === true) return false
  if (type === 'list' || type === 'set') return element !== undefined && holdsMoreThanItSays(element)
  return type === 'object' || type === 'map' || partial === true
}

/** What the writes of the parts need from their reads besides attributes, and nothing else. */
export const keptOf = (
  { resource }: TypeContext,
  answers: readonly (Answered & { readonly part: ResourcePart })[],
): Pick<PresentResult, 'objects' | 'versions'> => {
  const { lock, operations } = resource
  const byPart = <Kept>(keep: (answer: (typeof answers)[number]) => Kept | undefined): Record<string, Kept> =>
    mapMembers(Object.fromEntries(answers.map((each) => [each.part.name, each])), keep)
  const objects = byPart(({ part, ...answer }) =>
    needsObject(resource, part) || sendsIds(resource)
      ? exactObject(operations[readOp(part)]?.answer ?? '', answer)
      : undefined,
  )
  const beside = answers.flatMap(({ part, response }) => {
    const others = besideObject(resource, part, response?.body)
    return others === undefined ? [] : [[besideName(part), escapeMarks(others) as JsonObject] as const]
  })
  const versions = byPart(({ object, response }) => lock && versionOf(lock, object, response))
  return defined({
    objects: unlessEmpty({ ...objects, ...Object.fromEntries(beside) }),
    versions: unlessEmpty(versions),
  })
}

/** A weak validator cannot be compared as If-Match does, unless the document knows better. */
const versionOf = (lock: Lock, object: JsonObject, response: Response | undefined): Json | undefined => {
  if ('field' in lock) return valueAt(object, pathOf(lock.field))
  const name = lock.etag === true ? 'etag' : lock.etag.toLowerCase()
  const tag = response?.headers[name] ?? response?.trailers?.[name]
  return tag === undefined || tag === '' || (tag.startsWith('W/') && !lock.weak) ? undefined : tag
}

/** As the answer's source wrote it: foreign marks escaped, numbers that JavaScript cannot spell marked. */
const exactObject = (answer: string, answered: Answered): JsonObject =>
  escapeMarks(spelledObject(answered, answer)) as JsonObject

/** Attributes that only some callers see. Where one of them is shown, the caller is such a one. */
export const hiddenIn = (part: ResourcePart, object: JsonObject): Readonly<Record<string, UnknownResult>> => {
  const entries = Object.entries(entriesOf(part)).filter(([, { shownWith }]) => shownWith !== undefined)
  const told = new Set(
    entries.flatMap(([name, entry]) =>
      rawValue(entry, name, object) === undefined ? [] : permissionText(entry.shownWith),
    ),
  )
  return Object.fromEntries(
    entries.flatMap(([name, { shownWith }]) => {
      const permission = permissionText(shownWith) ?? ''
      return told.has(permission) ? [] : [[name, unknowns.hiddenAttribute(name, permission)]]
    }),
  )
}

/** The keys that an item of the list of `lookup` shows. */
const listedKeys = (context: TypeContext, item: JsonObject): JsonObject => {
  const { lookup } = context.resource
  return 'match' in lookup ? decodeAll(pick(listedEntries(context), lookup.match), item) : {}
}

/**
 * Why the answers of an object's parts are not one whole object: an answer lacks attributes that the document promises, or is
 * about another object than the ones before.
 */
export const agreeingAnswers = (
  context: TypeContext,
  found: Answered,
): ((part: ResourcePart, answer: Answered) => string | undefined) => {
  const { resource } = context
  const told: Record<string, Json> = found.response === undefined ? { ...listedKeys(context, found.object) } : {}
  return (part, { object, response }) => {
    const entries = entriesOf(part)
    // An answer that came alone was looked at when it came.
    const lack = response === undefined ? lackIn(resource, entries, object, undefined) : undefined
    if (lack !== undefined) return doubts.lacking(lack)
    const observed = decodeAll(entries, object)
    for (const key of resource.identity.keys) {
      const [entry, value, before] = [entries[key], observed[key], told[key]]
      if (entry === undefined || value === undefined) continue
      if (before !== undefined && !sameValue(entry, before, value)) return doubts.otherKey(key)
      told[key] = value
    }
    return undefined
  }
}

/**
 * A scalar that has the desired value in another type: `5432` and `"5432"` would differ for ever, for no visible reason.
 * The words say what the document has to say instead.
 */
export const findMistyped = (
  entries: Entries,
  desired: JsonObject,
  observed: JsonObject,
  path: readonly string[] = [],
): string | undefined => {
  for (const [name, entry] of Object.entries(entries)) {
    const [ours, there] = [desired[name], observed[name]]
    if (ours === undefined || there === undefined) continue
    const here = [...path, name]
    const found =
      entry.attributes !== undefined && isPlain(ours) && isPlain(there)
        ? findMistyped(entry.attributes, ours, there, here)
        : mistyped(entry, ours, there, pathText(here))
    if (found !== undefined) return found
  }
  return undefined
}

const isPlain = (value: Json): value is JsonObject => isObject(value) && !isMark(value)

const mistyped = (entry: AttributeEntry, desired: Json, observed: Json, where: string): string | undefined => {
  if (!['string', 'number', 'boolean'].includes(entry.type)) return undefined
  if (!isScalar(desired) || !isScalar(observed) || typeof desired === typeof observed) return undefined
  if (String(desired) !== String(observed) || sameValue(entry, desired, observed)) return undefined
  return doubts.otherType(where, observed, entry.type)
}

const isScalar = (value: Json): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/**
 * Why the state of an object makes it unchecked. While another change is in progress its attributes move. In a state of error
 * they may be as desired and the object is not; that does not matter for an object that is to be deleted.
 */
export const classifyState = (
  { resource }: TypeContext,
  { leaving }: Target,
  { object, ids }: Pick<FoundObject, 'object' | 'ids'>,
): UnknownResult | undefined => {
  const { states } = resource.lifecycle ?? {}
  const state = states && valueAt(object, pathOf(states.at))
  if (states === undefined || state === undefined || state === null) return undefined
  const known = defined({ ids: unlessEmpty(ids) })
  if (holdsState(states.busy ?? [], state)) return { ...unknowns.busy(spellValue(state)), ...known }
  if (leaving || !holdsState(states.error ?? [], state)) return undefined
  const message = [states.message ?? []].flat().map((place) => pointerOf(place))
  return { ...unknowns.erred(spellValue(state), failureWords({ message }, object)), ...known }
}
