import type { Diff } from '../../../engine/schema/diff.ts'
import { defined } from '../../../engine/values/defined.ts'
import { inferBlock } from '../read/infer-block.ts'
import { readInvocation } from '../read/read-invocations.ts'
import type { UnreadEntry } from '../read/shapes.ts'
import { elementsOf, isMap, memberOf, textOf, type Value, type ValueMap } from '../read/value.ts'
import { addressOf, orProblem } from '../read/why-unread.ts'
import { standing } from './annotate.ts'
import { blockFacts } from './facts.ts'
import { hideOnBoth } from './hide-on-both.ts'
import type { ViewInvocation } from './plan-view.ts'
import { type Seal, toJson } from './to-json.ts'

interface ReadAction {
  readonly action?: ViewInvocation
  readonly problem?: UnreadEntry
}

/** The actions of providers that a plan invokes, then those that it defers. */
export const readActions = (plan: ValueMap, seal: Seal): readonly ReadAction[] => [
  ...elementsOf(plan.get('action_invocations')).map((entry) => readAction(entry, seal)),
  ...elementsOf(plan.get('deferred_action_invocations')).map((entry) => {
    const reason = textOf(memberOf(entry, 'reason')) ?? 'unknown'
    const { action, problem } = readAction(memberOf(entry, 'action_invocation') ?? null, seal)
    return { ...defined({ action: action && { ...action, deferred: reason }, problem }) }
  }),
]

const readAction = (entry: Value, seal: Seal): ReadAction => {
  const address = addressOf(entry)
  if (address === '') return { problem: { address, detail: 'the action has no address' } }
  return orProblem(address, () => {
    const { trigger } = readInvocation(entry)
    return { action: { address, ...defined({ trigger, config: configOf(entry, seal) }) } }
  })
}

/** What the action is invoked with. */
const configOf = (entry: Value, seal: Seal): Diff | undefined => {
  const part = (name: string): Value | undefined => memberOf(entry, `config_${name}`) ?? undefined
  const [value, unknown, sensitive] = [part('values'), part('unknown'), part('sensitive')]
  if (!isMap(value) && !isMap(unknown) && sensitive !== true) return undefined
  const found = { values: [value ?? null], markers: [unknown ?? null, sensitive ?? null] }
  const facts = blockFacts(inferBlock({ ...found, expressions: undefined }), found, false)
  const [, hidden] = hideOnBoth({ value: undefined }, { value, unknown, sensitive })
  const json = toJson(hidden, facts, seal)
  return json === undefined ? undefined : standing(facts, json)
}
