import { compare } from '../../../diff/compare.ts'
import { factsAlong } from '../../../diff/matching/facts.ts'
import { normaliseRead } from '../../../diff/normalise-read.ts'
import { toPointer } from '../../../json/pointer.ts'
import { seenDigest } from '../../../plan/commands/seen-digest.ts'
import type { Path } from '../../../schema/json.ts'
import type { Address, PresentResult, ReadResult } from '../../../schema/resource.ts'
import { changedPaths } from '../../../values/changed-paths.ts'
import { defined } from '../../../values/defined.ts'
import { unlessEmpty, withoutMembers } from '../../../values/members.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../session/open-session.ts'
import type { Execution } from '../execution/apply-run.ts'
import { type ExpectedObject, knownIn, lookAgain, plannedOf, type TypedResourcePlan } from './look-again.ts'
import { readAfter } from './read-for.ts'

/** Each pause is twice as long as the one before, up to the longest. */
const firstPauseMs = 500
const longestPauseMs = 4_000

/**
 * Reads a resource again after commands. A target may answer a write before its reads show it: as long as they show what was there
 * before, it is read again, for the time that its type grants.
 */
export const lookPatiently = async (
  one: TypedResourcePlan,
  deps: Deps,
  look: () => Promise<ReadResult>,
  isBefore: (now: ReadResult) => boolean,
): Promise<ReadResult> => {
  let left = (one.type.lagSeconds ?? 0) * 1_000
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const now = await look()
    // The check that follows needs its time too.
    const ms = Math.min(pause, left, (deps.deadline?.left() ?? Number.POSITIVE_INFINITY) / 4)
    if (ms < 1 || !isBefore(now)) return now
    await deps.clock.sleep(ms)
    left -= ms
  }
}

/**
 * Reads a resource whose commands are done, until nothing that was to change is as it was before. What no command was about is
 * as the plan saw it.
 */
export const lookUntilShown = (
  address: Address,
  { session, approved }: Pick<Execution, 'session' | 'approved'>,
  deps: Deps,
  meant: ExpectedObject,
): Promise<ReadResult> => {
  const one = plannedOf(address, session)
  const seen = one.observed.result
  const own = approved.commands.filter((each) => each.address === address)
  const only = seen.kind === 'present' ? readAfter(own, one.type.schema, session.known.of(address)) : undefined
  const look = async () => {
    const now = await lookAgain(address, session, deps, meant, only)
    return seen.kind === 'present' && only !== undefined ? besideSeen(seen, only, now) : now
  }
  return lookPatiently(one, deps, look, (now) => isLate(one, now, session))
}

const besideSeen = (seen: PresentResult, only: readonly string[], now: ReadResult): ReadResult => {
  if (now.kind !== 'present') return now
  const attributes = { ...withoutMembers(seen.attributes, only), ...now.attributes }
  const unread = { ...withoutMembers(seen.unread ?? {}, Object.keys(now.attributes)), ...now.unread }
  return { ...now, attributes, ...defined({ unread: unlessEmpty(unread) }) }
}

/** Whether all that is still missing is as it was before. What has another value will not come to be as planned. */
const isLate = ({ address, planned, type, desired }: TypedResourcePlan, now: ReadResult, session: Session): boolean => {
  const { change, before, after } = planned
  if (change === undefined || now.kind === 'unknown') return false
  if (before === null || before === undefined || change.action === 'replace') return now.kind === 'absent'
  if (now.kind === 'absent') return false
  const { schema } = type
  const isVisible = (path: Path) =>
    factsAlong(schema, path).every(({ writeOnly, createOnly }) => writeOnly !== true && createOnly !== true)
  const read = normaliseRead(schema, now, desired?.attributes)
  const meant = after && knownIn(after, address, session)
  if (seenDigest(schema, read) === planned.observedDigest) return changedPaths(change.diff).some(isVisible)
  if (meant === null || meant === undefined) return false
  const missing = changedPaths(compare(schema, read, meant)).filter(isVisible)
  const moved = new Set(changedPaths(compare(schema, before, read)).map(toPointer))
  return missing.length > 0 && missing.every((path) => !moved.has(toPointer(path)))
}
