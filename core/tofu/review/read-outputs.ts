import type { ReviewOutput } from '../../schema/review.ts'
import { dynamic, readType, type ValueType } from '../facts.ts'
import { elementsOf, isMap, memberOf, sortedKeys, type Value } from '../value.ts'
import { annotate } from './annotate.ts'
import { diffSides, standing } from './diff-sides.ts'
import { typeFacts } from './facts.ts'
import { type Marked, type Seal, toJson } from './to-json.ts'

const namesOf = (outputs: Value | undefined): readonly string[] => sortedKeys(isMap(outputs) ? outputs.keys() : [])

const outputOf = (name: string, before: Marked, after: Marked, type: ValueType, seal: Seal): ReviewOutput => {
  const facts = typeFacts(type, { values: [before.value ?? null, after.value ?? null], markers: [] })
  const diff = diffSides(facts, toJson(before, facts, seal), toJson(after, facts, seal))
  return { name, diff: annotate(diff, facts, []) }
}

/** Those that a plan changes. Without a type: what JSON says is all that is known. */
export const readOutputChanges = (outputs: Value | undefined, seal: Seal): readonly ReviewOutput[] =>
  namesOf(outputs).flatMap((name) => {
    const change = memberOf(outputs, name)
    const actions = elementsOf(memberOf(change, 'actions')).join()
    if (actions === 'no-op') return []
    const side = (which: 'before' | 'after', isThere: boolean): Marked => {
      const value = memberOf(change, which)
      return { value: isThere || value !== null ? value : undefined, sensitive: memberOf(change, `${which}_sensitive`) }
    }
    const after = { ...side('after', actions !== 'delete'), unknown: memberOf(change, 'after_unknown') }
    return [outputOf(name, side('before', actions !== 'create'), after, dynamic, seal)]
  })

/** All of a state. */
export const readStateOutputs = (outputs: Value | undefined, seal: Seal): readonly ReviewOutput[] =>
  namesOf(outputs).map((name) => {
    const output = memberOf(outputs, name)
    const value = memberOf(output, 'value') ?? null
    const facts = typeFacts(readType(memberOf(output, 'type')), { values: [value], markers: [] })
    const json = toJson({ value, sensitive: memberOf(output, 'sensitive') }, facts, seal) ?? null
    return { name, diff: annotate(standing(facts, json), facts, []) }
  })
