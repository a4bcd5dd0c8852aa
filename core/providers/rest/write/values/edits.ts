import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { memberOf, pathText, setAt, toPointer } from '../../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { isLiteral, isMark, type LiveMark } from '../../../../engine/schema/value.ts'
import { liveAt, withoutPlaces } from '../../../../engine/transport/secrets/live-places.ts'
import { defined } from '../../../../engine/values/defined.ts'
import { nameAsMark } from '../../../../engine/values/marks/open-names.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { type Entries, isSent, placeIn } from '../../document/attributes.ts'
import { unwritable } from '../../document/shared/words.ts'
import { cannotWrite, inPlace } from '../../request/encode.ts'
import { isEmptied, outersOf } from './in-form.ts'
import { asPlanned, isHiddenMap, isSentAsRead, laidIn, type PartAsRead } from './laid-in.ts'

/** One place of an object and its new value; without `value` the member is removed. */
export interface Edit {
  readonly place: Path
  readonly value?: Json
  /** Why a merge patch cannot make it: a null in the value is a value, or nobody knows the names of what goes. */
  readonly unmerged?: 'holdsNull' | 'hiddenMembers'
}

/** The smallest places at which the attributes of these names differ. Both sides are attribute values. */
export const editsOf = (
  entries: Entries,
  before: JsonObject,
  after: JsonObject,
  names: readonly string[],
  read: PartAsRead,
): readonly Edit[] =>
  names.flatMap((name) => {
    const entry = entries[name]
    if (entry === undefined || !isSent(entry, 'update')) return []
    if (entry.unlessSent?.some((other) => names.includes(other))) return []
    return inPlace(name, () =>
      editsAt({ entry, read, configured: read.configured?.[name] }, placeIn(entry, name), before[name], after[name]),
    )
  })

interface EditedEntry {
  readonly entry: AttributeEntry
  readonly read: PartAsRead
  readonly configured: Json | undefined
}

const editsAt = (
  { entry, read, configured }: EditedEntry,
  place: Path,
  before: Json | undefined,
  after: Json | undefined,
): readonly Edit[] => {
  if (after === undefined || after === null) return (before ?? null) === null ? [] : [cleared(entry, place)]
  if (before !== undefined && canonicalJson(before) === canonicalJson(after)) return []
  if (
    entry.as === undefined &&
    entry.pairs === undefined &&
    isOpen(after) &&
    !comesBetween(entry, read, before, after)
  ) {
    const was = isOpen(before) ? before : {}
    if (entry.type === 'object' && entry.attributes !== undefined)
      return memberEdits({ entries: entry.attributes, read, configured }, place, was, after)
    // Of another kind, it is replaced as a whole.
    const isMissing = before === undefined || before === null
    const isOurs = isOpen(before) || (isMissing && (entry.manage === 'declared' || entry.partial === true))
    if (isOurs && (entry.type === 'map' || entry.type === 'any'))
      return keyEdits({ entry, read, configured }, place, was, after)
  }
  return [
    {
      place,
      value: laidIn(read, entry, place, { before, after, configured }),
      ...defined({ unmerged: unmergedIn({ entry, read, configured }, place, before, after) }),
    },
  ]
}

const unmergedIn = (
  { entry, read }: EditedEntry,
  place: Path,
  before: Json | undefined,
  after: Json,
): Edit['unmerged'] => {
  if (holdsNull(entry, after)) return 'holdsNull'
  const there = liveAt(read.object, place)
  const isLost = isHiddenMap(entry, before) && isObject(there) && isOpen(after) && entry.pairs === undefined
  return isLost && Object.keys(there).some((name) => !Object.hasOwn(after, name)) ? 'hiddenMembers' : undefined
}

/** Whether a member comes, or comes back, that is followed by one that stays: by itself it would be put at the end. */
const comesBetween = (
  entry: AttributeEntry,
  { keepsOrder, object }: PartAsRead,
  before: Json | undefined,
  after: JsonObject,
): boolean => {
  if (keepsOrder !== true || object === undefined || !isOpen(before)) return false
  if (entry.partial === true || !isSentAsRead(entry)) return false
  const isThere = (value: Json | undefined): boolean => value !== undefined && (value !== null || entry.type === 'map')
  const comes = Object.entries(after).map(([name, value]) => isThere(value) && !isThere(memberOf(before, name)))
  return comes.includes(true) && comes.lastIndexOf(false) > comes.indexOf(true)
}

/** Whether an object has a null that is a value. A list is sent as it is, with every null. */
const holdsNull = (entry: AttributeEntry, value: Json): boolean => {
  if (!isOpen(value) || entry.partial === true || entry.pairs !== undefined || entry.as !== undefined) return false
  return Object.entries(value).some(([name, inner]) => {
    if (entry.type === 'object') {
      const own = entry.attributes?.[name]
      return own !== undefined && holdsNull(own, inner)
    }
    return inner === null || holdsNull(entry.element ?? { type: 'any' }, inner)
  })
}

const cleared = (entry: AttributeEntry, place: Path): Edit =>
  entry.clearAs === null ? { place, value: null } : { place }

/** An object whose members can be looked at one by one. */
const isOpen = (value: Json | undefined): value is JsonObject => isObject(value) && !isMark(value) && !isLiteral(value)

const memberEdits = (
  { entries, read, configured }: Omit<EditedEntry, 'entry'> & { readonly entries: Entries },
  place: Path,
  before: JsonObject,
  after: JsonObject,
): readonly Edit[] =>
  Object.entries(entries).flatMap(([member, entry]) => {
    const [was, now] = [memberOf(before, member), memberOf(after, member)]
    // What an object does not declare is on both sides; what only the former one has goes, as an undo takes back what was added.
    if (!isSent(entry, 'update')) return []
    const inner = { entry, read, configured: memberOf(configured, member) }
    return editsAt(inner, [...place, ...placeIn(entry, member)], was, now)
  })

const keyEdits = (
  { entry, read, configured }: EditedEntry,
  place: Path,
  before: JsonObject,
  after: JsonObject,
): readonly Edit[] => {
  const element: AttributeEntry = entry.element ?? { type: 'any' }
  const isPlain = entry.type === 'any'
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): readonly Edit[] => {
    const inner = [...place, key]
    const [was, now] = [memberOf(before, key), memberOf(after, key)]
    if (now === undefined) return [{ place: inner }]
    // In untyped JSON, null is an ordinary value.
    if (now === null && isPlain)
      return was === null
        ? []
        : [{ place: inner, value: null, ...(entry.partial !== true && { unmerged: 'holdsNull' }) }]
    // In a map it is a member too; only an undo makes one where there is none.
    if (now === null && was === undefined) return [{ place: inner, value: null, unmerged: 'holdsNull' }]
    return editsAt({ entry: element, read, configured: memberOf(configured, key) }, inner, was, now)
  })
}

/**
 * A body that names the place of one element would replace the list around it by an object, or by a list of that element alone.
 * `names`: the attributes that are sent; absent: all.
 */
export const refuseInList = (
  entries: Entries,
  names: readonly string[] = Object.keys(entries),
  object: JsonObject | undefined,
): void => {
  for (const name of names) {
    const entry = entries[name]
    if (entry === undefined || entry.select !== undefined || !isSent(entry, 'update')) continue
    const place = placeIn(entry, name)
    const outer = place.findIndex((_, length) => isArray(liveAt(object, place.slice(0, length))))
    if (outer > 0) throw cannotWrite(name, unwritable.inList(pathText(place.slice(0, outer))))
  }
}

/** RFC 7386: what goes is null. https://www.rfc-editor.org/rfc/rfc7386 */
export const mergePatch = (edits: readonly Edit[]): JsonObject => {
  for (const { place, unmerged } of edits)
    if (unmerged !== undefined) throw cannotWrite(pathText(place), unwritable[unmerged]())
  return edits.reduce<Json>(
    (patch, { place, value }) => setAt(patch, place.map(String), value ?? null),
    {},
  ) as JsonObject
}

/** An edit as a merge patch makes it: it takes every null in an object for a removal. */
export const asMerged = (edit: Edit): Edit =>
  edit.value === undefined || edit.value === null ? { place: edit.place } : { ...edit, value: withoutNulls(edit.value) }

const withoutNulls = (value: Json): Json =>
  isOpen(value) ? mapMembers(value, (inner) => (inner === null ? undefined : withoutNulls(inner))) : value

/**
 * What had a null is not removed, but is null again. An object in which nothing is left goes as a whole where the object to come
 * back (`former`) had none there, or null.
 */
export const withFormerNulls = (
  edits: readonly Edit[],
  { former, object }: Pick<PartAsRead, 'former' | 'object'>,
): readonly Edit[] => {
  const own = edits.map((edit) =>
    edit.value === undefined && liveAt(former, edit.place) === null ? { ...edit, value: null } : edit,
  )
  if (former === undefined || object === undefined) return own
  const left = own.reduce<Json>(applied, object)
  const gone = new Map<string, Edit>()
  const kept = own.filter(({ place }) => {
    const outer = outersOf(place).find((each) => !isHolder(former, each) && isHolder(object, each))
    if (outer === undefined || !isEmptied(liveAt(left, outer))) return true
    gone.set(toPointer(outer), { place: outer, ...(liveAt(former, outer) === null && { value: null }) })
    return false
  })
  return [...kept, ...gone.values()]
}

/**
 * RFC 6902. `object` tells what is there: a member is added or replaced, and objects on the way are added where there are
 * none. Without it, what is on the way is taken to be there. https://www.rfc-editor.org/rfc/rfc6902
 */
export const jsonPatch = (edits: readonly Edit[], object: JsonObject | undefined): readonly JsonObject[] => {
  let there: Json | undefined = object
  return edits.flatMap((edit) => {
    const operations = patchOne(edit, there)
    if (there !== undefined) there = applied(there, edit)
    return operations
  })
}

const patchOne = ({ place, value }: Edit, there: Json | undefined): readonly JsonObject[] => {
  const path = nameAsMark(toPointer(place))
  const isThere = there === undefined || liveAt(there, place) !== undefined
  if (value === undefined) return isThere ? [{ op: 'remove', path }] : []
  const missing = place.slice(0, -1).findIndex((_, depth) => !isHolder(there, place.slice(0, depth + 1)))
  if (there === undefined || missing < 0)
    return [{ op: there !== undefined && isThere ? 'replace' : 'add', path, value }]
  const outer = place.slice(0, missing + 1)
  return [
    {
      op: 'add',
      path: nameAsMark(toPointer(outer)),
      value: setAt(undefined, place.slice(missing + 1).map(String), value),
    },
  ]
}

const isHolder = (there: Json | undefined, place: Path): boolean => {
  const value = liveAt(there, place)
  return typeof value === 'object' && value !== null
}

/** An object with edits made; their values stand in it as they are. */
export const applied = (object: Json, { place, value }: Edit): Json =>
  value === undefined
    ? withoutPlaces(object, [toPointer(place)])
    : setAt(object, place.map(String), asPlanned(value, isObject(object) ? object : undefined))

export interface Whole {
  /** `<address>#<name>`. */
  readonly address: string
  readonly drop: readonly string[]
  /** Places that may move between the plan and the write. */
  readonly except: readonly string[]
}

/** The whole object as the read right before the write shows it, with the edits made. */
export const liveBody = (
  edits: readonly Edit[],
  { address, drop, except }: Whole,
): Omit<LiveMark, 'digest'> & JsonObject => {
  const set = edits.flatMap((edit) => (edit.value === undefined ? [] : [{ ...edit, value: edit.value }]))
  const gone = edits.filter(({ value }) => value === undefined).map(({ place }) => toPointer(place))
  return {
    $live: address,
    except: [...new Set([...except, ...drop])].toSorted(),
    without: [...drop, ...gone],
    with: Object.fromEntries(set.map(({ place, value }) => [toPointer(place), value])),
  }
}

/** Places of all that the document names: what differs there is seen as attributes, or moves by itself. */
export const namedPlaces = (entries: Entries, outer: Path = []): readonly string[] =>
  Object.entries(entries).flatMap(([name, entry]) => {
    if (entry.in === 'path') return []
    const place = [...outer, ...placeIn(entry, name)]
    return opens(entry) ? namedPlaces(entry.attributes, place) : [toPointer(place)]
  })

const opens = (entry: AttributeEntry): entry is AttributeEntry & { readonly attributes: Entries } =>
  entry.type === 'object' && entry.attributes !== undefined && !entry.computed
