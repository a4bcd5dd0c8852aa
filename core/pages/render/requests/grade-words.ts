import type { Command, Grade } from '../../../engine/schema/command.ts'
import { foreignList, type Prose, when } from '../characters/prose.ts'

const grades: Readonly<Record<Grade, string>> = {
  reversible: 'reversible',
  lossy: 'lossy: undo does not restore everything',
  irreversible: 'irreversible',
  unknown: 'unknown whether it can be undone',
}

export const gradeWords = ({ grade, inverse }: Pick<Command, 'grade' | 'inverse'>): string =>
  grade === 'lossy' && inverse === undefined ? 'lossy: no request undoes it' : grades[grade]

const shownPlaces = 20

const firstPlaces = (places: readonly string[]): Prose => [
  ...foreignList(places.slice(0, shownPlaces)),
  ...when(places.length > shownPlaces, ` and ${places.length - shownPlaces} more`),
]

/** What else goes, besides what the plan shows. */
export const lossWords = ({
  loses = [],
  moves = [],
  takes = [],
}: Pick<Command, 'loses' | 'moves' | 'takes'>): Prose => [
  ...(loses.length === 0 ? [] : [' (it has more, which is lost: ', ...firstPlaces(loses), ')']),
  ...(takes.length === 0 ? [] : [' (with it goes what is in it and nobody declares: ', ...firstPlaces(takes), ')']),
  ...(moves.length === 0 ? [] : [' (elements that are not ours change their places in ', ...foreignList(moves), ')']),
]
