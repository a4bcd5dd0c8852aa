import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rootOf } from '../../../core/engine/diff/matching/facts.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../core/engine/schema/json.ts'
import { pairs } from '../../builders/generators/arbitraries.ts'
import { lawRuns } from '../../builders/laws.ts'
import { desiredOf, plan, planOf, present, recordedOf } from '../../builders/values/resources.ts'

/** Numbers from 0 up to a limit, the same for each seed. */
const chances = (seed: number) => {
  let state = seed >>> 0
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const shuffled = <T>(items: readonly T[], chance: (limit: number) => number): T[] => {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = chance(at + 1)
    const [one, two] = [all[at], all[other]]
    if (one !== undefined && two !== undefined) [all[at], all[other]] = [two, one]
  }
  return all
}

/** The same value in another order of all members, and of the elements of all sets. */
const permuted = (facts: Attribute | undefined, value: Json, chance: (limit: number) => number): Json => {
  if (isArray(value)) {
    const inner = value.map((each) => permuted(facts?.element, each, chance))
    return facts?.type === 'set' ? shuffled(inner, chance) : inner
  }
  if (!isObject(value)) return value
  const entries = shuffled(Object.entries(value), chance)
  return Object.fromEntries(
    entries.map(([name, each]) => [name, permuted(facts?.attributes?.[name] ?? facts?.element, each, chance)]),
  )
}

test('law: no digest of a plan depends on the order of members and sets (10,000 permutations)', () => {
  const world = fc.record({ pair: pairs({ facts: true, partial: true }), seed: fc.integer() })
  fc.assert(
    fc.property(world, ({ pair: { schema, left, right }, seed }) => {
      const chance = chances(seed)
      const facts = rootOf(schema)
      const planned = (turn: (value: JsonObject) => JsonObject) =>
        planOf([
          plan({
            desired: desiredOf(turn(left)),
            facts: { schema },
            observed: present(turn(right)),
            recorded: recordedOf(turn(right)),
          }),
        ]).digests
      const first = planned((value) => value)
      for (let n = 0; n < 100; n += 1)
        expect(planned((value) => permuted(facts, value, chance) as JsonObject)).toEqual(first)
    }),
    lawRuns(100),
  )
})
