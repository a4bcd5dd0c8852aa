import { describe, expect, it } from 'vitest'
import { lawStep } from '../../../builders/laws.ts'
import { eachOf } from '../../../builders/long.ts'
import {
  faultCases,
  judgeCase,
  type Scenario,
  scenarios,
  shapeName,
  shapes,
  statesOf,
  sweepOne,
} from '../../../builders/servers/faulty-reads.ts'

/* Promise: what is no answer is neither a clean bill nor a reason to write. `npm run sweep:reads` takes every case. */

const honest: Readonly<Record<Scenario, readonly string[]>> = {
  equal: [],
  differs: ['update'],
  missing: ['create'],
  leaving: ['delete'],
}

const byName = shapes.map((shape) => [shapeName(shape), shape] as const)
const stride = 20 * lawStep(25)
const chosen = faultCases.filter((_, n) => n % stride === 0)

describe('a check with valid answers only', () => {
  eachOf(it, 4)(byName)('plans exactly what is true: %s', async (_, shape) => {
    for (const scenario of scenarios) {
      for (const recorded of statesOf(scenario)) {
        const { changes, unchecked } = await sweepOne(shape, scenario, recorded)
        expect([scenario, recorded, changes, unchecked]).toEqual([scenario, recorded, honest[scenario], []])
      }
    }
  })
})

describe('a check with one invalid answer', () => {
  let met = 0
  it.each(byName)('plans nothing from it: %s', async (_, shape) => {
    const wrong: string[] = []
    for (const each of chosen.filter((one) => one.shape === shape)) {
      const judged = await judgeCase(each)
      if (judged.met) met += 1
      if (judged.wrong !== undefined) wrong.push(judged.wrong)
    }
    expect(wrong).toEqual([])
  })

  it('sees the fault in nearly all cases', () => expect(met).toBeGreaterThanOrEqual(2_000 / lawStep(25)))
})
