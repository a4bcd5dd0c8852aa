import type { Days, Run } from '../../schema/stored/records.ts'
import { ranAhead } from '../../values/clock-skew.ts'

const dayMs = 24 * 60 * 60_000
const shownDays = 30

/** From good to bad. */
const grades: readonly Run['status'][] = ['in_sync', 'changes', 'incomplete', 'failed']

type DayStatus = Days['worst'][number]

const worse = (one: DayStatus, other: Run['status']): Run['status'] =>
  one !== null && grades.indexOf(one) > grades.indexOf(other) ? one : other

/** Days since 1970, in UTC. */
const numberOf = (time: string): number => Math.floor(Date.parse(time) / dayMs)

const textOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** Days after the newest run are those of a clock that was fast. */
const lastDay = (days: Days | undefined, { finishedAt }: Pick<Run, 'finishedAt'>, isNewest: boolean): number => {
  const on = numberOf(finishedAt)
  if (days === undefined || (isNewest && ranAhead(days.until, finishedAt))) return on
  return Math.max(on, numberOf(days.until))
}

/**
 * The days with a run added. The order of the runs does not matter. A run that is older than the 30 days changes
 * nothing. `isNewest`: no run that began later is stored.
 */
export const withRun = (days: Days | undefined, run: Pick<Run, 'status' | 'finishedAt'>, isNewest: boolean): Days => {
  const last = lastDay(days, run, isNewest)
  const known = (day: number): DayStatus => days?.worst[day - numberOf(days.until) + days.worst.length - 1] ?? null
  const worst = Array.from({ length: shownDays }, (_, index): DayStatus => {
    const day = last - shownDays + 1 + index
    return day === numberOf(run.finishedAt) ? worse(known(day), run.status) : known(day)
  })
  return { until: textOf(last), worst }
}
