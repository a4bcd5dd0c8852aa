import { AppError } from '../../errors.ts'
import type { Workspace } from '../../schema/records.ts'
import { noZone } from '../words.ts'

type Times = Pick<Workspace, 'schedule' | 'timezone' | 'blackout'>

/** The calendar is loaded when somebody asks for a time: most functions never do. */
const calendar = () => import('../../config/schedule/schedule.ts')

/** Throws SCHEDULE_INVALID where `work` fails because the zone does not exist, as one that was withdrawn since. */
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

/** When a workspace is checked next; `undefined`: never. Throws SCHEDULE_INVALID where what is stored has no meaning. */
export const nextCheck = async ({ schedule, timezone = 'UTC' }: Times, after: Date): Promise<Date | undefined> => {
  if (schedule === undefined) return undefined
  const parsed = (await calendar()).parseSchedule(schedule)
  if (!parsed.ok) throw new AppError('SCHEDULE_INVALID', { detail: parsed.detail })
  return inZone(timezone, ({ nextTime }) => nextTime(parsed.schedule, after, timezone))
}

/** The next time after the due one, or after `now` where times were missed: they are not made up for. */
export const followingCheck = async (times: Times, due: string, now: Date): Promise<Date | undefined> => {
  const next = await nextCheck(times, new Date(due))
  return next !== undefined && next <= now ? nextCheck(times, now) : next
}

/** Whether nothing is checked at `now`. */
export const isSilent = async ({ blackout = [], timezone = 'UTC' }: Times, now: Date): Promise<boolean> =>
  blackout.length > 0 && (await inZone(timezone, ({ inBlackout }) => inBlackout(blackout, now, timezone)))

/** More blackouts in a row than any calendar has by intention. */
const mostBlackouts = 1_000

/** From `at` on, the first time outside of every blackout; `step` says where to go on after the end of one. */
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

/** When what is due at an ISO time may be done: then, or at the end of the blackouts that this is in. */
export const firstPermitted = (times: Times, at: string | undefined): Promise<Date | undefined> =>
  outsideBlackouts(times, at === undefined ? undefined : new Date(at), async (end) => end)

/** The first time of the schedule after `after` that no blackout covers; `undefined`: never. Throws SCHEDULE_INVALID. */
export const nextPermitted = async (times: Times, after: Date): Promise<Date | undefined> =>
  outsideBlackouts(times, await nextCheck(times, after), (end) => nextCheck(times, new Date(end.getTime() - 1)))
