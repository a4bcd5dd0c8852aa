import type { Left, ResourceResult, ResultCounts } from '../../../engine/schema/stored/outcome.ts'
import type { Apply } from '../../../engine/schema/stored/records.ts'
import { present } from '../../../engine/values/defined.ts'
import { firstOf, leftDetail } from '../../../engine/values/texts/shorten.ts'
import type { Palette } from '../characters/palette.ts'
import { alignCells, type Cell } from '../characters/table.ts'
import { visible } from '../characters/visible.ts'

/* What became of the resources of an apply. */

/** `3 applied, 1 failed, 0 skipped, 2 remaining` */
export const resultWords = ({ applied, failed, skipped, remaining }: ResultCounts): string =>
  [`${applied} applied`, `${failed} failed`, `${skipped} skipped`, `${remaining} remaining`].join(', ')

const verdicts: Readonly<Record<NonNullable<ResourceResult['verdict']>, readonly [string, keyof Palette]>> = {
  in_sync: ['in sync', 'green'],
  as_before: ['as before the apply', 'green'],
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
const urgency = ({ result, verdict, besides }: ResourceResult): number =>
  Object.keys(paints).indexOf(result) +
  ((verdict === 'in_sync' || verdict === 'as_before') && besides === undefined ? 0.5 : 0)

/** The verdict has already said that the whole could not be read. */
const reasonOf = (left: Left): string =>
  left.kind === 'unchecked' && left.paths.length === 0 ? (left.detail ?? '') : leftDetail(left)

const verdictOf = ({ verdict }: ResourceResult, left: readonly Left[]): readonly [string, keyof Palette] => {
  if (verdict === undefined) return ['', 'dim']
  const isInPart = verdict === 'unknown' && left.length > 0 && left.every(({ paths }) => paths.length > 0)
  return isInPart ? ['read again in part', 'yellow'] : verdicts[verdict]
}

const hiddenWords = ({ unobserved = [] }: ResourceResult) =>
  unobserved.length > 0 && `${unobserved.join(', ')} cannot be read back`

const lostWords = ({ lost = [] }: ResourceResult) => lost.length > 0 && `does not come back: ${firstOf(lost, 20)}`

const besidesWords = ({ besides = [] }: ResourceResult) =>
  besides.length > 0 && `changed besides, and not by the plan: ${besides.join(', ')}`

/** A server can do what it refuses, and others can do it meanwhile: a read does not tell which. */
const doneWords = ({ result, verdict }: ResourceResult) =>
  result === 'failed' && verdict === 'in_sync' && 'not all of its commands succeeded, and yet it is as configured now'

/** What the verdict of a resource leaves out. */
export const restWords = (resource: ResourceResult): readonly string[] =>
  present(doneWords(resource), lostWords(resource), besidesWords(resource), hiddenWords(resource))

const rowOf = (resource: ResourceResult, left: readonly Left[], paint: Palette): readonly Cell[] => {
  const { address, result, because } = resource
  const [words, colour] = verdictOf(resource, left)
  const found = present(...left.map(reasonOf), ...restWords(resource)).join('; ')
  const why = because === undefined ? found : `it waits for ${because}, which failed`
  return [
    { text: `  ${visible(address)}` },
    { text: result, paint: paint[paints[result]] },
    { text: words, paint: paint[colour] },
    { text: visible(why), paint: paint.dim },
  ]
}

/** More rows would make the text too long; the JSON form has all of them. */
const shownResources = 25

/** Of what was sent: the resources that have a row of their own, the most urgent first. */
const shownOf = ({ resources = [] }: Apply): readonly ResourceResult[] =>
  resources.every(({ result }) => result === 'remaining')
    ? []
    : resources.toSorted((left, right) => urgency(left) - urgency(right)).slice(0, shownResources)

/** The counts, and once something was sent, each resource with its result and what a new read says about it. */
export const resultRows = (apply: Apply, paint: Palette): readonly string[] => {
  const { resources = [], results, left = [] } = apply
  if (!hasResults(apply) || results === undefined) return []
  const shown = shownOf(apply)
  const rest = shown.length === 0 ? 0 : resources.length - shown.length
  const found = (address: string) => left.filter((one) => one.address === address)
  return present(
    '',
    `Resources: ${resultWords(results)}`,
    ...alignCells(shown.map((resource) => rowOf(resource, found(resource.address), paint))),
    rest > 0 && `  ... and ${rest} more`,
  )
}

const hasResults = ({ mode, startedAt }: Apply): boolean => mode !== 'check' && startedAt !== undefined

/** More entries would make the text too long; the latest check has all of them. */
const shownLeft = 25

/** What else a new read found: all that has no row in the table of results. */
export const leftRows = (apply: Apply, paint: Palette): readonly string[] => {
  const told = new Set(hasResults(apply) ? shownOf(apply).map(({ address }) => address) : [])
  const left = (apply.left ?? []).filter(({ address }) => !told.has(address))
  if (left.length === 0) return []
  const rows = left
    .slice(0, shownLeft)
    .map((one): readonly Cell[] => [
      { text: `  ${one.kind === 'unchecked' ? '?' : '~'}`, paint: paint.yellow },
      { text: visible(one.address) },
      { text: visible(leftDetail(one)), paint: paint.dim },
    ])
  const rest = left.length - rows.length
  const title = told.size === 0 ? 'Not as configured:' : 'Other resources that are not as configured:'
  return present('', title, ...alignCells(rows), rest > 0 && `  ... and ${rest} more`)
}
