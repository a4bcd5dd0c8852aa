import { fromPointer } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Issue } from '../../schema/issue.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { isConcat, isLiteral, isMark, isReference, type ReferenceMark } from '../../schema/value.ts'
import { suggest } from '../../values/nearest-word.ts'
import type { Configuration } from '../configuration.ts'
import { attributeText } from '../value-text.ts'

/** What others may refer to of a resource of some type. */
export interface Referable {
  readonly schema: ObjectSchema
  /** Names of the ids that the server makes. */
  readonly ids?: readonly string[] | undefined
}

interface Found {
  readonly path: Path
  readonly reference: ReferenceMark
}

/** References that only the target can tell, each with the place of the text that holds it. */
const referencesIn = (value: Json, path: Path): readonly Found[] => {
  if (isReference(value)) return [{ path, reference: value }]
  if (isConcat(value)) return value.$concat.flatMap((part) => referencesIn(part, path))
  if (isLiteral(value) || isMark(value)) return []
  if (isArray(value)) return value.flatMap((inner, index) => referencesIn(inner, [...path, index]))
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => referencesIn(inner, [...path, name])) : []
}

/** Where the facts do not say what is inside, anything may be. */
const innerFacts = ({ attributes, elements, element, type }: Attribute, step: string): Attribute | undefined => {
  if (type === 'object')
    return attributes !== undefined && Object.hasOwn(attributes, step) ? attributes[step] : undefined
  if (type === 'map' || type === 'list' || type === 'set') return elements?.[Number(step)] ?? element ?? { type: 'any' }
  return undefined
}

const leadsSomewhere = (facts: Attribute, [step, ...rest]: readonly string[]): boolean => {
  if (step === undefined || facts.type === 'any' || facts.partial !== undefined) return true
  const inner = innerFacts(facts, step)
  return inner !== undefined && leadsSomewhere(inner, rest)
}

/** What is wrong with a reference to something of this type. */
const misfit = (
  { schema, ids = [] }: Referable,
  { $ref, pointer }: ReferenceMark,
): Pick<Issue, 'message' | 'fix'>[] => {
  const steps = fromPointer(pointer)
  const [name = ''] = steps
  if (steps.length === 1 && ids.includes(name)) return []
  if (leadsSomewhere({ type: 'object', attributes: schema.attributes }, steps)) return []
  const known = Object.hasOwn(schema.attributes, name)
  const fix = known
    ? `refer to ${name} or to a member that it has`
    : suggest(name, [...Object.keys(schema.attributes), ...ids])
  return [{ message: `there is no ${attributeText($ref, steps)}`, fix }]
}

/** References to attributes that a resource does not have: nobody would ever know their value. */
export const checkReferences = (
  { resources, locate }: Configuration,
  referable: (alias: string, type: string) => Referable | undefined,
): readonly Issue[] => {
  const byAddress = new Map(resources.map((each) => [each.address, each]))
  return resources.flatMap(({ address, attributes }) =>
    Object.entries(attributes).flatMap(([name, value]) =>
      referencesIn(value, [name]).flatMap(({ path, reference }): readonly Issue[] => {
        const target = byAddress.get(reference.$ref)
        const type = target === undefined ? undefined : referable(target.provider, target.type)
        if (type === undefined) return []
        return misfit(type, reference).map((one) => ({ ...locate(address, path), ...one }))
      }),
    ),
  )
}
