import { valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Response } from '../../../engine/schema/command.ts'
import { isArray, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { ReadResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { isNumberMark } from '../../../engine/schema/value.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import { defined } from '../../../engine/values/defined.ts'
import { mapMembers, pick, unlessEmpty } from '../../../engine/values/members.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'
import { allEntries, applies, entriesOf } from '../document/attributes.ts'
import { type Ids, isKept, isListed, lookupOp, type RestResource, readOp } from '../document/document.ts'
import type { ResourcePart } from '../document/part.ts'
import { namesMembers } from '../document/references.ts'
import { fill, pathOf, type Scope } from '../document/shared/template.ts'
import { askForObject, isRefusal } from '../request/ask.ts'
import { objectScope, type ReadContext, type TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { encodeEach } from '../request/encode.ts'
import { readInBulk } from './bulk.ts'
import { sightOf } from './caller/ask-sight.ts'
import { proveContainers, withContainers } from './containers.ts'
import { listedWithin } from './discover-objects.ts'
import { type FoundObject, findListed, findObject, identified } from './find-object.ts'
import { itemsAmong, type List, listItems, listOf } from './lists/list-items.ts'
import { readWholeList } from './lists/read-whole-list.ts'
import { agreeingAnswers, classifyState, findMistyped, hiddenIn, keptOf } from './part-answers.ts'
import type { ItemIdentity } from './shared/item-identity.ts'
import { type Answered, largeSpelled } from './shared/spelled-numbers.ts'
import { unknowns } from './shared/words.ts'
import { isNeededFor, isSpared } from './spared-parts.ts'

type PartObject =
  | { readonly kind: 'object'; readonly object: JsonObject; readonly response?: Response }
  | { readonly kind: 'absent'; readonly status?: number }
  | UnknownResult

/** Reads an object: if lists of many objects show that it is as declared, it is not asked for by itself. */
export const readResource = async (context: ReadContext, target: Target): Promise<ReadResult> =>
  (await readInBulk(context, target, readInPlace)) ?? readInPlace(context, target)

/**
 * Reads an object where it was: in the objects that contain it. These are proven last: what was read before was in them, and
 * nothing is between this proof and a write that follows the read.
 */
const readInPlace = async (context: ReadContext, target: Target): Promise<ReadResult> => {
  const { noList, ...result } = await readContained(context, target)
  const shown = result.kind === 'present' ? result.attributes : undefined
  const containers = await proveContainers(context, target, shown)
  if (containers.kind === 'proven') {
    const around = listedWithin(context, { op: lookupOp(context.resource) })
    const isAround = around.length > 0 && around.every((name) => containers.ids[name] !== undefined)
    // What is there has a list of its contents, if only an empty one: an API that hides answers as if it had none.
    if (noList && isAround && sightOf(context).sight !== undefined) return unknowns.hiddenList(around.join(', '))
    return withContainers(result, containers)
  }
  // What failed first says more, unless it was read in another object.
  return result.kind === 'unknown' && containers.reason !== 'other_parent' ? result : containers
}

/** Finds the object and reads its parts. Parts with the same read operation share one answer. */
const readContained = async (
  context: ReadContext,
  target: Target,
): Promise<ReadResult & { readonly noList?: true }> => {
  const kept = isKept(context.resource)
  if (kept && target.leaving) return unknowns.neverDeleted()
  const found = await findObject(context, target)
  if (found.kind === 'absent' && kept) {
    return target.coming && !isReference(context.resource) ? { kind: 'absent' } : unknowns.neverCreated()
  }
  if (found.kind === 'unknown') return found
  if (found.kind === 'found') return readFound(context, target, found)
  if (found.archived === undefined || target.ids !== undefined) {
    return { kind: 'absent', ...defined({ noList: found.noList }) }
  }
  // In which state it was given up does not matter, as long as nothing is under way.
  const archived = await readFound(context, { ...target, leaving: true }, found.archived)
  if (archived.kind !== 'present') return archived
  const { attributes, ids, versions, objects } = archived
  return { kind: 'absent', archived: { attributes, ...defined({ ids, versions, objects }) } }
}

/** Reads the parts of an object that was found. */
const readFound = async (context: ReadContext, target: Target, found: FoundObject): Promise<ReadResult> => {
  const standing = classifyState(context, target, found)
  if (standing !== undefined) return standing
  const attributes = identified(context, target.attributes)
  const { object, op, response, ids } = found
  const first: PartObject = { kind: 'object', object, ...defined({ response }) }
  const answers = new Map<string, PartObject>([[op, first]])
  const read: JsonObject[] = [urlAttributes(context, attributes)]
  const whole: (Answered & { readonly part: ResourcePart })[] = []
  const unread: Record<string, UnknownResult> = {}
  const agreeing = agreeingAnswers(context, found)
  // Somebody may have given it another name.
  const own = { ...attributes, ...shownKeys(context, object) }
  const asked = { desired: encodeEach(allEntries(context.resource), target.attributes) }
  for (const part of context.resource.parts) {
    const key = typeof part.read === 'string' ? part.read : JSON.stringify(part.read)
    const observed = Object.assign({}, ...read) as JsonObject
    if (target.only !== undefined && !answers.has(key) && !isNeededFor(context, part, target.only)) continue
    if (!applies(context.resource, part, observed) || isSpared(context, part, target.attributes, observed)) continue
    const answer = answers.get(key) ?? (await readSeen(context, part, { attributes: own, ids, asked }))
    answers.set(key, answer)
    if (answer.kind === 'unknown') {
      if (!isRefusal(answer) || target.leaving || isIdentifying(context, part)) return answer
      for (const name of Object.keys(entriesOf(part))) unread[name] = answer
      continue
    }
    const doubt = answer.kind === 'absent' ? undefined : agreeing(part, answer)
    if (doubt !== undefined) return unknowns.doubtfulPart(part.name, doubt)
    const decoded = answer.kind === 'absent' ? {} : decodePart(context.resource, part, answer)
    if (decoded === undefined) return unknowns.noCollection(part.collection?.field ?? part.name)
    if (part.collection?.plain && holdsObjects(decoded[part.collection.field]))
      return unknowns.notPlain(part.collection.field)
    read.push(decoded, toldBy(part, answer))
    if (answer.kind === 'object') {
      Object.assign(unread, hiddenIn(part, answer.object))
      whole.push({ ...answer, part })
    }
  }
  const observed = Object.assign({}, ...read) as JsonObject
  const mistyped = findMistyped(allEntries(context.resource), target.attributes, observed)
  if (mistyped !== undefined) return unknowns.mistyped(mistyped)
  const known = defined({
    ids: unlessEmpty(ids),
    object: namesMembers(context) ? object : undefined,
    unread: unlessEmpty(withDoubtful(context, unread)),
  })
  return { kind: 'present', attributes: observed, ...known, ...keptOf(context, whole) }
}

/** Whether an attribute applies is not known either if its condition could not be read. */
const withDoubtful = ({ resource }: TypeContext, unread: Readonly<Record<string, UnknownResult>>) => ({
  ...mapMembers(
    allEntries(resource),
    ({ appliesWhen = {} }) => Object.values(pick(unread, Object.keys(appliesWhen)))[0],
  ),
  ...unread,
})

/** Without its keys it is not known which object it is. */
const isIdentifying = ({ resource }: TypeContext, part: ResourcePart): boolean =>
  Object.entries(entriesOf(part)).some(
    ([name, { in: where }]) => where !== 'path' && resource.identity.keys.includes(name),
  )

const isReference = ({ lifecycle }: RestResource): boolean => lifecycle?.mode === 'reference'

/** What the URL says about the object, for answers that leave it out. */
const urlAttributes = ({ resource }: TypeContext, attributes: JsonObject): JsonObject =>
  mapMembers(allEntries(resource), (entry, name) => (entry.in === 'path' ? attributes[name] : undefined))

/** What an answer says by its status alone. */
const toldBy = ({ read }: ResourcePart, { kind }: PartObject): JsonObject =>
  typeof read === 'string' || read.exists === undefined ? {} : { [read.exists]: kind === 'object' }

/** APIs answer 404 for what they hide too: it means that a part is missing only where the caller sees everything. */
const readSeen = async (...given: Parameters<typeof readPart>): Promise<PartObject> => {
  const [context, part] = given
  const answer = await readPart(...given)
  const { sight } = sightOf(context)
  if (answer.kind !== 'absent' || answer.status !== 404 || sight === undefined) return answer
  const seen = await sight(context)
  return seen.kind === 'clear' ? answer : unknowns.hiddenPart(part.name, seen.detail)
}

/** The keys of an object as it shows them. */
const shownKeys = ({ resource }: TypeContext, object: JsonObject): JsonObject => {
  const keys = pick(allEntries(resource), resource.identity.keys)
  const shown = mapMembers(keys, (entry) => (entry.in === 'path' ? undefined : entry))
  return mapMembers(decodeAll(shown, object), (value) => (typeof value === 'object' ? undefined : value))
}

interface ReadQuestion {
  readonly attributes: JsonObject
  readonly ids: Ids
  /** More variables. */
  readonly asked: JsonObject
}

const readPart = (
  context: ReadContext,
  part: ResourcePart,
  { attributes, ids, asked }: ReadQuestion,
): Promise<PartObject> => {
  if (isListed(context.resource, part)) return readListed(context, attributes, ids)
  const scope = objectScope(context, attributes, ids, asked)
  const {
    op,
    absent,
    select,
    list: whole,
    exists,
  } = typeof part.read === 'string' ? { op: part.read, absent: [] } : part.read
  if (whole !== undefined) {
    const listing = { op, absent, items: whole.items, ...defined({ also: whole.also }) }
    return readWholeList(context, { listing, as: whole.as, collection: part.collection }, scope)
  }
  if (exists !== undefined) return askForObject(context, op, scope, absent, { existence: true })
  if (select === undefined) return askForObject(context, op, scope, absent)
  const { holds } = select
  const where = searchValues(select.where, scope)
  const inner = holds && { in: holds.in, where: searchValues(holds.where, scope) }
  const element: ElementSearch = { where, ...defined({ inner }) }
  const list = listOf(context, { op, absent, items: select.in }, elementIdentity(op, element))
  return readElement(context, list, element, scope)
}

/** However the object was found, here it is what the list shows of it. */
const readListed = async (context: ReadContext, attributes: JsonObject, ids: Ids): Promise<PartObject> => {
  const found = await findListed(context, attributes, ids)
  if (found.kind === 'found') return { kind: 'object', object: found.object }
  if (found.kind === 'unknown') return found
  return unknowns.notListed()
}

/** What tells one element of a list from the others; `inner`: an element of its own list at a place. */
interface ElementSearch {
  readonly where: Values
  readonly inner?: { readonly in: string; readonly where: Values }
}

/** Values by their places; `spelled`: those that come from variables, which hold ids as text. */
interface Values {
  readonly values: JsonObject
  readonly spelled: readonly string[]
}

const searchValues = (templates: JsonObject, scope: Scope): Values => {
  const values = fill(templates, scope) as JsonObject
  return { values, spelled: Object.keys(values).filter((at) => !isSame(templates[at] ?? null, values[at] ?? null)) }
}

const holdsValues = (item: Json, { values, spelled }: Values): boolean =>
  Object.entries(values).every(([at, value]) => {
    const shown = valueAt(item, pathOf(at)) ?? null
    return (
      isSame(value, spelled.includes(at) && typeof shown === 'number' ? String(shown) : shown) || isSame(value, shown)
    )
  })

const isSought = (item: JsonObject, { where, inner }: ElementSearch): boolean => {
  if (!holdsValues(item, where)) return false
  if (inner === undefined) return true
  const list = valueAt(item, pathOf(inner.in))
  return isArray(list) && list.some((each) => holdsValues(each, inner.where))
}

/** An element that does not show what it is chosen by could be the one. */
const elementIdentity = (op: string, { where: { values }, inner }: ElementSearch): ItemIdentity => ({
  label: `elements of ${op} by ${JSON.stringify([Object.keys(values), inner?.in])}`,
  lacks: (item) => {
    const place = Object.keys(values).find((each) => values[each] !== null && valueAt(item, pathOf(each)) === undefined)
    return place ?? (inner !== undefined && !isArray(valueAt(item, pathOf(inner.in))) ? inner.in : undefined)
  },
  same: () => undefined,
})

/** A value that hides in a list of something else. */
const readElement = async (
  context: ReadContext,
  list: List,
  element: ElementSearch,
  scope: Scope,
): Promise<PartObject> => {
  const found = await itemsAmong(await listItems(context, list, scope), (items) =>
    items.filter((item) => isSought(item, element)),
  )
  if (found.kind !== 'items') return found
  const [object, ...others] = found.items
  if (object === undefined) return { kind: 'absent' }
  if (others.length === 0) return { kind: 'object', object }
  return unknowns.severalElements(
    found.items.length,
    spellValue({ ...element.where.values, ...element.inner?.where.values }),
  )
}

/** A text of all of an element would name another one, or none. */
const holdsObjects = (list: Json | undefined): boolean =>
  isArray(list) && list.some((each) => typeof each === 'object' && each !== null && !isNumberMark(each))

/** `undefined` where a collection is not there: taking that for an empty one would create everything again. */
const decodePart = ({ operations }: RestResource, part: ResourcePart, answered: Answered): JsonObject | undefined => {
  const { object } = answered
  const decoded = decodeAll(entriesOf(part), largeSpelled(answered, operations[readOp(part)]?.answer))
  const { collection } = part
  if (collection === undefined) return decoded
  const missing = collection.default ?? (collection.leftOut === true ? [] : undefined)
  const observed = valueAt(object, pathOf(collection.path ?? collection.field)) ?? missing
  if (!isArray(observed)) return undefined
  return { ...decoded, [collection.field]: decoded[collection.field] ?? observed }
}
