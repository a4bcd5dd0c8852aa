import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rootOf } from '../../../core/engine/diff/matching/facts.ts'
import { normalise } from '../../../core/engine/diff/normalise.ts'
import { satisfies } from '../../../core/engine/diff/overlay.ts'
import { changedPaths } from '../../../core/engine/values/changed-paths.ts'
import { pairs } from '../../builders/generators/arbitraries.ts'
import { apply, check, desiredOf, plan, planOf, present, recordedOf, unknown } from '../../builders/values/resources.ts'

const rich = pairs({ facts: true, partial: true })
const cases = rich.chain((pair) =>
  fc.record({
    pair: fc.constant(pair),
    recorded: fc.constantFrom(undefined, recordedOf(pair.left), recordedOf(pair.right), recordedOf({})),
  }),
)

const inputOf = ({ pair, recorded }: typeof cases extends fc.Arbitrary<infer Case> ? Case : never) => ({
  desired: desiredOf(pair.left),
  facts: { schema: pair.schema },
  observed: present(pair.right),
  ...(recorded === undefined
    ? {}
    : { recorded: { ...recorded, attributes: normalise(pair.schema, recorded.attributes, 'observed') } }),
})

describe('the plan of one resource', () => {
  test('gives the desired state when it is applied, and is empty afterwards', () =>
    fc.assert(
      fc.property(cases, (example) => {
        const input = inputOf(example)
        const planned = plan(input)
        if (planned.unchecked !== undefined) {
          const { change, drift, unchecked } = planned
          const names = [change, drift].flatMap((each) => (each ? changedPaths(each.diff) : [])).map(([first]) => first)
          expect(unchecked.attributes?.filter((name) => names.includes(name))).toEqual([])
          return
        }
        expect(satisfies(rootOf(input.facts.schema), planned.after ?? {}, planned.desired ?? {})).toBe(true)
        const { read, record } = apply(input, planned)
        const again = plan({ ...input, observed: read, ...(record === undefined ? {} : { recorded: record }) })
        expect(again.change).toBeUndefined()
        if (record !== undefined) expect(again.drift).toBeUndefined()
      }),
    ))

  test('has the same finding at every check of an untouched system', () =>
    fc.assert(
      fc.property(cases, (example) => {
        const input = inputOf(example)
        const first = check(input)
        const second = check({ ...input, ...(first.record ? { recorded: first.record } : {}) })
        const third = check({ ...input, ...(second.record ? { recorded: second.record } : {}) })
        expect(second.planned.change).toEqual(first.planned.change)
        expect(third.planned).toEqual(second.planned)
        expect(third.record).toEqual(second.record)
      }),
    ))

  test('has no drift once a system in sync is recorded', () =>
    fc.assert(
      fc.property(rich, ({ schema, left, right }) => {
        const input = { desired: desiredOf(left), facts: { schema }, observed: present(right) }
        const { read, record } = apply(input, plan(input))
        const settled = check({ ...input, observed: read, ...(record ? { recorded: record } : {}) })
        const later = plan({ ...input, observed: read, recorded: settled.record! })
        expect([later.change, later.drift]).toEqual([undefined, undefined])
      }),
    ))
})

describe('a plan', () => {
  test('is never in sync while anything is unchecked', () =>
    fc.assert(
      fc.property(fc.array(rich, { maxLength: 3 }), (pairs) => {
        const planned = pairs.map(({ schema, left, right }) =>
          plan({ desired: desiredOf(left), facts: { schema }, observed: present(right) }),
        )
        const blind = plan({ desired: desiredOf({}), facts: { schema: { attributes: {} } }, observed: unknown })
        expect(planOf([...planned, blind])).toMatchObject({ inSync: false, complete: false })
      }),
    ))

  test('is in sync exactly if nothing differs', () =>
    fc.assert(
      fc.property(rich, ({ schema, left, right }) => {
        const planned = plan({ desired: desiredOf(left), facts: { schema }, observed: present(right) })
        expect(planOf([planned]).inSync).toBe(planned.unchecked === undefined && planned.after === planned.before)
      }),
    ))
})
