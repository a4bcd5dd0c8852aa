import { expect, it } from 'vitest'
import { shareOf, tellOf, tryLaw } from './property.ts'

/*
 * The law of who owns what, over random sequences on random APIs. `npm run fuzz:identity` plays twenty times as many, with a
 * seed of the day; the seeds here are fixed, so that a commit is judged by what it changed. A failure prints the smallest
 * sequence that breaks the law, as a story.
 */

const seeds = [1, 2, 3, 4, 5].map((seed) => ({ name: `seed ${seed}`, seed }))

it.each(seeds)('200 sequences of $name', { timeout: 300_000 }, async ({ seed }) => {
  const tried = await tryLaw({ seed, count: 200 })
  expect(tried.counterexample && tellOf(tried.counterexample)).toBeUndefined()
  // "unchecked" for everything would break no law.
  expect(shareOf(tried, (end) => end.startsWith('converged'))).toBeGreaterThan(0.7)
  expect(shareOf(tried, (end) => end === 'unchecked, clear')).toBeLessThan(0.1)
})
