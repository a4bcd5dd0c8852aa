import type { Diff } from '../../../engine/schema/diff.ts'
import { readType } from '../read/schemas.ts'
import type { UnreadEntry } from '../read/shapes.ts'
import { elementsOf, isMap, keysOf, memberOf, textOf, type Value, type ValueMap } from '../read/value.ts'
import { orProblem } from '../read/why-unread.ts'
import { diffSides, standing } from './annotate.ts'
import { plainFacts, typeFacts } from './facts.ts'
import { hideOnBoth } from './hide-on-both.ts'
import type { ViewCheck, ViewOutput } from './plan-view.ts'
import { explainUnknown } from './sources.ts'
import { type Marked, type Seal, toJson } from './to-json.ts'

interface ReadOutput {
  readonly output?: ViewOutput
  readonly problem?: UnreadEntry
}

/** Those that a plan changes, by what JSON says of them: a plan does not tell their types. */
export const readOutputChanges = (
  outputs: Value | undefined,
  expressions: Value | undefined,
  seal: Seal,
): readonly ReadOutput[] =>
  keysOf([outputs]).map((name) => {
    const address = `output.${name}`
    const change = memberOf(outputs, name)
    if (!isMap(change)) return { problem: { address, detail: 'it does not say what changes' } }
    const actions = elementsOf(change.get('actions')).join()
    if (actions === 'no-op') return {}
    const expression = memberOf(memberOf(expressions, name), 'expression')
    return orProblem(address, () => ({ output: { name, diff: diffOf(change, actions, expression, seal) } }))
  })

const diffOf = (change: ValueMap, actions: string, expression: Value | undefined, seal: Seal): Diff => {
  // Null is a value that an output may have; one that does not exist is null, too.
  const side = (which: 'before' | 'after', absentIn: string): Marked => {
    const value = change.get(which)
    return {
      value: value === null && actions === absentIn ? undefined : value,
      sensitive: change.get(`${which}_sensitive`),
    }
  }
  const later = { ...side('after', 'delete'), unknown: change.get('after_unknown') }
  const [old, next] = hideOnBoth(side('before', 'create'), later)
  const [before, after] = [toJson(old, plainFacts, seal), toJson(next, plainFacts, seal)]
  return diffSides(plainFacts, before, explainUnknown(after, expression).value)
}

/** All of a state. */
export const readStateOutputs = (outputs: Value | undefined, seal: Seal): readonly ReadOutput[] =>
  keysOf([outputs]).map((name) =>
    orProblem(`output.${name}`, () => {
      const output = memberOf(outputs, name)
      const value = memberOf(output, 'value') ?? null
      const facts = typeFacts(readType(memberOf(output, 'type')), { values: [value], markers: [] })
      const json = toJson({ value, sensitive: memberOf(output, 'sensitive') }, facts, seal) ?? null
      return { output: { name, diff: standing(facts, json) } }
    }),
  )

const checkOf = (entry: Value, kind: string): ViewCheck => ({
  address: textOf(memberOf(memberOf(entry, 'address'), 'to_display')) ?? '',
  kind,
  status: textOf(memberOf(entry, 'status')) ?? 'unknown',
  problems: elementsOf(memberOf(entry, 'problems')).flatMap((problem) => {
    const message = textOf(memberOf(problem, 'message'))
    return message === undefined ? [] : [message]
  }),
})

/** All that did not pass, by instance; what has none stands for itself. */
export const readChecks = (checks: Value | undefined): readonly ViewCheck[] =>
  elementsOf(checks).flatMap((check) => {
    const kind = textOf(memberOf(memberOf(check, 'address'), 'kind')) ?? ''
    const whole = checkOf(check, kind)
    if (whole.status === 'pass') return []
    const instances = elementsOf(memberOf(check, 'instances')).map((instance) => checkOf(instance, kind))
    const failed = instances.filter(({ status }) => status !== 'pass')
    return failed.length === 0 ? [whole] : failed
  })
