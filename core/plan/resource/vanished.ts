import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { JsonObject, Path } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'

/**
 * A declared attribute that the last check saw and an answer lacks now, where nothing says what that means (`default`,
 * `leftOut`): the answer is not whole, and sending the attribute again would be a change made of nothing.
 */
export const vanished = (
  { attributes }: Pick<ObjectSchema, 'attributes'>,
  { desired, recorded, observed }: Record<'desired' | 'recorded' | 'observed', JsonObject>,
  path: Path = [],
): Path | undefined => {
  for (const [name, wanted] of Object.entries(desired)) {
    const facts = attributes[name]
    const before = recorded[name]
    if (facts === undefined || saysWhat(facts) || wanted === null || before === undefined || before === null) continue
    const now = observed[name]
    if (now === undefined) return [...path, name]
    if (facts.attributes === undefined || !isObject(wanted) || !isObject(before) || !isObject(now)) continue
    const members = { attributes: facts.attributes }
    const inner = vanished(members, { desired: wanted, recorded: before, observed: now }, [...path, name])
    if (inner !== undefined) return inner
  }
  return undefined
}

const saysWhat = ({ computed, writeOnly, leftOut, default: fallback }: Attribute): boolean =>
  computed === true || writeOnly === true || leftOut === true || fallback !== undefined
