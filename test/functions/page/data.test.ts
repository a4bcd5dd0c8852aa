import { describe, expect, test } from 'vitest'
import type { Apply, Plan, Run } from '../../../core/index.ts'
import { linkTo, readPlace } from '../../../functions/page/data/place.ts'
import { agoWords } from '../../../functions/page/data/times.ts'
import { alikeRuns } from '../../../functions/page/workspace/history/alike.ts'
import { seriesOf } from '../../../functions/page/workspace/history/series.ts'
import { choicesOf, facetsOf, isChosen } from '../../../functions/page/workspace/plan/facets.ts'

describe('a place', () => {
  test.each([
    ['', []],
    ['#/', []],
    ['#/w/acme-dns/runs/01K', ['w', 'acme-dns', 'runs', '01K']],
    ['#/w/a%2Fb', ['w', 'a/b']],
    ['#/w/%', ['w', '%']],
  ])('%j has parts', (hash, path) => {
    expect(readPlace(hash).path).toEqual(path)
  })
  test('survives being written and read', () => {
    const link = linkTo(['w', 'a/b?c#d', 'é'], { q: 'x & y', none: '' })
    const { path, query } = readPlace(link)
    expect(path).toEqual(['w', 'a/b?c#d', 'é'])
    expect(Object.fromEntries(query)).toEqual({ q: 'x & y' })
  })
})

const at = Date.parse('2026-11-28T06:00:00Z')

test.each([
  [0, 'just now'],
  [59_000, 'just now'],
  [60_000, '1 min ago'],
  [3_599_000, '59 min ago'],
  [2 * 3_600_000, '2 h ago'],
  [49 * 3_600_000, '2 d ago'],
  [-30_000, 'in a moment'],
  [-5 * 60_000, 'in 5 min'],
])('%j milliseconds are told in words', (ms, words) => {
  expect(agoWords(at - ms, at)).toBe(words)
})

test('the plot has checks and repairs in the order of time, and its line ends at a failed check alone', () => {
  const counts = { create: 1, update: 1, replace: 0, delete: 0, blocked: 1, unchecked: 3 }
  const runs = [
    { finishedAt: '2026-11-28T03:00:00Z' },
    { finishedAt: '2026-11-28T01:00:00Z', counts },
  ] as unknown as readonly Run[]
  const applies = [
    { finishedAt: '2026-11-28T02:00:00Z', mode: 'execute', results: { applied: 2 } },
    { finishedAt: '2026-11-28T02:30:00Z', mode: 'check', results: { applied: 2 } },
    { finishedAt: '2026-11-28T04:00:00Z', mode: 'execute', results: { applied: 1 }, undoes: 'apply' },
    { mode: 'execute' },
  ] as unknown as readonly Apply[]
  const { times, differ, unchecked, repaired, undone } = seriesOf(runs, applies)
  expect(times.map((time) => new Date(time * 1_000).getUTCHours())).toEqual([1, 2, 3, 4])
  expect({ differ, unchecked, repaired, undone }).toEqual({
    differ: [3, undefined, null, undefined],
    unchecked: [3, undefined, null, undefined],
    repaired: [undefined, 2, undefined, undefined],
    undone: [undefined, undefined, undefined, 1],
  })
})

describe('filters of a plan', () => {
  const plan = {
    drift: [
      { address: 'a.x', type: 'a' },
      { address: 'a.z', type: 'a' },
    ],
    changes: [
      { address: 'a.x', type: 'a', action: 'update', causes: [{ cause: 'drift' }, { cause: 'pending' }] },
      { address: 'b.y', type: 'b', action: 'delete', causes: [] },
    ],
    commands: [{ address: 'b.y', grade: 'irreversible' }],
  } as unknown as Plan
  const facets = facetsOf(plan)
  test('a change of what drifted is a change', () => {
    expect(facets.get('a.x')).toEqual({ action: 'update', type: 'a', causes: ['drift', 'pending'], grades: [] })
    expect(facets.get('a.z')?.action).toBe('drift')
  })
  test('only facets with a choice are offered', () => {
    const choices = choicesOf([...facets.values()])
    expect([...(choices.get('type') ?? [])]).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(choices.has('grade')).toBe(false)
  })
  test('a resource must have each chosen value', () => {
    expect(isChosen(facets.get('a.x'), { cause: 'drift', action: 'update' })).toBe(true)
    expect(isChosen(facets.get('a.x'), { cause: 'drift', action: 'delete' })).toBe(false)
    expect(isChosen(facets.get('b.y'), { grade: 'irreversible' })).toBe(true)
    expect(isChosen(undefined, {})).toBe(true)
    expect(isChosen(undefined, { type: 'a' })).toBe(false)
  })
})

test('checks that found the same are one stretch, which says since when', () => {
  const run = (id: string, plan: string, subject?: string) =>
    ({
      id,
      status: 'changes',
      digests: { plan },
      trigger: subject === undefined ? 'schedule' : 'api',
      actor: { subject },
    }) as unknown as Run
  const stretches = alikeRuns([run('5', 'b'), run('4', 'b', 'mona'), run('3', 'a'), run('2', 'b'), run('1', 'b')])
  expect(stretches[0]?.starters).toEqual(['the schedule', 'mona'])
  expect(stretches.map(({ latest, first, n }) => [latest.id, first.id, n])).toEqual([
    ['5', '4', 2],
    ['3', '3', 1],
    ['2', '1', 2],
  ])
})
