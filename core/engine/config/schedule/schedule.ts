import { Cron } from 'croner'
import type { Blackout } from '../shared/configuration.ts'
import { notSchedule } from '../shared/words.ts'
import { translateCron } from './translate-cron.ts'

/** `cron` is a croner pattern of seven fields: seconds first, the year last, weekdays from 1 = SUN. */
export type Schedule =
  | { readonly kind: 'rate'; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly cron: string }
  | { readonly kind: 'at'; readonly cron: string }

export type ParsedSchedule =
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly detail: string }

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
/** Milliseconds; a date plus a longer time exceeds the range of Date. */
const longestRateMs = 100 * 366 * 86_400_000

const parseRate = (inside: string): ParsedSchedule => {
  const [, count, unit = ''] = /^([1-9]\d*) +(minute|hour|day)s?$/.exec(inside.trim()) ?? []
  const everyMs = Number(count) * (unitMs[unit] ?? Number.NaN)
  return everyMs <= longestRateMs
    ? { ok: true, schedule: { kind: 'rate', everyMs } }
    : { ok: false, detail: notSchedule.rate(inside) }
}

/** Uses a pattern with the year, because croner reads a date text in the time zone of the machine first. */
const parseAt = (inside: string): ParsedSchedule => {
  const text = inside.trim()
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(text)?.slice(1).map(Number)
  const [year, month, day, hour, minute, second] = parts ?? []
  // `Date` turns a day that does not exist into another day.
  const time = new Date(`${text}Z`)
  if (parts === undefined || Number.isNaN(time.getTime()) || time.toISOString().slice(0, 19) !== text) {
    return { ok: false, detail: notSchedule.at(inside) }
  }
  return { ok: true, schedule: { kind: 'at', cron: `${second} ${minute} ${hour} ${day} ${month} * ${year}` } }
}

const parseCron = (inside: string): ParsedSchedule => {
  const translated = translateCron(inside)
  if (!translated.ok) return translated
  const schedule = { kind: 'cron', cron: translated.cron } as const
  return nextTime(schedule, new Date(0), 'UTC') === undefined
    ? { ok: false, detail: notSchedule.never(inside) }
    : { ok: true, schedule }
}

/** Parses EventBridge Scheduler's `rate(15 minutes)`, `cron(0 6 ? * MON-FRI *)` or `at(2026-12-24T18:00:00)`. */
export const parseSchedule = (text: string): ParsedSchedule => {
  const [, kind, inside = ''] = /^\s*(rate|cron|at)\s*\((.*)\)\s*$/s.exec(text) ?? []
  if (kind === 'rate') return parseRate(inside)
  if (kind === 'at') return parseAt(inside)
  if (kind === 'cron') return parseCron(inside)
  return { ok: false, detail: notSchedule.form(text) }
}

/**
 * The first time after `after`; `undefined` if there is none. A rate counts from `after`. A fixed time that the change
 * to summer time skips runs right after the gap, and a time that occurs twice runs once, so that no daily check is lost
 * or doubled.
 */
export const nextTime = (schedule: Schedule, after: Date, zone: string): Date | undefined => {
  if (schedule.kind === 'rate') return new Date(after.getTime() + schedule.everyMs)
  const rules = { mode: '7-part', fixedTimeRule: 'no-wildcard', alternativeWeekdays: true } as const
  const cron = new Cron(schedule.cron, { ...rules, timezone: zone })
  return cron.nextRun(after) ?? undefined
}

const endOf = ({ cron, durationMs }: Blackout, at: Date, zone: string): number | undefined => {
  const parsed = parseSchedule(cron)
  if (!parsed.ok || parsed.schedule.kind === 'rate') return undefined
  const started = nextTime(parsed.schedule, new Date(at.getTime() - durationMs), zone)?.getTime()
  return started !== undefined && started <= at.getTime() ? started + durationMs : undefined
}

/** The latest end of the blackouts that contain `at`; `undefined` if there is none. */
export const blackoutEnd = (blackouts: readonly Blackout[], at: Date, zone: string): Date | undefined => {
  const ends = blackouts.map((blackout) => endOf(blackout, at, zone)).filter((end) => end !== undefined)
  return ends.length === 0 ? undefined : new Date(Math.max(...ends))
}

/** A blackout lasts from each of its times for its duration; the end is not included. */
export const inBlackout = (blackouts: readonly Blackout[], at: Date, zone: string): boolean =>
  blackoutEnd(blackouts, at, zone) !== undefined

/** Accepts IANA names such as `Europe/Berlin`, but no offsets, because they have no summer time. */
export const isZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const durationMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

export const durationPattern = /^([1-9]\d{0,5})([smhdw])$/

/** Milliseconds of `90s`, `30m`, `60h`, `7d` or `2w`; a day has 24 hours. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit] = durationPattern.exec(text) ?? []
  return unit === undefined ? undefined : Number(count) * durationMs[unit as keyof typeof durationMs]
}
