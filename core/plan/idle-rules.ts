import { rootOf } from '../diff/facts.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { IdleRule } from '../schema/plan.ts'
import type { Address } from '../schema/resource.ts'
import type { IgnoreRule } from '../schema/rules.ts'
import { globPattern } from '../values/glob.ts'
import { rulePath } from './ignore-rules.ts'

/** What a rule may be about: a declared or recorded resource. */
export interface RuleSubject {
  readonly address: Address
  /** Absent where its type is not known any more. */
  readonly schema?: ObjectSchema | undefined
}

/**
 * Rules that can leave nothing alone: void since a day, or about no resource, or no attribute, that is known. A rule that
 * could cover something and finds nothing to cover today is none of them. `today` is a day in UTC; without it no rule
 * has expired.
 */
export const findIdleRules = (
  rules: readonly IgnoreRule[],
  subjects: readonly RuleSubject[],
  today: string | undefined,
): readonly IdleRule[] =>
  rules.flatMap((rule) => {
    const why = whyIdle(rule, subjects, today)
    if (why === undefined) return []
    const { includeDeletes: _, ...told } = rule
    return [{ ...told, why }]
  })

const whyIdle = (
  { address, path, expires }: IgnoreRule,
  subjects: readonly RuleSubject[],
  today: string | undefined,
): IdleRule['why'] | undefined => {
  if (today !== undefined && expires !== undefined && today >= expires) return 'expired'
  const isMeant = globPattern(address)
  const meant = subjects.filter((subject) => isMeant(subject.address))
  if (meant.length === 0) return 'no_resource'
  const steps = rulePath(path ?? '')
  return meant.some(({ schema }) => schema === undefined || canCover(rootOf(schema), steps))
    ? undefined
    : 'no_attribute'
}

type Steps = ReturnType<typeof rulePath>

/** Whether something inside may be at the end of these steps. Keys and indexes may be anything; names are known. */
const canCover = (facts: Attribute, [step, ...rest]: Steps): boolean => {
  if (step === undefined || facts.type === 'any') return true
  if (facts.type === 'object')
    return Object.entries(facts.attributes ?? {}).some(([name, inner]) => step(name) && canCover(inner, rest))
  return facts.element !== undefined && canCover(facts.element, rest)
}
