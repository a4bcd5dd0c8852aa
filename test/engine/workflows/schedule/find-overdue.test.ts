import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withNextCheck } from '../../../../core/engine/state/workspaces/pending-check.ts'
import { editWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { findOverdue } from '../../../../core/engine/workflows/schedule/find-overdue.ts'
import { pauseWorkspace, resumeWorkspace } from '../../../../core/engine/workflows/workspace/manage-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { testClock } from '../../../builders/time/stores.ts'
import { aRun } from '../../../builders/values/records.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/*
 * When a check is due, told by stepping from minute to minute through a history of pushes, checks and pauses, against what
 * `findOverdue` tells of the record that they leave. No tick runs here: only what was stored counts.
 */

const minute = 60_000
const marginMs = 30 * minute
const workspace = 'acme'

/** By wall clock: each hour, each day, or each day of the working week. */
type Times = { readonly hour?: number; readonly minute: number; readonly weekdays?: boolean }
type Plan = { readonly every: number } | Times
interface Promised {
  readonly schedule: Plan
  readonly timezone: string
  readonly blackout?: { readonly start: Required<Pick<Times, 'hour' | 'minute'>>; readonly minutes: number }
}
type Event =
  | { readonly kind: 'push'; readonly promised: Promised }
  | { readonly kind: 'again' | 'run' | 'pause' | 'resume' }

const cronOf = ({ hour, minute: at, weekdays = false }: Times): string =>
  `cron(${at} ${hour ?? '*'} ? * ${weekdays ? 'MON-FRI' : '*'} *)`
const textOf = ({ schedule, timezone, blackout }: Promised, mark: number): string =>
  [
    `# ${mark}`,
    'workspace: acme',
    `schedule: ${'every' in schedule ? `rate(${schedule.every} ${schedule.every === 1 ? 'minute' : 'minutes'})` : cronOf(schedule)}`,
    `timezone: ${timezone}`,
    ...(blackout === undefined
      ? []
      : [`blackout: [{ cron: "${cronOf(blackout.start)}", duration: ${blackout.minutes}m }]`]),
    'providers: {}',
    'resources: []',
    '',
  ].join('\n')

interface Wall {
  readonly date: string
  readonly weekday: string
  readonly ofDay: number
}
const formats = new Map<string, Intl.DateTimeFormat>()
const walls = new Map<string, Wall>()
const wallOf = (zone: string, at: number): Wall => {
  const key = `${zone} ${at}`
  const known = walls.get(key)
  if (known !== undefined) return known
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(at * minute).map(({ type, value }) => [type, value]))
  const { year, month, day, weekday = '' } = parts
  const wall = { date: `${year}-${month}-${day}`, weekday, ofDay: Number(parts['hour']) * 60 + Number(parts['minute']) }
  walls.set(key, wall)
  return wall
}

/** A time of a day comes once a day: at the first minute that shows it, or is past it where the clock leaves it out. */
const isTime = (times: Times, zone: string, at: number): boolean => {
  const now = wallOf(zone, at)
  if (times.hour === undefined) return now.ofDay % 60 === times.minute
  const wanted = times.hour * 60 + times.minute
  if (now.ofDay < wanted || (times.weekdays === true && /Sat|Sun/.test(now.weekday))) return false
  for (let before = at - 1; ; before -= 1) {
    const then = wallOf(zone, before)
    if (then.date !== now.date) return true
    if (then.ofDay >= wanted) return false
    if (then.ofDay < wanted - 180) return true
  }
}

const isQuiet = ({ blackout, timezone }: Promised, at: number): boolean => {
  if (blackout === undefined) return false
  for (let start = at; start > at - blackout.minutes; start -= 1)
    if (isTime(blackout.start, timezone, start)) return true
  return false
}
const firstLoud = (promised: Promised, from: number): number => {
  let at = from
  while (isQuiet(promised, at)) at += 1
  return at
}

/** Since when a check is due, in minutes; `undefined`: none is. */
const stepThrough = (events: ReadonlyMap<number, Event>, start: number, end: number): number | undefined => {
  let promised: Promised | undefined
  let since: number | undefined
  let rung: number | undefined
  let paused = false
  for (let at = start; at <= end; at += 1) {
    const event = events.get(at)
    if (event?.kind === 'push') {
      if (!paused && JSON.stringify(event.promised) !== JSON.stringify(promised))
        since = firstLoud(event.promised, since === undefined ? at : Math.min(since, at))
      promised = event.promised
    } else if (event?.kind === 'pause') {
      paused = true
      since = undefined
    } else if (event?.kind === 'resume' && paused && promised !== undefined) {
      paused = false
      since = firstLoud(promised, at)
    } else if (event?.kind === 'run') {
      since = undefined
      rung = at
    }
    if (promised === undefined || paused || since !== undefined || rung === undefined || rung === at) continue
    const { schedule, timezone } = promised
    if ('every' in schedule) {
      if (at < rung + schedule.every) continue
      if (isQuiet(promised, at)) {
        // Counted from the end of the blackout.
        if (at === rung + schedule.every) rung = firstLoud(promised, at)
      } else since = at
    } else if (isTime(schedule, timezone, at) && !isQuiet(promised, at)) since = at
  }
  return since
}

const follow = async (events: ReadonlyMap<number, Event>, start: number, end: number) => {
  const clock = testClock(new Date(start * minute).toISOString())
  const { deps } = testDeps({ clock })
  const wish = { workspace, actor, reason: 'a test' }
  let pushed: Promised | undefined
  for (const [at, event] of [...events].toSorted(([left], [right]) => left - right)) {
    clock.advance(at * minute - clock.now().getTime())
    if (event.kind === 'push') pushed = event.promised
    if ((event.kind === 'push' || event.kind === 'again') && pushed !== undefined)
      await putWorkspace({ bundle: yaml(textOf(pushed, at)), actor }, deps)
    if (event.kind === 'pause') await pauseWorkspace(wish, deps)
    if (event.kind === 'resume') await resumeWorkspace(wish, deps)
    const finishedAt = clock.now().toISOString()
    if (event.kind === 'run')
      await editWorkspace(deps.store, workspace, (one) => ({ ...one, lastRun: { ...aRun(1), finishedAt } }))
  }
  clock.advance(end * minute - clock.now().getTime())
  await editWorkspace(deps.store, workspace, (one) => withNextCheck(one, undefined))
  return (await findOverdue({ marginMs }, deps)).map(({ due }) => Math.ceil(Date.parse(due) / minute))
}

const timeOfDay = { hour: fc.nat(23), minute: fc.constantFrom(0, 15, 30, 59) }
const promisedBy = fc.record(
  {
    schedule: fc.oneof(
      fc.record({ every: fc.constantFrom(1, 15, 60, 720, 1440) }),
      fc.record({ ...timeOfDay, weekdays: fc.boolean() }, { requiredKeys: ['hour', 'minute'] }),
      fc.record({ minute: timeOfDay.minute }),
    ),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'America/Havana', 'Asia/Kolkata'),
    blackout: fc.record({ start: fc.record(timeOfDay), minutes: fc.constantFrom(30, 90, 600) }),
  },
  { requiredKeys: ['schedule', 'timezone'] },
)
const later = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), promised: promisedBy }),
  fc.record({
    kind: fc.constantFrom('again' as const, 'run' as const, 'run' as const, 'pause' as const, 'resume' as const),
  }),
)
/** The hours around a change of the clock in one of the zones, and a plain day. */
const starts = ['2026-03-07T12:00Z', '2026-03-28T12:00Z', '2026-10-24T12:00Z', '2026-10-31T12:00Z', '2026-06-10T03:00Z']
const history = fc.record({
  start: fc.constantFrom(...starts).map((text) => Date.parse(text) / minute),
  first: promisedBy,
  events: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2_500 }), later), { maxLength: 8, selector: ([at]) => at }),
  end: fc.integer({ min: 0, max: 3_000 }),
})

describe('an overdue check', () => {
  it('is reported as overdue since the minute at which its promise ended, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ start, first, events, end }) => {
        const happened = new Map<number, Event>([
          [start, { kind: 'push', promised: first }],
          ...events.filter(([at]) => at < end).map(([at, event]) => [start + at, event] as const),
        ])
        const since = stepThrough(happened, start, start + end)
        const expected = since === undefined || (start + end - since) * minute <= marginMs ? [] : [since]
        expect(await follow(happened, start, start + end)).toEqual(expected)
      }),
      lawRuns(100),
    )
  })
})
