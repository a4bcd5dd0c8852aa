import { rootOf } from '../diff/matching/facts.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { Path } from '../schema/json.ts'
import type { Address } from '../schema/resource.ts'
import type { IgnoreRule } from '../schema/rules.ts'
import type { IdleRule } from '../schema/stored/plan.ts'
import { addressPattern } from '../values/addresses/address.ts'
import { globPattern } from '../values/texts/glob.ts'

/** Why a changed path is ignored, or `undefined`. */
export type Ignoring = (path: Path, destructive: boolean) => string | undefined

/** A rule covers a delete or a create only with `includeDeletes`. `ignoreChanges` also prevents a replacement. */
export const ignoringFor = (
  address: Address,
  ignoreChanges: readonly string[] | undefined,
  rules: readonly IgnoreRule[],
  today: string,
): Ignoring => {
  const own = (ignoreChanges ?? []).map(pathPattern)
  const applying = rules.filter((rule) => isApplying(rule, address, today))
  if (own.length === 0 && applying.length === 0) return () => undefined
  const patterns = applying.map((rule) => ({ rule, covers: pathPattern(rule.path ?? '') }))
  return (path, destructive) => {
    if (path.length > 0 && own.some((covers) => covers(path))) return 'ignoreChanges'
    const found = patterns.find(({ rule, covers }) => (!destructive || rule.includeDeletes) && covers(path))
    return found && textOf(found.rule)
  }
}

const textOf = ({ reason, owner, expires }: IgnoreRule): string =>
  `${reason} (${owner}${expires === undefined ? '' : `, until ${expires}`})`

const isApplying = ({ address: pattern, expires }: IgnoreRule, address: Address, today: string): boolean =>
  (expires === undefined || today < expires) && addressPattern(pattern)(address)

/** The steps of a written path (`a.b`, `rrsets[www.example.org. A].ttl`, `tags[*]`), each as a test of one step. */
const rulePath = (text: string): readonly ((step: string) => boolean)[] =>
  [...text.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, key, name]) => globPattern(key ?? name ?? ''))

/** Matches the named part and everything inside it. */
const pathPattern = (text: string): ((path: Path) => boolean) => {
  const steps = rulePath(text)
  return (path) => path.length >= steps.length && steps.every((step, index) => step(String(path[index])))
}

interface RuleSubject {
  readonly address: Address
  /** Its delete is planned. */
  readonly isDeleted?: boolean
  readonly schema?: ObjectSchema | undefined
}

/** Finds rules without effect. `today` is a day in UTC; without it, no rule counts as expired. */
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
  { address, path, expires, includeDeletes }: IgnoreRule,
  subjects: readonly RuleSubject[],
  today: string | undefined,
): IdleRule['why'] | undefined => {
  if (today !== undefined && expires !== undefined && today >= expires) return 'expired'
  const isMeant = addressPattern(address)
  const meant = subjects.filter((subject) => isMeant(subject.address))
  if (meant.length === 0) return 'no_resource'
  if (!includeDeletes && meant.every(({ isDeleted }) => isDeleted)) return 'deleted'
  const steps = rulePath(path ?? '')
  return meant.some(({ schema }) => schema === undefined || canCover(rootOf(schema), steps))
    ? undefined
    : 'no_attribute'
}

type RuleSteps = ReturnType<typeof rulePath>

/** Whether these steps may lead to a value. Keys and indexes may be anything; names must be known. */
const canCover = (facts: Attribute, [step, ...rest]: RuleSteps): boolean => {
  if (step === undefined || facts.type === 'any') return true
  if (facts.type === 'object')
    return Object.entries(facts.attributes ?? {}).some(([name, inner]) => step(name) && canCover(inner, rest))
  return facts.element !== undefined && canCover(facts.element, rest)
}
