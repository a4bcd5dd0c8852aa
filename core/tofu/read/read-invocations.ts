import { diffBlock } from '../compat/diff-block.ts'
import type { TofuInvocation } from '../compat/report.ts'
import { differRules } from '../compat/rules.ts'
import { sidesOf } from '../compat/side-by-side.ts'
import { inferBlock } from './infer-block.ts'
import { elementsOf, isMap, memberOf, textOf, type Value, type ValueMap } from './value.ts'

const triggerOf = (entry: Value): Pick<TofuInvocation, 'trigger'> => {
  const trigger = memberOf(entry, 'lifecycle_action_trigger')
  const address = textOf(memberOf(trigger, 'triggering_resource_address'))
  if (address === undefined) return {}
  const event = textOf(memberOf(trigger, 'action_trigger_event')) ?? ''
  return { trigger: { address, side: /^before/i.test(event) ? 'before' : 'after' } }
}

/** What is unknown is part of the configuration as much as what is not. */
const configOf = (entry: Value): Pick<TofuInvocation, 'config'> => {
  const values = memberOf(entry, 'config_values') ?? null
  const unknown = memberOf(entry, 'config_unknown') ?? null
  const sensitive = memberOf(entry, 'config_sensitive') ?? null
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

/** The actions of providers that a plan will invoke, in the order of the document. */
export const readInvocations = (plan: ValueMap): TofuInvocation[] =>
  elementsOf(plan.get('action_invocations')).flatMap((entry) =>
    isMap(entry)
      ? [
          {
            address: textOf(entry.get('address')) ?? '',
            type: textOf(entry.get('type')) ?? '',
            name: textOf(entry.get('name')) ?? '',
            ...triggerOf(entry),
            ...configOf(entry),
          },
        ]
      : [],
  )
