import { type ResourcePresence, type Vanished, vanishedIn } from '../../../binding/vanished.ts'
import type { ObservedResource } from '../plan/observation.ts'

/** An archived object was seen, so it is not missing. */
export const isMissing = ({ observed: { result } }: ObservedResource): boolean =>
  result.kind === 'absent' && result.archived === undefined

/** `others`: how many more are gone, because other objects have their names. */
export const vanishedAmong = (group: readonly ObservedResource[], others = 0): Vanished | undefined =>
  vanishedIn([...group.map(lookedFor), ...Array<ResourcePresence>(others).fill({ isRecorded: true, found: 'absent' })])

/**
 * An object whose create was sent without a known result may never have existed, and one whose delete was sent may be gone by
 * that, so they do not count as recorded.
 */
export const wasThere = ({ recorded }: ObservedResource): boolean =>
  recorded !== undefined &&
  recorded.doubted !== 'deleted' &&
  recorded.doubted !== 'replaced' &&
  (recorded.doubted !== 'sent' || recorded.lastApplied !== undefined)

const lookedFor = (one: ObservedResource): ResourcePresence => ({
  isRecorded: wasThere(one),
  found: isMissing(one) ? 'absent' : one.observed.result.kind === 'unknown' ? 'unknown' : 'present',
})
