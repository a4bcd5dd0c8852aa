import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { Schedule } from '../../../core/engine/config/schedule/schedule.ts'
import {
  inBlackout,
  isZone,
  nextTime,
  parseDuration,
  parseSchedule,
} from '../../../core/engine/config/schedule/schedule.ts'
import { lawRuns } from '../../builders/laws.ts'

afterEach(() => void vi.useRealTimers())

const scheduleOf = (text: string): Schedule => {
  const parsed = parseSchedule(text)
  if (!parsed.ok) throw new Error(parsed.detail)
  return parsed.schedule
}

/** The first times after one, in UTC to the minute. */
const times = (text: string, after: string, zone: string, count: number): string[] => {
  const schedule = scheduleOf(text)
  const found: string[] = []
  for (
    let at = nextTime(schedule, new Date(after), zone);
    at !== undefined && found.length < count;
    at = nextTime(schedule, at, zone)
  ) {
    found.push(at.toISOString().replace(':00.000Z', 'Z'))
  }
  return found
}

const berlin = 'Europe/Berlin'
const rows: readonly (readonly [text: string, after: string, zone: string, expected: readonly string[]])[] = [
  ['rate(15 minutes)', '2026-01-01T00:07:00Z', berlin, ['2026-01-01T00:22Z', '2026-01-01T00:37Z']],
  ['rate(1 hour)', '2026-03-29T00:30:00Z', berlin, ['2026-03-29T01:30Z', '2026-03-29T02:30Z']],
  ['rate(2 days)', '2026-02-27T00:00:00Z', 'UTC', ['2026-03-01T00:00Z']],
  // Weekdays: names, AWS numbers (1 = SUN), the week's last day, ranges over the end.
  ['cron(0 6 ? * MON-FRI *)', '2026-11-20T12:00:00Z', berlin, ['2026-11-23T05:00Z', '2026-11-24T05:00Z']],
  ['cron(0 6 ? * 2-6 *)', '2026-11-20T12:00:00Z', berlin, ['2026-11-23T05:00Z', '2026-11-24T05:00Z']],
  ['cron(0 6 ? * 1 *)', '2026-11-20T12:00:00Z', 'UTC', ['2026-11-22T06:00Z', '2026-11-29T06:00Z']],
  ['cron(0 6 ? * 7 *)', '2026-11-20T12:00:00Z', 'UTC', ['2026-11-21T06:00Z', '2026-11-28T06:00Z']],
  ['cron(0 6 ? * L *)', '2026-11-20T12:00:00Z', 'UTC', ['2026-11-21T06:00Z', '2026-11-28T06:00Z']],
  [
    'cron(0 6 ? * FRI-MON *)',
    '2026-11-20T12:00:00Z',
    'UTC',
    ['2026-11-21T06:00Z', '2026-11-22T06:00Z', '2026-11-23T06:00Z', '2026-11-27T06:00Z'],
  ],
  ['cron(0 6 ? * sun,WED *)', '2026-11-20T12:00:00Z', 'UTC', ['2026-11-22T06:00Z', '2026-11-25T06:00Z']],
  ['cron(15 10 ? * 6L 2026-2027)', '2027-11-20T12:00:00Z', 'UTC', ['2027-11-26T10:15Z', '2027-12-31T10:15Z']],
  ['cron(15 10 ? * FRIL *)', '2026-11-20T12:00:00Z', 'UTC', ['2026-11-27T10:15Z', '2026-12-25T10:15Z']],
  ['cron(0 9 ? * 2#1 *)', '2026-11-20T12:00:00Z', 'UTC', ['2026-12-07T09:00Z', '2027-01-04T09:00Z']],
  ['cron(0 9 ? * TUE#5 *)', '2026-11-20T12:00:00Z', 'UTC', ['2026-12-29T09:00Z', '2027-03-30T09:00Z']],
  // Days of the month, month ends, leap years.
  ['cron(0 0 L * ? *)', '2024-01-31T12:00:00Z', 'UTC', ['2024-02-29T00:00Z', '2024-03-31T00:00Z', '2024-04-30T00:00Z']],
  ['cron(0 0 LW * ? *)', '2026-01-20T12:00:00Z', 'UTC', ['2026-01-30T00:00Z', '2026-02-27T00:00Z']],
  [
    'cron(0 0 15W * ? *)',
    '2026-02-01T00:00:00Z',
    'UTC',
    ['2026-02-16T00:00Z', '2026-03-16T00:00Z', '2026-04-15T00:00Z'],
  ],
  ['cron(0 0 1W 8 ? *)', '2026-01-01T00:00:00Z', 'UTC', ['2026-08-03T00:00Z']],
  ['cron(0 0 31 * ? *)', '2026-01-31T12:00:00Z', 'UTC', ['2026-03-31T00:00Z', '2026-05-31T00:00Z']],
  ['cron(0 0 29 2 ? *)', '2096-03-01T00:00:00Z', 'UTC', ['2104-02-29T00:00Z']],
  ['cron(0 0 1 JAN,JUL ? *)', '2026-03-01T00:00:00Z', 'UTC', ['2026-07-01T00:00Z', '2027-01-01T00:00Z']],
  ['cron(0 0 1 NOV-FEB ? *)', '2026-01-15T00:00:00Z', 'UTC', ['2026-02-01T00:00Z', '2026-11-01T00:00Z']],
  // Steps and years.
  [
    'cron(0/20 8-9 * * ? *)',
    '2026-01-01T09:10:00Z',
    'UTC',
    ['2026-01-01T09:20Z', '2026-01-01T09:40Z', '2026-01-02T08:00Z'],
  ],
  [
    'cron(5-50/20 8 * * ? *)',
    '2026-01-01T00:00:00Z',
    'UTC',
    ['2026-01-01T08:05Z', '2026-01-01T08:25Z', '2026-01-01T08:45Z'],
  ],
  ['cron(0 */6 * * ? *)', '2026-01-01T00:00:00Z', 'UTC', ['2026-01-01T06:00Z', '2026-01-01T12:00Z']],
  ['cron(0 0 1 1 ? 2027,2030)', '2026-06-01T00:00:00Z', 'UTC', ['2027-01-01T00:00Z', '2030-01-01T00:00Z']],
  ['cron(0 0 1 1 ? 2028/2)', '2026-06-01T00:00:00Z', 'UTC', ['2028-01-01T00:00Z', '2030-01-01T00:00Z']],
  ['cron(0 0 1 1 ? 2026)', '2026-06-01T00:00:00Z', 'UTC', []],
  // To summer time, 2026-03-29 02:00 -> 03:00: a fixed time comes right after the gap, intervals go on.
  ['cron(30 2 * * ? *)', '2026-03-28T12:00:00Z', berlin, ['2026-03-29T01:00Z', '2026-03-30T00:30Z']],
  ['cron(30 2,14 * * ? *)', '2026-03-28T14:00:00Z', berlin, ['2026-03-29T01:00Z', '2026-03-29T12:30Z']],
  [
    'cron(0/30 * * * ? *)',
    '2026-03-29T00:00:00Z',
    berlin,
    ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
  ],
  ['cron(0 6 * * ? *)', '2026-03-28T00:00:00Z', berlin, ['2026-03-28T05:00Z', '2026-03-29T04:00Z']],
  // From summer time, 2026-10-25 03:00 -> 02:00: a fixed time comes once, intervals go on.
  ['cron(30 2 * * ? *)', '2026-10-24T12:00:00Z', berlin, ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
  [
    'cron(0/30 * * * ? *)',
    '2026-10-25T00:00:00Z',
    berlin,
    ['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'],
  ],
  ['cron(0 6 * * ? *)', '2026-10-24T00:00:00Z', berlin, ['2026-10-24T04:00Z', '2026-10-25T05:00Z']],
  ['at(2026-12-24T18:00:00)', '2026-06-01T00:00:00Z', berlin, ['2026-12-24T17:00Z']],
  ['at(2026-12-24T18:00:00)', '2026-12-24T17:00:00Z', berlin, []],
  ['at(2028-02-29T00:00:00)', '2026-06-01T00:00:00Z', 'America/New_York', ['2028-02-29T05:00Z']],
]

test.each(rows)('the next time of %s after %s in %s is right', (text, after, zone, expected) => {
  expect(times(text, after, zone, expected.length + (expected.length === 0 ? 1 : 0))).toEqual(expected)
})

const badSchedules = [
  ['', '"" is not rate(...), cron(...) or at(...)'],
  ['15 minutes', '"15 minutes" is not rate(...), cron(...) or at(...)'],
  ['rate(0 minutes)', '"0 minutes" is not a whole number of minutes, hours or days'],
  ['rate(1.5 hours)', '"1.5 hours" is not a whole number of minutes, hours or days'],
  ['rate(5 weeks)', '"5 weeks" is not a whole number of minutes, hours or days'],
  ['rate(99999999999 days)', '"99999999999 days" is not a whole number of minutes, hours or days'],
  ['cron(0 6 * * *)', 'cron needs six fields (minutes hours day-of-month month day-of-week year), not 5'],
  ['cron(0 6 * * MON *)', 'exactly one of day-of-month and day-of-week must be "?"'],
  ['cron(0 6 ? * ? *)', 'exactly one of day-of-month and day-of-week must be "?"'],
  ['cron(60 6 * * ? *)', '"60" is not valid for minutes (0 to 59)'],
  ['cron(? 6 * * ? *)', '"?" is not valid for minutes (0 to 59)'],
  ['cron(0 24 * * ? *)', '"24" is not valid for hours (0 to 23)'],
  ['cron(0 5-3 * * ? *)', '"5-3" is not valid for hours (0 to 23)'],
  ['cron(0 0/0 * * ? *)', '"0/0" is not valid for hours (0 to 23)'],
  ['cron(0 6 0 * ? *)', '"0" is not valid for day-of-month (1 to 31)'],
  ['cron(0 6 32W * ? *)', '"32W" is not valid for day-of-month (1 to 31)'],
  ['cron(0 6 1,LW * ? *)', '"1,LW" is not valid for day-of-month (1 to 31)'],
  ['cron(0 6 * 13 ? *)', '"13" is not valid for month (1 to 12)'],
  ['cron(0 6 * JANUARY ? *)', '"JANUARY" is not valid for month (1 to 12)'],
  ['cron(0 6 ? * 0 *)', '"0" is not valid for day-of-week (1 to 7)'],
  ['cron(0 6 ? * 2#6 *)', '"2#6" is not valid for day-of-week (1 to 7)'],
  ['cron(0 6 ? * MON, *)', '"MON," is not valid for day-of-week (1 to 7)'],
  ['cron(0 6 * * ? 1969)', '"1969" is not valid for year (1970 to 2199)'],
  ['cron(0 6 30 2 ? *)', 'there is no such day, ever: cron(0 6 30 2 ? *)'],
  ['at(2026-02-30T00:00:00)', '"2026-02-30T00:00:00" is not a date and time as in at(2026-12-24T18:00:00)'],
  ['at(2026-12-24)', '"2026-12-24" is not a date and time as in at(2026-12-24T18:00:00)'],
] as const

test.each(badSchedules)('%s is refused', (text, detail) => {
  expect(parseSchedule(text)).toEqual({ ok: false, detail })
})

test('the time zone of the machine changes nothing', () => {
  const expected = times('cron(0 6 ? * MON-FRI *)', '2026-11-20T12:00:00Z', berlin, 3)
  for (const now of ['1990-01-01T00:00:00Z', '2200-01-01T00:00:00Z']) {
    vi.useFakeTimers({ now: new Date(now) })
    expect(times('cron(0 6 ? * MON-FRI *)', '2026-11-20T12:00:00Z', berlin, 3)).toEqual(expected)
  }
})

test('the next time is later than now, and no other due time lies between', () => {
  const texts = [
    'rate(7 minutes)',
    'cron(0/15 * * * ? *)',
    'cron(30 2 * * ? *)',
    'cron(0 0 L * ? *)',
    'cron(10 10 ? * 2#1 *)',
    'cron(0 3 ? * SUN *)',
  ]
  const at = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      at,
      fc.constantFrom(berlin, 'UTC', 'America/St_Johns'),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (text, after, zone, part) => {
        const schedule = scheduleOf(text)
        const next = nextTime(schedule, after, zone)
        expect(next?.getTime()).toBeGreaterThan(after.getTime())
        if (schedule.kind === 'rate' || next === undefined) return
        const between = new Date(after.getTime() + Math.floor((next.getTime() - after.getTime()) * part))
        expect(nextTime(schedule, between, zone)).toEqual(next)
      },
    ),
    lawRuns(150),
  )
})

const weekend = [{ cron: 'cron(0 22 ? * FRI *)', durationMs: 60 * 3_600_000 }]
const within: readonly (readonly [at: string, expected: boolean])[] = [
  ['2026-11-20T20:59:59.999Z', false],
  ['2026-11-20T21:00:00Z', true],
  ['2026-11-22T12:00:00Z', true],
  ['2026-11-23T08:59:59.999Z', true],
  ['2026-11-23T09:00:00Z', false],
  ['2026-11-25T00:00:00Z', false],
  // The weekend of the change to summer time: 60 hours are 60 hours.
  ['2026-03-27T21:00:00Z', true],
  ['2026-03-30T08:59:59Z', true],
  ['2026-03-30T09:00:00Z', false],
]

test.each(within)('a blackout covers %s: %s', (at, expected) => {
  expect(inBlackout(weekend, new Date(at), berlin)).toBe(expected)
})

test('a schedule can have no blackout, several, overlapping ones, and one at a date', () => {
  const noon = new Date('2026-11-25T12:00:00Z')
  const nightly = { cron: 'cron(0 0 * * ? *)', durationMs: 48 * 3_600_000 }
  expect(inBlackout([], noon, 'UTC')).toBe(false)
  expect(inBlackout([...weekend, nightly], noon, 'UTC')).toBe(true)
  expect(inBlackout([{ cron: 'at(2026-11-25T11:00:00)', durationMs: 3_600_001 }], noon, 'UTC')).toBe(true)
  expect(inBlackout([{ cron: 'at(2026-11-25T11:00:00)', durationMs: 3_600_000 }], noon, 'UTC')).toBe(false)
})

test.each([
  ['30s', 30_000],
  ['30m', 1_800_000],
  ['60h', 216_000_000],
  ['7d', 604_800_000],
  ['2w', 1_209_600_000],
  ['0h', undefined],
  ['1.5h', undefined],
  ['h', undefined],
  ['5', undefined],
  ['1 h', undefined],
])('accepts or refuses the duration %s', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['+02:00', false],
  ['Mars/Base', false],
  ['', false],
])('accepts or refuses the time zone %s', (name, expected) => {
  expect(isZone(name)).toBe(expected)
})
