import { notSchedule } from '../shared/words.ts'

/*
 * EventBridge Scheduler's cron has six fields, `minutes hours day-of-month month day-of-week year`, and exactly one of
 * the two day fields is `?`. croner reads the first of six fields as seconds, and supports neither ranges that pass the
 * end nor a start with a step. https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */

interface CronField {
  readonly name: string
  readonly from: number
  readonly to: number
  /** Fields with names allow ranges that pass the end, such as FRI-MON. */
  readonly names?: readonly string[]
  /** Forms of this field only: whole values as croner accepts them, and suffixes of a number. */
  readonly whole?: Readonly<Record<string, string>>
  readonly suffix?: RegExp
}

export type Translated = { readonly ok: true; readonly cron: string } | { readonly ok: false; readonly detail: string }

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const fields: readonly CronField[] = [
  { name: 'minutes', from: 0, to: 59 },
  { name: 'hours', from: 0, to: 23 },
  { name: 'day-of-month', from: 1, to: 31, whole: { L: 'L', LW: 'LW' }, suffix: /W$/ },
  { name: 'month', from: 1, to: 12, names: months },
  // `L` is the last day of the week, `6L` the last Friday of the month, `3#2` its second Tuesday.
  { name: 'day-of-week', from: 1, to: 7, names: weekdays, whole: { L: '7' }, suffix: /(L|#[1-5])$/ },
  { name: 'year', from: 1970, to: 2199 },
]

const numberOf = (text: string, field: CronField): number | undefined => {
  const named = field.names?.indexOf(text) ?? -1
  if (named >= 0) return named + field.from
  const number = /^\d{1,4}$/.test(text) ? Number(text) : undefined
  return number !== undefined && number >= field.from && number <= field.to ? number : undefined
}

const special = (item: string, field: CronField): string | undefined => {
  const [end = ''] = field.suffix?.exec(item) ?? []
  const number = end === '' ? undefined : numberOf(item.slice(0, -end.length), field)
  return field.whole?.[item] ?? (number === undefined ? undefined : `${number}${end}`)
}

const stepped = (from: number, to: number, step?: string): string =>
  `${from}-${to}${step === undefined ? '' : `/${Number(step)}`}`

/** Accepts `7`, `1-5`, `0/15`, `10-40/10` and `*` with a step; `undefined` for any other text. */
const ordinary = (item: string, field: CronField): string | undefined => {
  const [, first = '', last, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,4}))?$/.exec(item) ?? []
  if (step !== undefined && (Number(step) < 1 || Number(step) > field.to)) return undefined
  if (first === '*') return last === undefined && step !== undefined ? stepped(field.from, field.to, step) : undefined
  const from = numberOf(first, field)
  const to = last === undefined ? (step === undefined ? from : field.to) : numberOf(last, field)
  if (from === undefined || to === undefined) return undefined
  if (last === undefined && step === undefined) return String(from)
  if (from <= to) return stepped(from, to, step)
  return field.names !== undefined && step === undefined
    ? `${stepped(from, field.to)},${stepped(field.from, to)}`
    : undefined
}

const translateField = (text: string, field: CronField): string | undefined => {
  if (text === '*') return '*'
  const items = text.split(',').map((item) => special(item, field) ?? ordinary(item, field))
  // croner accepts `LW` (the last weekday) only as the whole field.
  if (items.length > 1 && items.includes('LW')) return undefined
  return items.every((item) => item !== undefined) ? items.join(',') : undefined
}

/**
 * Translates the inside of `cron(...)` to a croner pattern of seven fields: seconds first, the year last; weekdays from
 * 1 = SUN.
 */
export const translateCron = (inside: string): Translated => {
  const written = inside.trim().toUpperCase().split(/\s+/)
  if (written.length !== 6) return { ok: false, detail: notSchedule.fields(written.length) }
  const [, , day, , weekday] = written
  if ((day === '?') === (weekday === '?')) return { ok: false, detail: notSchedule.days }
  const translated: string[] = []
  for (const [index, field] of fields.entries()) {
    const text = written[index] ?? ''
    const result = text === '?' && (index === 2 || index === 4) ? '*' : translateField(text, field)
    if (result === undefined) return { ok: false, detail: notSchedule.field(text, field.name, field.from, field.to) }
    translated.push(result)
  }
  return { ok: true, cron: `0 ${translated.join(' ')}` }
}
