import { visible } from '../characters/visible.ts'
import { count, names } from '../shared/words.ts'
import { type Row, textRow } from './row.ts'

/** Rows for hidden parts: they count the parts, and name them if the names help to find a change. */

type FoldedKind = 'attribute' | 'entry' | 'element'
const plurals = { attribute: 'attributes', entry: 'entries', element: 'elements' }

const counted = (n: number, adjective: string, noun: FoldedKind): string =>
  count(n, `${adjective}${noun}`, `${adjective}${plurals[noun]}`)

const unchanged = (n: number, noun: FoldedKind, which = ''): readonly Row[] =>
  n === 0 ? [] : [textRow('fold', 'same', `(${counted(n, 'unchanged ', noun)}${which})`)]

export const foldMembers = (n: number, noun: FoldedKind): readonly Row[] => unchanged(n, noun)

const most = 3

/** Neighbours in a list, by their labels: a run is told by its ends. */
export const foldRun = (labels: readonly string[]): readonly Row[] =>
  unchanged(
    labels.length,
    'element',
    labels.length > most ? `: ${labels[0]} to ${labels.at(-1)}` : `: ${labels.join(', ')}`,
  )

/** Elements without an order, by their names; silent where one has none. */
export const foldSet = (labels: readonly (string | undefined)[]): readonly Row[] => {
  const named = labels.filter((label) => label !== undefined)
  return unchanged(labels.length, 'element', named.length < labels.length ? '' : `: ${names(named, most)}`)
}

/** Names, not yet safe to print, of members that are known only after apply. */
export const foldLater = (members: readonly string[], noun: FoldedKind): readonly Row[] => {
  if (members.length === 0) return []
  const told = `${counted(members.length, '', noun)} known after apply: ${members.map(visible).join(', ')}`
  return [textRow('fold', 'create', `(${told})`)]
}
