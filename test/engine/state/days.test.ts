import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Days, Run } from '../../../core/engine/schema/stored/records.ts'
import { withRun } from '../../../core/engine/state/workspaces/days.ts'

type Ended = Pick<Run, 'status' | 'finishedAt'>

const day = 24 * 60 * 60_000
const first = Date.parse('2026-11-01T00:00:00.000Z')
const textOf = (time: number): string => new Date(time).toISOString()
const ended = (days: number, status: Run['status']): Ended => ({ status, finishedAt: textOf(first + days * day) })

/** Each run is the newest one if it ends after all before it. */
const daysOf = (runs: readonly Ended[]): Days | undefined => {
  let newest = ''
  return runs.reduce<Days | undefined>((days, run) => {
    const isNewest = run.finishedAt >= newest
    newest = isNewest ? run.finishedAt : newest
    return withRun(days, run, isNewest)
  }, undefined)
}

/** The end of the list, from the first day on that has a check. */
const shown = (days: Days | undefined) => [
  days?.until,
  days?.worst.slice(
    Math.max(
      0,
      days.worst.findIndex((one) => one !== null),
    ),
  ),
]

describe('the days of a workspace', () => {
  it.each<[string, readonly Ended[], string, Days['worst']]>([
    ['one check', [ended(0.5, 'in_sync')], '2026-11-01', ['in_sync']],
    ['two days', [ended(0.5, 'changes'), ended(1, 'in_sync')], '2026-11-02', ['changes', 'in_sync']],
    ['the last moment of a day', [ended(0.999_999, 'changes')], '2026-11-01', ['changes']],
    ['a day without a check', [ended(0, 'in_sync'), ended(2, 'in_sync')], '2026-11-03', ['in_sync', null, 'in_sync']],
    ['a better result later', [ended(0.1, 'failed'), ended(0.2, 'in_sync')], '2026-11-01', ['failed']],
    ['a worse result later', [ended(0.1, 'in_sync'), ended(0.2, 'changes')], '2026-11-01', ['changes']],
    [
      'something unread besides changes',
      [ended(0.1, 'incomplete'), ended(0.2, 'changes')],
      '2026-11-01',
      ['incomplete'],
    ],
    ['a failure besides something unread', [ended(0.1, 'failed'), ended(0.2, 'incomplete')], '2026-11-01', ['failed']],
    ['a run that comes late', [ended(2, 'in_sync'), ended(0, 'failed')], '2026-11-03', ['failed', null, 'in_sync']],
    ['a run that is too old', [ended(30, 'in_sync'), ended(0, 'failed')], '2026-12-01', ['in_sync']],
    [
      'the last day that is shown',
      [ended(0, 'failed'), ended(29, 'in_sync')],
      '2026-11-30',
      ['failed', ...Array.from({ length: 28 }, () => null), 'in_sync'],
    ],
    ['a long pause', [ended(0, 'failed'), ended(400, 'in_sync')], '2027-12-06', ['in_sync']],
  ])('show the worst of each: %s', (_, runs, until, worst) => {
    expect(shown(daysOf(runs))).toEqual([until, worst])
  })

  it('forget the days of a clock that was fast', () => {
    const days = [ended(0, 'changes'), ended(20, 'failed')].reduce<Days | undefined>(
      (before, run) => withRun(before, run, true),
      undefined,
    )
    expect(shown(withRun(days, ended(1, 'in_sync'), true))).toEqual(['2026-11-02', ['changes', 'in_sync']])
  })

  it('keep the day that began while the newest run ended', () => {
    const days = withRun(undefined, ended(1, 'in_sync'), true)
    expect(shown(withRun(days, ended(0.999, 'failed'), true))).toEqual(['2026-11-02', ['failed', 'in_sync']])
  })

  const status = fc.constantFrom<Run['status'][]>('in_sync', 'changes', 'incomplete', 'failed')
  const runs = fc.array(fc.record({ at: fc.nat(60 * day), status }), { minLength: 1, maxLength: 40 })

  it('law: are 30, and the same in whatever order the runs are stored', () => {
    const grades = ['in_sync', 'changes', 'incomplete', 'failed']
    fc.assert(
      fc.property(runs, (drawn) => {
        const all = drawn.map(({ at, status }): Ended => ({ status, finishedAt: textOf(first + at) }))
        const days = daysOf(all)
        const until =
          all
            .map(({ finishedAt }) => finishedAt.slice(0, 10))
            .toSorted()
            .at(-1) ?? ''
        const worst = Array.from({ length: 30 }, (_, index) => {
          const on = textOf(Date.parse(until) - (29 - index) * day).slice(0, 10)
          const found = all.filter(({ finishedAt }) => finishedAt.startsWith(on)).map(({ status }) => status)
          return found.toSorted((left, right) => grades.indexOf(right) - grades.indexOf(left))[0] ?? null
        })
        expect(days).toEqual({ until, worst })
      }),
    )
  })
})
