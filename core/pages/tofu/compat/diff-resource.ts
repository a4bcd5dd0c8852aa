import { exactNumber } from '../../../engine/json/parse-exact.ts'
import type { Expressions } from '../read/configuration.ts'
import { inferBlock } from '../read/infer-block.ts'
import { readInvocations } from '../read/read-invocations.ts'
import type { ResourceHead } from '../read/read-resource.ts'
import type { Schemas } from '../read/schemas.ts'
import { isList, isMap, memberOf, type Value, type ValueMap } from '../read/value.ts'
import { diffBlock } from './diff-block.ts'
import type { TofuInvocation, TofuResource } from './report.ts'
import { type DifferRules, differRules, rulesFor } from './rules.ts'
import { asUnchanged, type Paths, pathsOf, type Sides, sidesOf } from './side-by-side.ts'

/** What all resources of a plan are compared with. */
export interface Diffing {
  readonly schemas: Schemas
  readonly expressions: Expressions
  readonly rules: DifferRules
}

export const sidesOfChange = (change: Value | undefined, relevant: Paths, rules: DifferRules): Sides =>
  sidesOf({
    before: memberOf(change, 'before') ?? null,
    after: memberOf(change, 'after') ?? null,
    unknown: memberOf(change, 'after_unknown') ?? null,
    beforeSensitive: memberOf(change, 'before_sensitive') ?? null,
    afterSensitive: memberOf(change, 'after_sensitive') ?? null,
    replacing: pathsOf(memberOf(change, 'replace_paths'), false),
    relevant,
    rules,
  })

const importOf = (importing: ResourceHead['importing']): Pick<TofuResource, 'importing'> => {
  if (importing === undefined) return {}
  const { identity, ...named } = importing
  return { importing: identity === undefined ? named : { ...named, identity: indented(identity) } }
}

/** As Go writes it in a comment. */
const indented = (value: Value): string => JSON.stringify(plain(value), null, 2).replaceAll('\n', '\n  # ')

const plain = (value: Value): unknown => {
  if (isList(value)) return value.map(plain)
  if (isMap(value)) return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
  return typeof value === 'object' && value !== null ? exactNumber(value.number) : value
}

/** An entry of a plan with its diff. */
export const diffResource = (
  head: ResourceHead,
  relevant: Paths,
  { schemas, expressions, rules }: Diffing,
): TofuResource => {
  const { provider: _, change, importing, ...shown } = head
  const known = schemas(head)
  const sides = sidesOfChange(change, relevant, rulesFor(rules, known))
  const facts =
    known ??
    inferBlock({
      values: [sides.before, sides.after],
      markers: [sides.unknown, sides.beforeSensitive, sides.afterSensitive],
      expressions: expressions(head),
    })
  const isStill = head.action === 'forget' && rules.forgottenStandsStill
  return { ...shown, ...importOf(importing), node: diffBlock(isStill ? asUnchanged(sides) : sides, facts) }
}

/** Unknown values are part of the configuration too. */
const configOf = (entry: ValueMap): Pick<TofuInvocation, 'config'> => {
  const values = entry.get('config_values') ?? null
  const unknown = entry.get('config_unknown') ?? null
  const sensitive = entry.get('config_sensitive') ?? null
  if (!isMap(values) && !isMap(unknown)) return {}
  const sides = sidesOf({
    after: values ?? new Map(),
    unknown,
    afterSensitive: sensitive,
    rules: { ...differRules.terraform, emptyTextIsNull: 'never' },
  })
  const facts = inferBlock({ values: [sides.after], markers: [unknown, sensitive], expressions: undefined })
  return { config: diffBlock(sides, facts) }
}

export const diffInvocations = (plan: ValueMap): readonly TofuInvocation[] =>
  readInvocations(plan).map(([invocation, entry]) => ({ ...invocation, ...configOf(entry) }))
