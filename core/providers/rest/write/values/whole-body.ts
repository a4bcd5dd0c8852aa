import { fromPointer, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { isMark } from '../../../../engine/schema/value.ts'
import type { ListRules } from '../../../../engine/transport/secrets/list-rules.ts'
import { liveAt } from '../../../../engine/transport/secrets/live-places.ts'
import { present } from '../../../../engine/values/defined.ts'
import { mapMembers, pick } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { type Entries, entriesOf, placeIn, sentWhereRead } from '../../document/attributes.ts'
import { placeShown, sentElsewhere } from '../../document/body-values.ts'
import type { RestResource } from '../../document/document.ts'
import type { ResourcePart } from '../../document/part.ts'
import { pathOf, pointerOf } from '../../document/shared/template.ts'
import { ofMembers } from './in-form.ts'
import { isSentAsRead, laidInForm, type PartAsRead, rulesOf } from './laid-in.ts'
import { allWithUnseen } from './unseen-values.ts'

/** The attributes before a write, and those that it sends. */
interface BeforeAndSent {
  readonly before: JsonObject
  readonly values: JsonObject
}

/** All attributes, in what was read at a place of the object: what is left out of the body would be reset. */
export const wholeFields = (
  { lock }: RestResource,
  part: ResourcePart,
  { before, values }: BeforeAndSent,
  { place, ...read }: PartAsRead & { readonly place: Path },
): Json => {
  const entries = entriesAt(entriesOf(part), place)
  const there = liveAt(read.object, place)
  const former = liveAt(read.former, place)
  const sides = ofMembers(
    entries,
    isObject(there) ? there : {},
    before,
    allWithUnseen(entries, values, read.configured),
    isObject(former) ? former : undefined,
  )
  const { to } = sides
  const from = { ...notSent(entries, before), ...sides.from }
  // The version of the object is sent where the document says, and as an attribute if it is one.
  const version = present(lock !== undefined && 'field' in lock && pointerOf(lock.field))
  return laidInForm(read, place, { from, to }, rulesOfAll(entries, place), {
    without: version.filter((each) => place.length > 0 || liveAt(to, fromPointer(each)) === undefined),
    isExact: Object.values(entries).every(isSentAsRead),
  })
}

/** The attributes that are inside of a place, as they are seen from there. */
const entriesAt = (entries: Entries, outer: Path): Entries =>
  outer.length === 0
    ? entries
    : mapMembers(entries, (entry, name) => {
        const place = pathOf(entry.path ?? name)
        const isInside = place.length > outer.length && toPointer(place.slice(0, outer.length)) === toPointer(outer)
        const own = toPointer(place.slice(outer.length))
        return isInside ? { ...entry, path: own, send: own } : undefined
      })

/** Members that the document names and leaves out now: they are not sent back with what it does not name. */
const notSent = (entries: Entries, before: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([name, entry]) => {
      const [member, ...deeper] = placeIn(entry, name)
      const isLeft = !entry.computed && deeper.length === 0 && typeof member === 'string' && Object.hasOwn(before, name)
      return isLeft ? [[member, before[name] ?? null]] : []
    }),
  )

/** Objects that hold the values of attributes, with all that was read of them: a server may replace them. */
export const withRest = (
  fields: JsonObject,
  entries: Entries,
  { before, values }: BeforeAndSent,
  read: PartAsRead,
): JsonObject =>
  mapMembers(fields, (value, member) => {
    const inside = mapMembers(entries, (entry, name) => (isInside(entry, name, member) ? entry : undefined))
    const names = Object.keys(inside)
    const place = placeShown(inside, [member])
    if (names.length === 0 || place === undefined || !isObject(value) || isMark(value)) return value
    const was = pick(before, names)
    const shown = sentWhereRead(inside)
    const now = allWithUnseen(inside, { ...was, ...pick(values, names) }, read.configured)
    const { from, to } = ofMembers(shown, read.object ?? {}, was, now, read.former)
    const sides = { from: valueAt(from, place) ?? {}, to: valueAt(to, place) ?? value }
    return laidInForm(read, place, sides, rulesOfAll(shown), {
      without: sentElsewhere(entries, [member]).map((each) => toPointer(each)),
      isExact: Object.values(shown).every(isSentAsRead),
    })
  })

const isInside = (entry: AttributeEntry, name: string, member: string): boolean => {
  const place = placeIn(entry, name)
  return place.length > 1 && place[0] === member
}

const rulesOfAll = (entries: Entries, outer: Path = []): ListRules =>
  Object.assign(
    {},
    ...Object.entries(entries).map(([name, entry]) => rulesOf(entry, toPointer([...outer, ...placeIn(entry, name)]))),
  )
