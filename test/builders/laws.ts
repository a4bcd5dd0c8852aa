import { isSpread } from './long.ts'

/*
 * Long laws. `npm run test:laws` plays all of their cases with a seed of its own, which it prints; `npm test` plays a few of them
 * that never change, so that a commit is judged by what it changed. `test:laws` runs the files that import this one; `.ci/run`
 * gives it a seed, and a share of the cases, because the same ones find nothing new the next time.
 */

/** Set by `npm run test:laws` alone. */
export const seedVariable = 'PLUMBLINE_LAW_SEED'

export const givenSeed = process.env[seedVariable]

/** Whether this is `npm run test:laws`. */
export const isLawRun = givenSeed !== undefined

const shareVariable = 'PLUMBLINE_LAW_SHARE'

/** Which part of all cases `npm run test:laws` plays: above 0, at most 1. */
const share = Number(process.env[shareVariable] ?? 1)
if (!(share > 0 && share <= 1)) throw new Error(`${shareVariable} is ${share}: give a number above 0, at most 1`)

/** A number for what is drawn at random. */
export const lawSeed = givenSeed === undefined ? 1 : Number(givenSeed)

/** All cases, or some of them, spread over the list from the first one on. */
export const lawCases = <Case>(cases: readonly Case[], kept = 1): readonly Case[] => {
  const count = isLawRun ? Math.max(kept, Math.ceil(share * cases.length)) : kept
  return cases.filter((_, index) => isSpread(index, cases.length, count))
}

/** How many of a usual number: twice as many in `npm run test:laws`; a tenth of them in `npm test`, and at most 500. */
export const lawCount = (usual: number): number => {
  const few = Math.max(1, Math.min(500, Math.ceil(usual / 10)))
  return isLawRun ? Math.max(few, Math.ceil(share * 2 * usual)) : few
}

/** The runs of a property. */
export const lawRuns = (usual: number): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: lawCount(usual),
  seed: lawSeed,
})

/** The step of a loop over all places: each one, or every `wide`th. */
export const lawStep = (wide: number): number => (isLawRun ? Math.min(wide, Math.ceil(1 / share)) : wide)
