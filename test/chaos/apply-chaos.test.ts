import { expect, it } from 'vitest'
import { runChaos } from './apply-chaos.ts'

it('an apply that is killed, suspended or cut from the store doubles nothing, and converges', {
  timeout: 300_000,
}, async () => {
  const verdicts = await runChaos({ count: 12, seed: 20_261_122, atOnce: 4 })
  expect(verdicts.flatMap(({ case: one, faults }) => faults.map((fault) => ({ ...one, fault })))).toEqual([])
})
