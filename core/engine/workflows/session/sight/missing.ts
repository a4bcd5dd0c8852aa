import { type ResourcePresence, type Vanished, vanishedIn } from '../../../binding/vanished.ts'
import type { ObservedResource } from '../plan/observation.ts'

/** An archived object was seen, so it is not missing. */
export const isMissing = ({ observed: { result } }: ObservedResource): boolean =>
  result.kind === 'absent' && result.archived === undefined

export const vanishedAmong = (group: readonly ObservedResource[]): Vanished | undefined =>
  vanishedIn(group.map(lookedFor))

/** An object whose create was sent without a known result may never have existed, so it does not count as recorded. */
const lookedFor = (one: ObservedResource): ResourcePresence => ({
  isRecorded: one.recorded !== undefined && (one.recorded.doubted !== 'sent' || one.recorded.lastApplied !== undefined),
  found: isMissing(one) ? 'absent' : one.observed.result.kind === 'unknown' ? 'unknown' : 'present',
})
