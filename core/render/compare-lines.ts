import { diffArrays } from 'diff'
import type { TextDiff } from '../schema/diff.ts'

type Line = TextDiff['lines'][number]

/** Texts that differ in more places than this are shown as one block out and one block in. */
const maxEdits = 2_000

/** Only for display: how the lines of one text become those of the other. */
export const compareLines = (before: readonly string[], after: readonly string[]): readonly Line[] => {
  const parts = diffArrays([...before], [...after], { maxEditLength: maxEdits })
  if (parts === undefined) return [...before.map(line('delete')), ...after.map(line('create'))]
  return parts.flatMap((part) => part.value.map(line(part.added ? 'create' : part.removed ? 'delete' : 'same')))
}

const line =
  (action: Line['action']) =>
  (text: string): Line => ({ action, text })
