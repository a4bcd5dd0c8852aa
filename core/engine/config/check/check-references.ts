import { fromPointer } from '../../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../schema/attribute.ts'
import type { Diagnostic, Issue } from '../../schema/issue.ts'
import type { ReferenceMark } from '../../schema/value.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { referencesIn } from '../expressions/references.ts'
import type { Configuration } from '../shared/configuration.ts'
import { attributeText, say } from '../shared/words.ts'

export interface Referable {
  readonly schema: ObjectSchema
  readonly ids?: readonly string[] | undefined
}

/** An attribute without described members allows any member. */
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

const misfit = ({ schema, ids = [] }: Referable, { $ref, pointer }: ReferenceMark): Diagnostic | undefined => {
  const steps = fromPointer(pointer)
  const [name = ''] = steps
  if (steps.length === 1 && ids.includes(name)) return undefined
  if (leadsSomewhere({ type: 'object', attributes: schema.attributes }, steps)) return undefined
  const attribute = attributeText($ref, steps)
  return Object.hasOwn(schema.attributes, name)
    ? say('noReferredMember', attribute, name)
    : say('noReferredAttribute', attribute, suggest(name, [...Object.keys(schema.attributes), ...ids]))
}

/** Reports references to attributes that a resource does not have, because their value would never be known. */
export const checkReferences = (
  { resources, locate }: Configuration,
  referable: (alias: string, type: string) => Referable | undefined,
): readonly Issue[] => {
  const byAddress = new Map(resources.map((each) => [each.address, each]))
  return resources.flatMap(({ address, attributes }) =>
    Object.entries(attributes).flatMap(([name, value]) =>
      referencesIn(value, [name]).flatMap((reference): Issue | readonly Issue[] => {
        const target = byAddress.get(reference.$ref)
        if (target?.forAll !== undefined)
          return { ...locate(address, reference.path), ...say('ruleIsNoObject', reference.$ref) }
        const type = target === undefined ? undefined : referable(target.provider, target.type)
        const found = type === undefined ? undefined : misfit(type, reference)
        return found === undefined ? [] : { ...locate(address, reference.path), ...found }
      }),
    ),
  )
}
