import fc from 'fast-check'
import { anyModel, type Model } from './model.ts'
import { type Played, playSequence } from './play.ts'
import { anySteps, type Step, type StepOptions } from './steps.ts'

/* The law over many sequences, and what it says of one that breaks it. */

export interface Trial {
  readonly seed: number
  readonly count: number
  readonly models?: fc.Arbitrary<Model>
  readonly steps?: StepOptions
  /** A violation that is known is left aside. */
  readonly isKnown?: (violation: string, model: Model) => boolean
}

export interface Tried {
  /** By how they ended; `clear` where nobody could have been in doubt. */
  readonly ends: Readonly<Record<string, number>>
  readonly sequences: number
  readonly writes: number
  readonly counterexample?: Counterexample
}

export interface Counterexample {
  readonly seed: number
  readonly path: string
  readonly model: Model
  readonly steps: readonly Step[]
  readonly violation: string
  readonly story: readonly string[]
}

const leaveAside = () => false

/** Plays `count` sequences and, where one breaks the law, smaller ones until none is left that does. */
export const tryLaw = async ({
  seed,
  count,
  models = anyModel,
  steps,
  isKnown = leaveAside,
}: Trial): Promise<Tried> => {
  const ends = new Map<string, number>()
  let sequences = 0
  let writes = 0
  let last: (Played & { readonly violation: string }) | undefined
  const property = fc.asyncProperty(models, anySteps(steps), async (model, sequence) => {
    const played = await playSequence(model, sequence)
    const { violation } = played
    if (last === undefined) {
      sequences += 1
      writes += played.writes
      const end = violation === undefined ? `${played.end}${played.clear ? ', clear' : ''}` : 'known violation'
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }
    if (violation === undefined || isKnown(violation, model)) return true
    last = { ...played, violation }
    return false
  })
  const { failed, counterexample, counterexamplePath } = await fc.check(property, { seed, numRuns: count })
  const [model, sequence] = counterexample ?? []
  const found =
    failed && last !== undefined && model !== undefined && sequence !== undefined
      ? { seed, path: counterexamplePath ?? '', model, steps: sequence, ...last }
      : undefined
  return {
    ends: Object.fromEntries(ends),
    sequences,
    writes,
    ...(found === undefined ? {} : { counterexample: found }),
  }
}

/** A counterexample as people read it. */
export const tellOf = ({ seed, path, violation, story }: Counterexample): string =>
  [`seed ${seed}, path ${path}: ${violation}`, ...story.map((line) => `  ${line}`)].join('\n')

/** A part of all sequences, for reports. */
export const shareOf = ({ ends }: Tried, isMeant: (end: string) => boolean): number => {
  const all = Object.values(ends).reduce((sum, each) => sum + each, 0)
  const meant = Object.entries(ends).reduce((sum, [end, count]) => sum + (isMeant(end) ? count : 0), 0)
  return all === 0 ? 0 : meant / all
}
