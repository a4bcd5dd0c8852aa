import { toPointer } from '../../../../engine/json/pointer.ts'
import type { Problem } from '../../../../engine/schema/issue.ts'
import { isObject, type Path } from '../../../../engine/schema/json.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { type Entries, entriesOf, isSent } from '../../document/attributes.ts'
import { placeShown } from '../../document/body-values.ts'
import type { RestResource } from '../../document/document.ts'
import { listEntry } from '../../document/elements.ts'
import type { Collection, ResourcePart } from '../../document/part.ts'
import { wholePlace } from '../../document/replaced-place.ts'
import { names, pathOf } from '../../document/shared/template.ts'
import { type Findings, found, problem } from '../shared/problem.ts'

/*
 * A place under `drop` that no request can send back would be without effect: who wrote it would learn that from the target
 * only, or not at all.
 */

/** Places that the writes of a part do not send back. */
export const checkDropped = (resource: RestResource, part: ResourcePart): Findings => [
  checkPartDrops(resource, part),
  part.collection && found(['collection', 'write', 'drop'], checkListDrops(resource, part.collection)),
]

/** What a write sends back: the whole object, attributes with what is in them, or no more of objects than what differs. */
type DropWay = 'object' | 'attributes' | 'lists'

const checkPartDrops = (resource: RestResource, part: ResourcePart): Findings => {
  const { write } = part
  const operation = resource.operations[write?.op ?? '']
  if (write?.drop === undefined || operation === undefined) return []
  const { send, body = operation.body, keeps, drop } = write
  if (body !== undefined && !names(body, 'fields')) return problem(['write', 'drop'], 'dropsNothing')
  const isWhole = send === 'object' || wholePlace(resource, part, operation) !== undefined
  const isByMember = keeps === true || send === 'jsonPatch' || send === 'mergePatch'
  const back: DropWay = isWhole ? 'object' : isByMember ? 'lists' : 'attributes'
  const entries = entriesOf(part)
  return drop.map((place, index) => found(['write', 'drop', index], faultOf(entries, place, back)))
}

const checkListDrops = ({ operations }: RestResource, collection: Collection): Findings => {
  const { write, field, path = field } = collection
  if (write?.drop === undefined) return []
  const update = 'each' in write ? operations[write.each.update ?? ''] : undefined
  const isSentBack =
    'each' in write
      ? update !== undefined && update.body !== 'none'
      : ['all', 'changes', 'upserts'].some((variable) => names(write.body, variable))
  if (!isSentBack) return problem([], 'dropsNothing')
  const entries = { [field]: { ...listEntry(collection), path } }
  // A PATCH of one element has no more of it than what is declared, and all that was read inside of that.
  const isPartial = update?.method === 'PATCH' || ('each' in write && write.keeps === true)
  const least = pathOf(path).length + (isPartial ? 3 : 1)
  return write.drop.map((place, index) =>
    found(
      [index],
      pathOf(place).length < least
        ? problem([], 'dropsOutside', place, isPartial ? 'members' : 'lists')
        : faultOf(entries, place, 'lists'),
    ),
  )
}

const faultOf = (entries: Entries, written: string, back: DropWay): Findings => {
  const place = pathOf(written)
  const reached = inMembers(entries, place, { above: [], isInList: false })
  if (typeof reached !== 'string') return reached
  const isSentBack =
    back === 'object' ||
    reached === 'listed' ||
    (back === 'attributes' && (reached === 'inside' || isInHolder(entries, place)))
  return !isSentBack && problem([], 'dropsOutside', written, back)
}

/** Whether a place is in an object that holds the value of an attribute: it is sent with all that was read of it. */
const isInHolder = (entries: Entries, [member, ...rest]: Path): boolean => {
  const held = Object.entries(entries).filter(([name, entry]) => {
    const [first, ...deeper] = pathOf(entry.path ?? name)
    return isSent(entry, 'update') && deeper.length > 0 && first === member
  })
  const isFound = held.every(([name, entry]) => {
    const [outer = '', ...inner] = pathOf(entry.send ?? name)
    return inner.length > 0 && placeShown(Object.fromEntries(held), [outer]) !== undefined
  })
  return rest.length > 0 && held.length > 0 && isFound
}

/** Where a place leads: to what no attribute has, into an attribute, or into a list of one. */
type DropReach = 'unnamed' | 'inside' | 'listed' | Problem

interface AroundPlace {
  readonly above: Path
  readonly isInList: boolean
}

/** The place among the members of an object. */
const inMembers = (entries: Entries, place: Path, { above, isInList }: AroundPlace): DropReach => {
  const along = Object.entries(entries)
    .filter(([, entry]) => entry.in !== 'path' && entry.select === undefined && isSent(entry, 'update'))
    .map(([name, entry]) => ({ name, entry, own: pathOf(entry.path ?? name) }))
    .filter(({ own }) => own.slice(0, place.length).every((step, at) => place[at] === '*' || place[at] === step))
    .toSorted((left, right) => right.own.length - left.own.length)
  // An object is addressed by what never changes, but an element without it would be another one.
  const sent = along.find(
    ({ entry, own }) =>
      place.length <= own.length && entry.writeOnly !== true && (isInList || entry.immutable === undefined),
  )
  if (sent !== undefined) return problem([], 'dropsSent', sent.name)
  const [around] = along.filter(({ own }) => own.length < place.length)
  if (around === undefined) return isInList ? 'listed' : 'unnamed'
  const { entry, own } = around
  return inValue(entry, place.slice(own.length), { above: [...above, ...place.slice(0, own.length)], isInList })
}

/** The place inside of the value of an attribute. */
const inValue = (entry: AttributeEntry, place: Path, { above, isInList }: AroundPlace): DropReach => {
  const { type, attributes, element = { type: 'any' }, pairs, partial } = entry
  const reached = isInList ? 'listed' : 'inside'
  const [step, ...deeper] = place
  if (step === undefined) return reached
  const next: AroundPlace = { above: [...above, step], isInList }
  if (type === 'list' || type === 'set' || pairs !== undefined) return inList(entry, place, above)
  if (type === 'map') {
    if (deeper.length > 0) return inValue(element, deeper, next)
    return step === '*' ? problem([], 'dropsSent', textOf(above)) : reached
  }
  if (type === 'object')
    return attributes === undefined ? reached : named(inMembers(attributes, place, { above, isInList }))
  if (type !== 'any') return problem([], 'dropsInText', textOf(above), type)
  return partial === true ? reached : problem([], 'dropsAny', textOf(above))
}

const named = (reached: DropReach): DropReach => (reached === 'unnamed' ? 'inside' : reached)

const inList = ({ element = { type: 'any' }, pairs }: AttributeEntry, place: Path, above: Path): DropReach => {
  const [step, ...deeper] = place
  const next: AroundPlace = { above: [...above, '*'], isInList: true }
  if (step !== '*') {
    const rest = /^\d+$/.test(String(step)) ? deeper : place
    return problem([], 'dropsByNumber', textOf(above), textOf([...next.above, ...rest]))
  }
  const [member] = deeper
  if (member === undefined) return problem([], 'dropsElements', textOf(above), textOf([...next.above, 'id']))
  if (pairs === undefined) return inValue(element, deeper, next)
  return member === pairs.key || member === pairs.value ? problem([], 'dropsSent', member) : 'listed'
}

/**
 * A form of the elements of a whole list that names each member as it is: it changes nothing, because the rest of an element is sent
 * back. Who writes it means that the rest is not sent.
 */
export const checkUpsert = ({ element, field, path = field, write }: Collection): Findings => {
  if (write === undefined || 'each' in write || !isObject(write.upsert) || !names(write.body, 'all')) return []
  if (['changes', 'upserts'].some((variable) => names(write.body, variable))) return []
  const { upsert } = write
  const members = Object.entries(element).flatMap(([name, entry]) =>
    isSent(entry, 'update') ? [entry.send ?? name] : [],
  )
  const isAsItIs = members.every((member) => [`{el.${member}}`, `{el.${member}?}`].includes(String(upsert[member])))
  const isAll = isAsItIs && Object.keys(upsert).length === members.length
  return isAll && problem(['write', 'upsert'], 'upsertSaysElement', textOf([...pathOf(path), '*', 'id']))
}

/** A place as a document writes it. */
const textOf = (place: Path): string =>
  place.every((step) => /^[^./]+$/.test(String(step))) ? place.join('.') : toPointer(place)
