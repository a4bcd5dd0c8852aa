import { notSchedule } from '../words.ts'

/*
 * EventBridge Scheduler's cron: six fields `minutes hours day-of-month month day-of-week year`, weekdays 1 = SUN to
 * 7 = SAT, exactly one of the two day fields `?`.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 * croner reads six fields as seconds first, and counts weekdays from 0 = SUN, so every field is written anew for it.
 */

interface Field {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly names?: readonly string[]
  /** Ranges may pass the end: FRI-MON. */
  readonly cyclic?: boolean
  /** Subtracted from each number for croner. */
  readonly shift?: number
  /** Forms of this field alone. */
  readonly special?: (item: string) => string | undefined
}

export type Translated = { readonly ok: true; readonly cron: string } | { readonly ok: false; readonly detail: string }

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const numberOf = (text: string, field: Field): number | undefined => {
  const named = field.names?.indexOf(text) ?? -1
  if (named >= 0) return named + field.from
  const number = /^\d{1,4}$/.test(text) ? Number(text) : undefined
  return number !== undefined && number >= field.from && number <= field.to ? number : undefined
}

/** `L`, `LW` and `15W`. */
const specialDay = (item: string): string | undefined => {
  if (item === 'L' || item === 'LW') return item
  const day = /^(\d{1,2})W$/.exec(item)?.[1]
  return day !== undefined && Number(day) >= 1 && Number(day) <= 31 ? `${Number(day)}W` : undefined
}

/** `L` (the week's last day), `6L` (the month's last Friday) and `3#2` (its second Tuesday). */
const specialWeekday = (item: string): string | undefined => {
  if (item === 'L') return '6'
  const [, day = '', suffix] = /^(\w+?)(L|#[1-5])$/.exec(item) ?? []
  const number = numberOf(day, fields.weekday)
  return number === undefined ? undefined : `${number - 1}${suffix}`
}

const fields = {
  minute: { name: 'minutes', from: 0, to: 59 },
  hour: { name: 'hours', from: 0, to: 23 },
  day: { name: 'day-of-month', from: 1, to: 31, special: specialDay },
  month: { name: 'month', from: 1, to: 12, names: months, cyclic: true },
  weekday: { name: 'day-of-week', from: 1, to: 7, names: weekdays, cyclic: true, shift: 1, special: specialWeekday },
  year: { name: 'year', from: 1970, to: 2199 },
} as const satisfies Record<string, Field>

const order: readonly Field[] = [fields.minute, fields.hour, fields.day, fields.month, fields.weekday, fields.year]

const stepped = (from: number, to: number, step: string | undefined, field: Field): string => {
  const shift = field.shift ?? 0
  return `${from - shift}-${to - shift}${step === undefined ? '' : `/${Number(step)}`}`
}

/** `7`, `1-5`, `0/15`, `10-40/10`, `*` followed by a step; `undefined` where it is none of them. */
const ordinary = (item: string, field: Field): string | undefined => {
  const [, first = '', last, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,4}))?$/.exec(item) ?? []
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.to)) return undefined
  if (first === '*')
    return last === undefined && step !== undefined ? stepped(field.from, field.to, step, field) : undefined
  const from = numberOf(first, field)
  const to = last === undefined ? (step === undefined ? from : field.to) : numberOf(last, field)
  if (from === undefined || to === undefined) return undefined
  if (last === undefined && step === undefined) return String(from - (field.shift ?? 0))
  if (from <= to) return stepped(from, to, step, field)
  return field.cyclic === true && step === undefined
    ? `${stepped(from, field.to, undefined, field)},${stepped(field.from, to, undefined, field)}`
    : undefined
}

const translateField = (text: string, field: Field): string | undefined => {
  if (text === '*') return '*'
  const items = text.split(',').map((item) => field.special?.(item) ?? ordinary(item, field))
  // "The last weekday" cannot be combined: croner takes it as a whole field only.
  if (items.length > 1 && items.includes('LW')) return undefined
  return items.every((item) => item !== undefined) ? items.join(',') : undefined
}

/** The inside of `cron(...)` as a croner pattern of seven fields, seconds first and the year last. */
export const translateCron = (inside: string): Translated => {
  const written = inside.trim().toUpperCase().split(/\s+/)
  if (written.length !== 6) return { ok: false, detail: notSchedule.fields(written.length) }
  const [, , day, , weekday] = written
  if ((day === '?') === (weekday === '?')) return { ok: false, detail: notSchedule.days }
  const translated: string[] = []
  for (const [index, field] of order.entries()) {
    const text = written[index] ?? ''
    const isAny = text === '?' && (field === fields.day || field === fields.weekday)
    const result = isAny ? '*' : translateField(text, field)
    if (result === undefined) return { ok: false, detail: notSchedule.field(text, field.name, field.from, field.to) }
    translated.push(result)
  }
  return { ok: true, cron: `0 ${translated.join(' ')}` }
}
