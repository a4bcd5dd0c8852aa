import { expect, it } from 'vitest'
import { runChaos } from './apply-chaos.ts'

it.each([20_261_122, 7_300_411, 911_218])(
  'applies that are killed, suspended or cut from the store double nothing, and converge: seed %i',
  async (seed) => {
    const verdicts = await runChaos({ count: 4, seed, atOnce: 4 })
    expect(verdicts.flatMap(({ case: one, faults }) => faults.map((fault) => ({ ...one, fault })))).toEqual([])
  },
)
