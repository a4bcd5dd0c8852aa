import { isEqual } from '../../diff/matching/canonical.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { Ignored } from '../../schema/stored/plan.ts'
import { isMark } from '../../schema/value.ts'
import { mapMembers } from '../../values/members.ts'
import { spellValue } from '../../values/spell-value.ts'
import { appliesOnly } from '../words.ts'

interface Applicable {
  readonly desired: JsonObject
  readonly compared: JsonObject
  /** Attributes that are declared and differ, but do not apply. */
  readonly ignored: readonly Ignored[]
}

/** Removes attributes that do not apply to the resulting object, and those that only a create uses. */
export const applicable = (
  { attributes }: ObjectSchema,
  { address, desired: whole, before }: { address: Address; desired: JsonObject; before: JsonObject | null },
): Applicable => {
  const ignored: Ignored[] = []
  const desired = mapMembers(whole, (value, name) => {
    const unmet = unmetBy(attributes, name, { ...before, ...whole })
    if (unmet === undefined) return value
    const there = before?.[name] ?? attributes[name]?.default ?? null
    if (!isEqual(value, there))
      ignored.push({ address, path: [name], rule: appliesOnly(unmet, spellings(attributes, name, unmet)) })
    return undefined
  })
  const compared =
    before === null ? desired : mapMembers(desired, (value, name) => (attributes[name]?.createOnly ? undefined : value))
  return { desired, compared, ignored }
}

/** The attribute under which another one does not apply, by these values. */
export const unmetBy = (attributes: AttributesByName, name: string, values: JsonObject): string | undefined =>
  Object.entries(attributes[name]?.appliesWhen ?? {}).find(([other, accepted]) => {
    const value: Json | undefined = values[other] ?? attributes[other]?.default
    return value !== undefined && !isMark(value) && !accepted.some((each) => isEqual(each, value))
  })?.[0]

type AttributesByName = Readonly<Record<string, Attribute>>

const spellings = (attributes: AttributesByName, name: string, other: string): string =>
  (attributes[name]?.appliesWhen?.[other] ?? []).map(spellValue).join(' or ')
