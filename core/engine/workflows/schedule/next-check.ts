import { AppError } from '../../errors/errors.ts'
import type { Workspace } from '../../schema/stored/records.ts'
import { noZone } from '../words.ts'

type Times = Pick<Workspace, 'schedule' | 'timezone' | 'blackout'>

/** The calendar is loaded on demand: most functions never need it. */
const calendar = () => import('../../config/schedule/schedule.ts')

/**
 * Throws SCHEDULE_INVALID if `work` fails because the time zone does not exist, for example because it was withdrawn.
 */
const inZone = async <Result>(
  zone: string,
  work: (loaded: Awaited<ReturnType<typeof calendar>>) => Result,
): Promise<Result> => {
  const loaded = await calendar()
  try {
    return work(loaded)
  } catch (cause) {
    if (loaded.isZone(zone)) throw cause
    throw new AppError('SCHEDULE_INVALID', { detail: noZone(zone) })
  }
}

/** When a workspace is checked next; `undefined`: never. Throws SCHEDULE_INVALID if the stored schedule is invalid. */
export const nextCheck = async ({ schedule, timezone = 'UTC' }: Times, after: Date): Promise<Date | undefined> => {
  if (schedule === undefined) return undefined
  const parsed = (await calendar()).parseSchedule(schedule)
  if (!parsed.ok) throw new AppError('SCHEDULE_INVALID', { detail: parsed.detail })
  return inZone(timezone, ({ nextTime }) => nextTime(parsed.schedule, after, timezone))
}

/** The next time after the due one, or after `now` if times were missed: missed checks are not repeated. */
export const followingCheck = async (times: Times, due: string, now: Date): Promise<Date | undefined> => {
  const next = await nextCheck(times, new Date(due))
  return next !== undefined && next <= now ? nextCheck(times, now) : next
}

export const isSilent = async ({ blackout = [], timezone = 'UTC' }: Times, now: Date): Promise<boolean> =>
  blackout.length > 0 && (await inZone(timezone, ({ inBlackout }) => inBlackout(blackout, now, timezone)))

/** More consecutive blackouts than any calendar has on purpose. */
const mostBlackouts = 1_000

/**
 * The first time from `at` on that no blackout covers. `step` returns the next candidate after the end of a blackout.
 */
const outsideBlackouts = async (
  { blackout = [], timezone = 'UTC' }: Times,
  at: Date | undefined,
  step: (end: Date) => Promise<Date | undefined>,
): Promise<Date | undefined> => {
  let time = at
  for (let left = mostBlackouts; left > 0 && time !== undefined && blackout.length > 0; left -= 1) {
    const from = time
    const end = await inZone(timezone, ({ blackoutEnd }) => blackoutEnd(blackout, from, timezone))
    if (end === undefined) return time
    time = await step(end)
  }
  return time
}

/** When a check that is due at an ISO time may run: at that time, or at the end of the blackouts that cover it. */
export const firstPermitted = (times: Times, at: string | undefined): Promise<Date | undefined> =>
  outsideBlackouts(times, at === undefined ? undefined : new Date(at), async (end) => end)

/**
 * The first time of the schedule after `after` that no blackout covers; `undefined`: never. Throws SCHEDULE_INVALID.
 */
export const nextPermitted = async (times: Times, after: Date): Promise<Date | undefined> =>
  outsideBlackouts(times, await nextCheck(times, after), (end) => nextCheck(times, new Date(end.getTime() - 1)))
