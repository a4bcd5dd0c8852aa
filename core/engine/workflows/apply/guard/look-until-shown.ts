import { factsAlong } from '../../../diff/matching/facts.ts'
import { normaliseRead } from '../../../diff/normalise-read.ts'
import { seenDigest } from '../../../plan/commands/seen-digest.ts'
import type { Address, ReadResult } from '../../../schema/resource.ts'
import { changedPaths } from '../../../values/changed-paths.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../session/open-session.ts'
import { type ExpectedObject, lookAgain, plannedOf, type TypedResourcePlan } from './look-again.ts'

/** Each pause is twice as long as the one before, up to the longest. */
const firstPauseMs = 500
const longestPauseMs = 4_000

/**
 * Reads a resource whose commands are done. A target may answer a write before its reads show it: as long as they show exactly what
 * was there before, the resource is read again, for the time that its type grants.
 */
export const lookUntilShown = async (
  address: Address,
  session: Session,
  deps: Deps,
  meant: ExpectedObject,
): Promise<ReadResult> => {
  const one = plannedOf(address, session)
  let left = (one.type.lagSeconds ?? 0) * 1_000
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const now = await lookAgain(address, session, deps, meant)
    // The check that follows needs its time too.
    const ms = Math.min(pause, left, (deps.deadline?.left() ?? Number.POSITIVE_INFINITY) / 4)
    if (ms < 1 || !isAsBefore(one, now)) return now
    await deps.clock.sleep(ms)
    left -= ms
  }
}

const isAsBefore = ({ planned, type, desired }: TypedResourcePlan, now: ReadResult): boolean => {
  const { change, before, observedDigest } = planned
  if (change === undefined || now.kind === 'unknown') return false
  if (before === null || before === undefined || change.action === 'replace') return now.kind === 'absent'
  if (now.kind === 'absent') return false
  const isVisible = changedPaths(change.diff).some((path) =>
    factsAlong(type.schema, path).every(({ writeOnly, createOnly }) => writeOnly !== true && createOnly !== true),
  )
  return isVisible && seenDigest(type.schema, normaliseRead(type.schema, now, desired?.attributes)) === observedDigest
}
