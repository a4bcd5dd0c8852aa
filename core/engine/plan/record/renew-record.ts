import { canonicalText } from '../../diff/matching/canonical.ts'
import { elementFacts, memberFacts, plainAny, rootOf } from '../../diff/matching/facts.ts'
import { byKey, isKeyed } from '../../diff/matching/keys.ts'
import { digest } from '../../json/digest.ts'
import { mapValue } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonList, type JsonObject, type MaybeJson } from '../../schema/json.ts'
import type { RecordedResource } from '../../schema/resource.ts'
import { isSealed, sealOf } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { partsOf, sealsApart } from '../../values/marks/marks.ts'
import { mapMembers } from '../../values/members.ts'
import { type Sent, writeOnlyValues } from './write-only.ts'

type RecordedValues = Pick<RecordedResource, 'attributes' | 'sent'>

/**
 * Renews a record whose seals were made with another key than the current one. Seals of two keys cannot be compared, so
 * the observed value counts as agreed and is recorded with the current key. Everything else stays as recorded,
 * including seals of the current key. All three inputs are normalised; `desired` has its digests.
 */
export const renewRecord = <Record extends RecordedValues>(
  schema: ObjectSchema,
  recorded: Record,
  observed: JsonObject | null,
  desired: JsonObject,
): Record => {
  const { attributes, sent } = recorded
  const renewed = observed === null ? attributes : (renew(rootOf(schema), attributes, observed) as JsonObject)
  return {
    ...recorded,
    attributes: renewed,
    ...defined({ sent: sent && renewSent(writeOnlyValues(schema, desired), attributes, renewed, sent) }),
  }
}

const renew = (facts: Attribute, then: Json, now: MaybeJson): Json => {
  if (now === undefined) return then
  if (isSealed(then)) return isSealed(now) && sealsApart(then.$sealed, now.$sealed) ? now : then
  if (isArray(then)) return isArray(now) ? renewElements(facts, then, now) : then
  if (!isObject(then) || !isObject(now)) return then
  return mapMembers(then, (inner, member) =>
    renew(memberFacts(facts, member) ?? plainAny, inner, Object.hasOwn(now, member) ? now[member] : undefined),
  )
}

/**
 * Elements without a key are identified by their whole value: they are the same if they differ only in seals of
 * different keys.
 */
const renewElements = (facts: Attribute, then: JsonList, now: JsonList): Json => {
  if (isKeyed(facts)) {
    const present = byKey(facts, now)
    return [...byKey(facts, then)].map(([key, element]) => renew(elementFacts(facts), element, present.get(key)))
  }
  const keys = new Set(now.flatMap(sealsIn))
  const isOld = then.flatMap(sealsIn).some((seal) => [...keys].every((other) => sealsApart(seal, other)))
  return isOld && withoutSeals(facts, then) === withoutSeals(facts, now) ? now : then
}

const sealsIn = (value: Json): readonly string[] =>
  partsOf(value)
    .filter(isSealed)
    .map(({ $sealed }) => $sealed)

const withoutSeals = ({ type }: Attribute, elements: JsonList): string => {
  const texts = elements.map((element) =>
    canonicalText(mapValue(element, (value) => (isSealed(value) ? { $sealed: '' } : undefined))),
  )
  return JSON.stringify(type === 'set' ? texts.toSorted() : texts)
}

/** A sent value is identified by its seal, and its witness by the digest of a value that may be a seal. */
const renewSent = (
  values: ReturnType<typeof writeOnlyValues>,
  attributes: JsonObject,
  renewed: JsonObject,
  sent: Sent,
): Sent =>
  mapMembers(sent, ({ digest: last, witness }, pointer) => {
    const known = values.find((each) => each.pointer === pointer)
    const seal = known && sealOf(known.value)
    const [then, now] = [attributes, renewed].map((object) => object[known?.facts.witness ?? ''])
    const isRenewed = then !== undefined && now !== undefined && digest(then) === witness
    return {
      digest: seal !== undefined && sealsApart(last, seal) ? seal : last,
      ...defined({ witness: isRenewed ? digest(now) : witness }),
    }
  })
