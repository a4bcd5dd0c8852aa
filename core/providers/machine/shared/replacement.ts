import type { PlannedChange } from '../../../engine/provider/provider.ts'
import type { CommandDraft } from '../../../engine/schema/command.ts'
import { type FilePlace, placeIn, type Roots } from './place.ts'

/**
 * A replacement as two changes, in its order: what exists is deleted, and what is desired is created. The precondition of
 * the one does not hold for the other. Every other change stays as it is.
 */
export const splitReplacement = (change: PlannedChange): readonly PlannedChange[] => {
  if (change.action !== 'replace') return [change]
  const { version: _, ...rest } = change
  const remove = { ...change, action: 'delete' as const, desired: change.before ?? change.desired }
  const create = { ...rest, action: 'create' as const, before: null }
  return change.replaceOrder === 'createFirst' ? [create, remove] : [remove, create]
}

/** The commands for an object in the file that an attribute names; none if a file is outside of the roots. */
export const commandsInFile = (
  roots: Roots,
  attribute: string,
  change: PlannedChange,
  commandsAt: (change: PlannedChange, place: FilePlace) => readonly CommandDraft[],
): readonly CommandDraft[] => {
  const drafts = splitReplacement(change).map((each) => {
    const place = placeIn(roots, String(each.desired[attribute]))
    return place && commandsAt(each, place)
  })
  return drafts.every((each) => each !== undefined) ? drafts.flat() : []
}
