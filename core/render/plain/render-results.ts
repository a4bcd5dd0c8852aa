import type { ResourceResult, ResultCounts } from '../../schema/outcome.ts'
import type { Apply } from '../../schema/records.ts'
import { present } from '../../values/defined.ts'
import type { Palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'

/* What became of the resources of an apply. */

/** `3 applied, 1 failed, 0 skipped, 2 remaining` */
export const resultWords = ({ applied, failed, skipped, remaining }: ResultCounts): string =>
  [`${applied} applied`, `${failed} failed`, `${skipped} skipped`, `${remaining} remaining`].join(', ')

const verdicts: Readonly<Record<NonNullable<ResourceResult['verdict']>, readonly [string, keyof Palette]>> = {
  in_sync: ['in sync', 'green'],
  differs: ['still differs', 'yellow'],
  unknown: ['could not be read again', 'yellow'],
}

const paints: Readonly<Record<ResourceResult['result'], keyof Palette>> = {
  failed: 'red',
  skipped: 'yellow',
  remaining: 'yellow',
  applied: 'green',
}

/** Those that somebody has to look at come first. */
const urgency = ({ result, verdict }: ResourceResult): number =>
  Object.keys(paints).indexOf(result) + (verdict === 'in_sync' ? 0.5 : 0)

const rowOf = ({ address, result, because, verdict }: ResourceResult, paint: Palette): readonly Cell[] => {
  const [words, colour] = verdict === undefined ? (['', 'dim'] as const) : verdicts[verdict]
  return [
    { text: `  ${visible(address)}` },
    { text: result, paint: paint[paints[result]] },
    { text: words, paint: paint[colour] },
    { text: because === undefined ? '' : `it waits for ${visible(because)}, which failed`, paint: paint.dim },
  ]
}

/** More rows would make the text too long; the JSON form has all of them. */
const shownResources = 25

/** The counts, and once something was sent, each resource with its result and what a new read says about it. */
export const resultRows = ({ mode, startedAt, resources = [], results }: Apply, paint: Palette): readonly string[] => {
  if (mode === 'check' || startedAt === undefined || results === undefined) return []
  const isUntouched = resources.every(({ result }) => result === 'remaining')
  const shown = isUntouched
    ? []
    : resources.toSorted((left, right) => urgency(left) - urgency(right)).slice(0, shownResources)
  const rest = isUntouched ? 0 : resources.length - shown.length
  return present(
    '',
    `Resources: ${resultWords(results)}`,
    ...alignCells(shown.map((resource) => rowOf(resource, paint))),
    rest > 0 && `  ... and ${rest} more`,
  )
}
