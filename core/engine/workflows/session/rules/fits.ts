import type { Attribute, ObjectSchema } from '../../../schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject, type MaybeJson } from '../../../schema/json.ts'
import type { ForAll, ObjectCondition } from '../../../schema/resource.ts'
import { applyNormalisers } from '../../../values/normalise/normalisers.ts'
import { globPattern } from '../../../values/texts/glob.ts'

/** `unshown`: the attributes that would decide it, and that nothing shows. */
export type Fit = { readonly fits: boolean } | { readonly unshown: readonly string[] }

/** Whether a rule is about an object, as far as its attributes are shown. */
export const fitsRule = ({ where, except }: ForAll, schema: ObjectSchema, shown: JsonObject): Fit => {
  const meets = (condition: ObjectCondition): Fit => meetsAll(condition, schema, shown)
  const included = where.length === 0 ? { fits: true } : anyOf(where.map(meets))
  if ('fits' in included && !included.fits) return included
  const excluded = anyOf(except.map(meets))
  if ('fits' in excluded && excluded.fits) return { fits: false }
  return 'unshown' in excluded ? excluded : included
}

const anyOf = (all: readonly Fit[]): Fit => {
  if (all.some((each) => 'fits' in each && each.fits)) return { fits: true }
  const unshown = all.flatMap((each) => ('unshown' in each ? each.unshown : []))
  return unshown.length === 0 ? { fits: false } : { unshown }
}

const meetsAll = (condition: ObjectCondition, { attributes }: ObjectSchema, shown: JsonObject): Fit => {
  const entries = Object.entries(condition)
  const unshown = entries.flatMap(([name]) => (shown[name] === undefined ? [name] : []))
  const fits = entries.every(([name, expected]) => {
    const value = shown[name]
    return value === undefined || holds(attributes[name] ?? { type: 'any' }, expected, value)
  })
  return fits && unshown.length > 0 ? { unshown } : { fits }
}

/** One of several expected values is enough, and one element of a list; of a map each expected key. */
const holds = (facts: Attribute, expected: Json, value: MaybeJson): boolean => {
  if (isArray(expected)) return expected.some((each) => holds(facts, each, value))
  if (isArray(value)) return value.some((each) => holds(facts.element ?? { type: 'any' }, expected, each))
  if (isObject(expected)) {
    const inner = (name: string): Attribute => facts.attributes?.[name] ?? facts.element ?? { type: 'any' }
    return (
      isObject(value) && Object.entries(expected).every(([name, each]) => holds(inner(name), each, value[name] ?? null))
    )
  }
  if (expected === null || expected === '') return value === undefined || value === null || value === ''
  const [one, other] = [expected, value ?? null].map((each) => applyNormalisers(each, facts.compareAs))
  if (typeof one === 'string' && typeof other === 'string') return globPattern(one)(other)
  return one === other
}
