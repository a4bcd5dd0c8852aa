import { expect, it } from 'vitest'
import { isLawRun, lawSeed } from '../builders/laws.ts'
import { runChaos } from './apply-chaos.ts'

it.each(isLawRun ? [lawSeed, lawSeed + 1, lawSeed + 2, lawSeed + 3] : [lawSeed])(
  'applies that are killed, suspended or cut from the store double nothing, and converge: seed %i',
  async (seed) => {
    const verdicts = await runChaos({ count: isLawRun ? 8 : 1, seed, atOnce: 4 })
    expect(verdicts.flatMap(({ case: one, faults }) => faults.map((fault) => ({ ...one, fault })))).toEqual([])
  },
)
