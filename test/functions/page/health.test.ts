import { describe, expect, it, test } from 'vitest'
import type { Workspace } from '../../../core/index.ts'
import { alertWords, byHarm, coverageOf, findingWords, stateOf } from '../../../functions/page/data/health.ts'

const now = Date.parse('2026-11-28T06:00:00Z')
const counts = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  blocked: 0,
  unchanged: 10,
  unchecked: 0,
  drifted: 0,
  commands: 0,
}

type LastRun = NonNullable<Workspace['lastRun']>

const workspace = (id: string, status?: LastRun['status'], more: object = {}): Workspace =>
  ({
    id,
    ...(status && { lastRun: { id: 'run', status, finishedAt: '2026-11-28T05:00:00Z', counts } }),
    ...more,
  }) as unknown as Workspace

const late = { nextCheckAt: '2026-11-28T05:00:00Z' }

test.each([
  ['in_sync', workspace('a', 'in_sync')],
  ['changes', workspace('a', 'changes')],
  ['drifted', workspace('a', 'changes', { lastRun: { status: 'changes', counts: { ...counts, drifted: 1 } } })],
  ['drifted', workspace('a', 'incomplete', { lastRun: { status: 'incomplete', counts: { ...counts, drifted: 1 } } })],
  ['unchecked', workspace('a', 'incomplete')],
  ['failed', workspace('a', 'failed')],
  ['changes', workspace('a', 'incomplete', { lastRun: { status: 'incomplete', counts: { ...counts, update: 1 } } })],
  ['new', workspace('a')],
  ['silent', workspace('a', 'in_sync', late)],
  ['silent', workspace('a', undefined, late)],
  ['in_sync', workspace('a', 'in_sync', { nextCheckAt: '2026-11-28T05:45:00Z' })],
  ['in_sync', workspace('a', 'in_sync', { ...late, paused: { at: '', by: {}, reason: '' } })],
] as const)('the state is %j', (state, given) => {
  expect(stateOf(given, now)).toBe(state)
})

describe('the order of the fleet', () => {
  it('puts first what needs somebody first', () => {
    const all = [
      workspace('fine', 'in_sync'),
      workspace('unread', 'incomplete'),
      workspace('low', 'changes', { openEpisodes: { count: 1, severity: 'low' } }),
      workspace('high', 'changes', { openEpisodes: { count: 1, severity: 'high' } }),
      workspace('quiet', 'in_sync', late),
      workspace('broken', 'failed'),
    ]
    expect(byHarm(all, now).map(({ id }) => id)).toEqual(['broken', 'quiet', 'high', 'unread', 'low', 'fine'])
  })
  it('puts what could not be read before what is known to do little harm', () => {
    const one = { openEpisodes: { count: 1, severity: 'low' } }
    const all = [
      workspace('drifted', 'changes', { ...one, lastRun: { status: 'changes', counts: { ...counts, drifted: 9 } } }),
      workspace('part', 'incomplete', { ...one, lastRun: { status: 'incomplete', counts: { ...counts, update: 1 } } }),
      workspace('quiet', 'changes'),
      workspace('unread', 'incomplete', one),
      workspace('medium', 'changes', { openEpisodes: { count: 1, severity: 'medium' } }),
    ]
    expect(byHarm(all, now).map(({ id }) => id)).toEqual(['medium', 'unread', 'part', 'drifted', 'quiet'])
  })
  it('is by name among equals', () => {
    expect(byHarm([workspace('b', 'in_sync'), workspace('a', 'in_sync')], now).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

test.each([
  [1, counts],
  [0.5, { ...counts, unchecked: 10 }],
  [0, { ...counts, unchanged: 0, unchecked: 3 }],
  [5 / 6, { ...counts, unchanged: 2, update: 1, blocked: 2, unchecked: 1 }],
  [undefined, { ...counts, unchanged: 0 }],
])('the coverage is %j', (coverage, given) => {
  expect(coverageOf(workspace('a', 'changes', { lastRun: { counts: given } }))).toBe(coverage)
})

test('a finding says what would change, what drifted and what is unchecked', () => {
  const given = { lastRun: { counts: { ...counts, update: 2, delete: 1, drifted: 2, unchecked: 4 } } }
  expect(findingWords(workspace('a', 'changes', given))).toBe('3 to change, 2 drifted, 4 unchecked')
  const blocked = { lastRun: { counts: { ...counts, update: 3, blocked: 2 } } }
  expect(findingWords(workspace('a', 'changes', blocked))).toBe('5 to change, 2 of them blocked')
  const blind = {
    lastRun: { counts: { ...counts, unchecked: 6 } },
    openEpisodes: { count: 2, severity: 'high', differ: 5 },
  }
  expect(findingWords(workspace('a', 'incomplete', blind))).toBe('6 unchecked, 5 of them differed when last read')
  expect(findingWords(workspace('a', 'in_sync'))).toBe('')
  const failed = { lastRun: { status: 'failed', code: 'SECRET_NOT_FOUND', counts: undefined } }
  expect(findingWords(workspace('a', 'failed', failed))).toBe('SECRET_NOT_FOUND')
})

test.each([
  [undefined, ''],
  [{ count: 1 }, '1 alert'],
  [{ count: 1, acknowledged: 1 }, '1 alert, acknowledged'],
  [{ count: 2, acknowledged: 1, snoozed: 2 }, '2 alerts, 1 acknowledged, snoozed'],
])('the open alerts %j are told as %j', (openEpisodes, words) => {
  expect(alertWords(workspace('a', 'changes', { openEpisodes }))).toBe(words)
})
