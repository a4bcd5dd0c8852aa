import { inferBlock } from '../read/infer-block.ts'
import { readInvocations } from '../read/read-invocations.ts'
import { isMap, type ValueMap } from '../read/value.ts'
import { diffBlock } from './diff-block.ts'
import type { TofuInvocation } from './report.ts'
import { differRules } from './rules.ts'
import { sidesOf } from './side-by-side.ts'

/** What is unknown is part of the configuration as much as what is not. */
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
