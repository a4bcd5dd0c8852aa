import type { Note } from '../schema/issue.ts'
import type { Address, DesiredResource, RecordedResource } from '../schema/resource.ts'
import type { Change } from '../schema/stored/plan.ts'
import { isDeletedFirst } from './order-changes.ts'
import { stillNeeded } from './words.ts'

/** Tells of each object that is deleted and created again while others that stay as they are, or change only later, need it. */
export const notesOnNeeded = (
  changes: readonly Change[],
  desired: readonly DesiredResource[],
  recorded: readonly RecordedResource[],
): readonly Note[] => {
  const going = new Set(changes.filter(isGoing).map(({ address }) => address))
  const places = new Map(desired.map((each) => [each.address, each.position]))
  return changes
    .filter((change) => isGoing(change) && isDeletedFirst(change))
    .flatMap(({ address }): Note[] => {
      const stay = recorded.filter((each) => each.dependsOn.includes(address) && !going.has(each.address))
      const position = places.get(address)
      if (position === undefined || stay.length === 0) return []
      const by: readonly Address[] = stay.map((each) => each.address)
      return [{ level: 'warning', ...position, ...stillNeeded(address, by), value: address }]
    })
}

/** Its object is deleted before what it needs. */
const isGoing = (change: Change): boolean =>
  change.blocked === undefined && (change.action === 'delete' || isDeletedFirst(change))
