import { canonicalJson } from '../../../../engine/json/canonical.ts'
import { memberOf, toPointer } from '../../../../engine/json/pointer.ts'
import type { PlannedChange } from '../../../../engine/provider/provider.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type Path,
} from '../../../../engine/schema/json.ts'
import type { Seal } from '../../../../engine/schema/ports.ts'
import { isLiteral, isMark, isSealed, sealOf } from '../../../../engine/schema/value.ts'
import { liveAt } from '../../../../engine/transport/secrets/live-places.ts'
import { isSealedAsRead } from '../../../../engine/transport/secrets/sealed-as-read.ts'
import { defined } from '../../../../engine/values/defined.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import type { AttributeEntry } from '../../document/attribute.ts'
import { entriesIn, entriesOf } from '../../document/attributes.ts'
import type { RestResource } from '../../document/document.ts'
import { pathOf } from '../../document/shared/template.ts'
import { holdsSealed } from '../../request/build-body.ts'
import { encodeValue, ifKnown } from '../../request/encode.ts'
import { decoded } from './in-form.ts'
import { isOneOfSeveral, pairSealed, placesInRead } from './sealed-elements.ts'

/*
 * What does not change is sent back as it was read. A plan holds no sensitive value, so a request names its place in the object
 * that is read right before the write: the decoded value, encoded again, may have another spelling.
 */

/** A place in the object of a part. */
interface SealedReading {
  readonly part: string
  readonly place: Path
  readonly seal: Seal
  /** Another element could be the one that is meant. */
  readonly isUnsure?: boolean
}

/** A value of both sides of a change; without `after`, it goes. */
interface BeforeAndAfter {
  readonly before: Json
  readonly after: Json | undefined
}

/** The same change; its sensitive values that stay know the form in which they were read. */
export const withSealedForms = ({ parts }: RestResource, change: PlannedChange): PlannedChange => {
  const { before, after, objects = {}, seal } = change
  if (before === null || seal === undefined || !holdsSealed(before)) return change
  const known = parts.flatMap(({ name: part, ...rest }) =>
    Object.entries(entriesOf({ name: part, ...rest })).flatMap(([name, entry]): [string, BeforeAndAfter][] => {
      const value = before[name]
      if (value === undefined || entry.select !== undefined) return []
      const place = pathOf(entry.path ?? name)
      const sides = { before: value, after: after?.[name] }
      return [[name, asRead(entry, liveAt(objects[part], place), sides, { part, place, seal })]]
    }),
  )
  const found = new Map(known)
  return {
    ...change,
    before: mapMembers(before, (value, name) => found.get(name)?.before ?? value),
    after: after && mapMembers(after, (value, name) => found.get(name)?.after ?? value),
  }
}

const asRead = (
  entry: AttributeEntry,
  read: Json | undefined,
  sides: BeforeAndAfter,
  reading: SealedReading,
): BeforeAndAfter => {
  const { before, after } = sides
  if (read === undefined || !holdsSealed(before)) return sides
  if (isSealed(before) || (entry.as !== undefined && isUnchanged(sides))) {
    const form = formOf(entry, read, before, reading)
    return form === undefined ? sides : { before: form, after: isSame(form, sides) ? form : after }
  }
  const there = isLiteral(read) ? read.$literal : read
  if (isArray(before)) return isArray(there) ? ofElements(entry, there, { before, after }, reading) : sides
  return isObject(before) && !isMark(before) ? ofMembers(entry, there, { before, after }, reading) : sides
}

const isUnchanged = ({ before, after }: BeforeAndAfter): boolean =>
  after !== undefined && canonicalJson(before) === canonicalJson(after)

/** A declared value that is the same is sent as it is declared, if that is how it was read. */
const isSame = (form: Json, { before, after }: BeforeAndAfter): boolean =>
  isUnchanged({ before, after }) ||
  (isSealed(before) && sealOf(after) === before.$sealed && isSealedAsRead(form) && form.asRead.isOther === true)

const ofMembers = (
  entry: AttributeEntry,
  there: Json,
  { before, after }: { readonly before: JsonObject; readonly after: Json | undefined },
  { place, ...reading }: SealedReading,
): BeforeAndAfter => {
  const open = isObject(after) && !isMark(after) ? after : undefined
  const known = new Map(
    Object.entries(before).map(([name, value]): [string, BeforeAndAfter] => {
      const own = entry.attributes?.[name]
      const steps = own === undefined ? stepsTo(entry, there, name) : pathOf(own.path ?? name)
      const sides = { before: value, after: memberOf(open, name) }
      const facts = own ?? entry.element ?? { type: 'any' }
      return [name, asRead(facts, liveAt(there, steps), sides, { ...reading, place: [...place, ...steps] })]
    }),
  )
  return {
    before: mapMembers(before, (value, name) => known.get(name)?.before ?? value),
    after: open === undefined ? after : mapMembers(open, (value, name) => known.get(name)?.after ?? value),
  }
}

/** An answer may have a map as a list of pairs. */
const stepsTo = ({ pairs }: AttributeEntry, there: Json, name: string): Path => {
  if (pairs === undefined || !isArray(there)) return [name]
  return [there.findIndex((pair) => memberOf(pair, pairs.key) === name), pairs.value]
}

const ofElements = (
  list: AttributeEntry,
  there: JsonList,
  { before, after }: { readonly before: JsonList; readonly after: Json | undefined },
  { place, ...reading }: SealedReading,
): BeforeAndAfter => {
  const next = isArray(after) ? after : []
  const element = list.element ?? { type: 'any' }
  const places = placesInRead(list, there, before, reading.seal)
  const pairs = pairSealed(list, before, next)
  const known = before.map((value, index): BeforeAndAfter => {
    const at = places[index]
    const partner = pairs.indexOf(index)
    const sides = { before: value, after: partner < 0 ? undefined : next[partner] }
    if (at === undefined) return sides
    const isUnsure = reading.isUnsure === true || isOneOfSeveral(list, there, value, at, reading.seal)
    return asRead(element, there[at], sides, { ...reading, isUnsure, place: [...place, at] })
  })
  return {
    before: known.map((sides) => sides.before),
    after: isArray(after) ? after.map((value, index) => known[pairs[index] ?? -1]?.after ?? value) : after,
  }
}

const formOf = (
  entry: AttributeEntry,
  read: Json,
  value: Json,
  { part, place, seal, isUnsure }: SealedReading,
): Json | undefined => {
  if (!isFormOfBodies(entry, read)) return undefined
  const digest = seal(read)
  const written = ifKnown(() => encodeValue(entry, decoded(entry, read), 'update'))
  const isOther = (entry.normalise ?? []).length > 0 || canonicalJson(written ?? null) !== canonicalJson(read)
  return {
    $sealed: isSealed(value) ? value.$sealed : digest,
    asRead: {
      at: `${part}${toPointer(place)}`,
      digest,
      ...defined({ isOther: isOther || undefined, isUnsure: isUnsure || undefined }),
    },
  }
}

/** Some values have a form for answers alone, or for bodies alone. */
const isFormOfBodies = (entry: AttributeEntry, read: Json): boolean => {
  const { as: form, readAs = {} } = entry
  if (form !== undefined && typeof read !== 'string') return false
  if (typeof read === 'string' && Object.hasOwn(readAs, read)) return false
  return entriesIn(entry).every(
    (each) => each.ref === undefined && each.sendOnly === undefined && (each === entry || each.readAs === undefined),
  )
}
