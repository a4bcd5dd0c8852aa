import { isEqual } from '../../../diff/matching/canonical.ts'
import type { Command, CommandDraft, ElementAddress } from '../../../schema/command.ts'
import { defined } from '../../../values/defined.ts'

/**
 * Where the element of a step stands, and in which list, right before the request that undoes the step is sent. `steps` are in the
 * order in which they are undone; `own`: what the provider would send today, whose first request says what the list is now.
 */
export const addressBack = (
  steps: readonly Command[],
  index: number,
  own: readonly CommandDraft[],
): ElementAddress | undefined => {
  const about = steps[index]?.about
  if (about?.order === undefined) return undefined
  const { of, order, at } = about
  const isOfList = ({ about: other }: Pick<CommandDraft, 'about'>): boolean =>
    other?.of === of && other.order !== undefined
  // What was to be true before a later step of the apply is true once that step is undone.
  const [undoneBefore, today] = [steps.slice(0, index).findLast(isOfList), own.find(isOfList)]
  const now = (undoneBefore ?? today)?.about?.order
  return now && { of, order: now, ...defined({ at: placeIn(now, order, at) }) }
}

type Order = NonNullable<ElementAddress['order']>

/** Where an element is after a step that added, moved or changed it; `undefined` for one that was removed. */
const placeIn = (after: Order, before: Order, at: number | undefined): number | undefined => {
  if (after.length < before.length) return undefined
  const others =
    after.length === before.length && at !== undefined && !isEqual(after, before) ? before.toSpliced(at, 1) : before
  if (after.length === others.length) return at
  const place = after.findIndex((each, index) => !isEqual(each, others[index]))
  return place < 0 ? undefined : place
}
