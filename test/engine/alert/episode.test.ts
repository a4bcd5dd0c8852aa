import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advanceEpisodes, type EpisodeOutcome } from '../../../core/engine/alert/episode.ts'
import type { UnknownReason } from '../../../core/engine/schema/resource.ts'
import { type Alert, alertShape, type Episode, episodeShape } from '../../../core/engine/schema/stored/findings.ts'
import type { Change, Plan, Unchecked } from '../../../core/engine/schema/stored/plan.ts'
import { lawRuns } from '../../builders/laws.ts'
import { long } from '../../builders/long.ts'
import { aChange, aPlan, aRun } from '../../builders/values/records.ts'

const minute = 60_000
const start = Date.parse('2026-03-01T00:00:00.000Z')
const time = (minutes: number) => new Date(start + minutes * minute).toISOString()
const unread = (address: string, reason: UnknownReason = 'timeout'): Unchecked => ({ address, reason, detail: 'x' })

type Rules = Parameters<typeof advanceEpisodes>[0]['rules']

/** What the store does: keeps the latest of each key and every alert. */
const aWorld = (rules: Rules = { minSeverity: 'low' }) => {
  const episodes = new Map<string, Episode>()
  const alerts: Alert[] = []
  let ids = 0
  const newId = () => {
    ids += 1
    return `id${ids}`
  }
  const check = (minutes: number, plan?: Plan): EpisodeOutcome => {
    const run = aRun(minutes, plan)
    const open = [...episodes.values()]
    const input = { workspace: 'acme', run, open, rules, at: time(minutes), newId, ...(plan && { plan }) }
    const outcome = advanceEpisodes(input)
    for (const episode of outcome.episodes) episodes.set(episode.key, episodeShape.parse(episode))
    alerts.push(...outcome.alerts.map((alert) => alertShape.parse(alert)))
    return outcome
  }
  return { episodes, alerts, check, told: () => alerts.map(({ about, kind }) => `${about} ${kind}`) }
}

const a = aChange('pdns_zone.a')
const b = aChange('pdns_zone.b')
const a2 = aChange('pdns_zone.a', { diff: { kind: 'value', action: 'update', before: 9, after: 2 } })

describe('an episode', () => {
  it.each<[string, readonly (Plan | undefined)[], readonly string[]]>([
    ['stays away while all is well', [aPlan(), aPlan()], []],
    ['opens once', [aPlan([a]), aPlan([a]), aPlan([a])], ['drift opened']],
    ['resolves once', [aPlan([a]), aPlan(), aPlan()], ['drift opened', 'drift resolved']],
    ['opens again', [aPlan([a]), aPlan(), aPlan([a])], ['drift opened', 'drift resolved', 'drift opened']],
    ['changes with one more', [aPlan([a]), aPlan([a, b])], ['drift opened', 'drift changed']],
    ['changes with one less', [aPlan([a, b]), aPlan([b])], ['drift opened', 'drift changed']],
    ['changes with another value', [aPlan([a]), aPlan([a2]), aPlan([a2])], ['drift opened', 'drift changed']],
    ['ignores the order', [aPlan([a, b]), aPlan([b, a])], ['drift opened']],
    [
      'opens for what cannot be read',
      [aPlan([], [unread('x.a')]), aPlan()],
      ['unchecked opened', 'unchecked resolved'],
    ],
    [
      'ignores why it cannot be read',
      [aPlan([], [unread('x.a')]), aPlan([], [unread('x.a', 'server_error')])],
      ['unchecked opened'],
    ],
    [
      'of drift is not resolved by a read that fails',
      [aPlan([a]), aPlan([], [unread(a.address)])],
      ['drift opened', 'unchecked opened'],
    ],
    [
      'of drift is not changed by a read that fails',
      [aPlan([a, b]), aPlan([b], [unread(a.address)]), aPlan([a, b])],
      ['drift opened', 'unchecked opened', 'unchecked resolved'],
    ],
    [
      'of drift is not changed by a dependency that cannot be read',
      [aPlan([a]), aPlan([{ ...a2, blocked: { reason: 'dependency_unknown', detail: 'x' } }], [unread('x.b')])],
      ['drift opened', 'unchecked opened'],
    ],
    ['opens for a failed run, once', [undefined, undefined, aPlan()], ['unchecked opened', 'unchecked resolved']],
    [
      'of drift is left alone by a failed run',
      [aPlan([a]), undefined, aPlan([a])],
      ['drift opened', 'unchecked opened', 'unchecked resolved'],
    ],
  ])('sends the alerts that a sequence of checks asks for: an episode %s', (_, plans, told) => {
    const world = aWorld()
    for (const [index, plan] of plans.entries()) world.check(index * 15, plan)
    expect(world.told()).toEqual(told)
  })

  it('says what it found, from when to when, and what to approve', () => {
    const world = aWorld()
    const plan = aPlan([a])
    world.check(0, plan)
    world.check(15, plan)
    world.check(30, aPlan())
    const [opened, resolved] = world.alerts
    expect(opened).toMatchObject({
      version: '2',
      kind: 'opened',
      severity: 'medium',
      at: time(0),
      digest: plan.digests.commands,
      counts: plan.counts,
      findings: [{ address: 'pdns_zone.a', kind: 'update', summary: 'ttl' }],
      findingsLeftOut: 0,
    })
    expect(resolved).toMatchObject({ kind: 'resolved', episodeId: opened?.episodeId, findings: opened?.findings })
    expect(resolved?.id).not.toBe(opened?.id)
    expect(world.episodes.get('drift')).toMatchObject({ status: 'resolved', openedAt: time(0), resolvedAt: time(30) })
  })

  it('is not changed by a result that comes twice or late', () => {
    const world = aWorld()
    world.check(0, aPlan([a]))
    expect(world.check(0, aPlan([a]))).toEqual({ episodes: [], alerts: [] })
    world.check(30, aPlan())
    expect(world.check(15, aPlan([a]))).toEqual({ episodes: [], alerts: [] })
    expect(world.check(30, aPlan())).toEqual({ episodes: [], alerts: [] })
  })

  it('sends a reminder after the given time, and counts that time anew from each alert', () => {
    const world = aWorld({ minSeverity: 'low', renotifyMs: 60 * minute })
    for (const minutes of [0, 45, 60, 75, 119]) world.check(minutes, aPlan([a]))
    expect(world.alerts.map(({ kind, at }) => [kind, at])).toEqual([
      ['opened', time(0)],
      ['reminder', time(60)],
    ])
    world.check(110 + 15, aPlan([a, b]))
    world.check(130, aPlan([a, b]))
    expect(world.alerts.at(-1)).toMatchObject({ kind: 'changed', at: time(125) })
  })
})

const caused = (cause: 'drift' | 'pending' | 'conflict' | 'new', more: Partial<Change> = {}) =>
  aChange('x.a', { causes: [{ path: ['ttl'], cause }], ...more })

describe('severity', () => {
  const deletedOutside: Plan['drift'] = [
    { address: 'x.a', type: 'x', name: 'a', kind: 'deleted', diff: { kind: 'value', action: 'delete' } },
  ]
  it.each<[string, Plan, string]>([
    ['a pending update', aPlan([caused('pending')]), 'low'],
    ['a pending create', aPlan([caused('new', { action: 'create' })]), 'low'],
    ['drift', aPlan([caused('drift')]), 'medium'],
    ['a pending delete', aPlan([caused('pending', { action: 'delete' })]), 'medium'],
    ['a conflict', aPlan([caused('conflict')]), 'high'],
    ['a replacement', aPlan([caused('pending', { action: 'replace' })]), 'high'],
    ['a deletion outside', aPlan([caused('drift', { action: 'create' })], [], { drift: deletedOutside }), 'high'],
    ['the highest of several', aPlan([caused('pending'), aChange('x.b')]), 'medium'],
    ['what cannot be read', aPlan([], [unread('x.a')]), 'medium'],
  ])('is what the drift of %s deserves', (_, plan, severity) => {
    const world = aWorld()
    world.check(0, plan)
    expect(world.alerts[0]?.severity).toBe(severity)
  })

  it('is high for a failed run, whose finding is the workspace itself', () => {
    const world = aWorld()
    world.check(0)
    expect(world.alerts[0]).toMatchObject({
      severity: 'high',
      about: 'unchecked',
      findings: [{ address: 'acme', kind: 'unchecked', summary: 'CONFIG_INVALID' }],
    })
  })

  it.each([
    ['low', 2],
    ['medium', 1],
    ['high', 0],
  ] as const)('opens no episode below %s', (minSeverity, findings) => {
    const world = aWorld({ minSeverity })
    world.check(0, aPlan([caused('pending'), aChange('x.b')]))
    expect(world.alerts.flatMap((alert) => alert.findings)).toHaveLength(findings)
  })
})

describe('a finding', () => {
  it.each<[string, Change, string]>([
    [
      'paths',
      caused('drift', { causes: [{ path: ['rrsets', 'www A', 'records', 0], cause: 'drift' }] }),
      'rrsets[www A].records[0]',
    ],
    [
      'the first ten',
      caused('drift', { causes: Array.from({ length: 12 }, (_, n) => ({ path: [`p${n}`], cause: 'drift' as const })) }),
      'p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more',
    ],
    [
      'what waits in the files beside what moved outside',
      caused('drift', {
        causes: [
          { path: ['ttl'], cause: 'pending' },
          { path: ['tags'], cause: 'drift' },
        ],
      }),
      'ttl (in the files), tags',
    ],
    ['what is missing', caused('new', { action: 'create' }), 'was not found'],
    ['what is too much', caused('pending', { action: 'delete' }), 'should not exist'],
  ])('names the finding: %s', (_, change, summary) => {
    const world = aWorld()
    world.check(0, aPlan([change]))
    expect(world.alerts[0]?.findings[0]?.summary).toBe(summary)
  })

  it('law: holds no value of the target or of the configuration', () => {
    const canary = 'c4n4ry'
    const change = aChange('x.a', {
      before: { ttl: canary },
      after: { ttl: canary },
      diff: { kind: 'value', action: 'update', before: canary, after: `${canary}2` },
    })
    const world = aWorld()
    world.check(0, aPlan([change], [{ address: 'x.b', reason: 'bad_body', detail: canary }]))
    expect(JSON.stringify([world.alerts, [...world.episodes.values()]])).not.toContain(canary)
  })

  it('law: makes an alert of at most 200 KB, however much was found', long, () => {
    const wide = Array.from({ length: 10 }, () => ({ path: ['ä'.repeat(500)], cause: 'drift' as const }))
    const changes = Array.from({ length: 3000 }, (_, n) => aChange(`x.r${n}`, { causes: wide }))
    const world = aWorld()
    world.check(0, aPlan(changes))
    const [alert] = world.alerts
    expect(Buffer.byteLength(JSON.stringify(alert))).toBeLessThan(200_000)
    expect((alert?.findings.length ?? 0) + (alert?.findingsLeftOut ?? 0)).toBe(3000)
    expect(world.episodes.get('drift')?.findings).toHaveLength(3000)
  })
})

/** Thirty days at a quarter of an hour: what is wrong moves now and then, reads fail, deliveries repeat. */
describe('law: thirty days', () => {
  const names = ['x.a', 'x.b', 'x.c']
  const move = fc.record({ at: fc.nat(2880), name: fc.constantFrom(...names), value: fc.nat(3) })
  const outage = fc.record({ at: fc.nat(2880), length: fc.nat(40), name: fc.constantFrom(...names, 'all') })
  const month = fc.record({
    moves: fc.array(move, { maxLength: 12 }),
    outages: fc.array(outage, { maxLength: 6 }),
    repeats: fc.array(fc.nat(2880), { maxLength: 40 }),
  })
  type Month = typeof month extends fc.Arbitrary<infer Value> ? Value : never

  const valuesAt = ({ moves }: Month, tick: number) => {
    const values = new Map<string, number>()
    for (const one of moves.toSorted((left, right) => left.at - right.at)) {
      if (one.at <= tick) values.set(one.name, one.value)
    }
    return values
  }
  const planAt = (world: Month, tick: number): Plan | undefined => {
    const out = world.outages.filter((one) => one.at <= tick && tick < one.at + one.length).map(({ name }) => name)
    if (out.includes('all')) return undefined
    const changes = [...valuesAt(world, tick)].flatMap(([name, value]) =>
      value === 0 || out.includes(name)
        ? []
        : [aChange(name, { diff: { kind: 'value', action: 'update', before: value, after: 0 } })],
    )
    return aPlan(
      changes,
      [...new Set(out)].map((name) => unread(name)),
    )
  }

  it('tells every change of the known findings once and in order, whatever repeats', () => {
    fc.assert(
      fc.property(month, (input) => {
        const world = aWorld()
        const known = new Map<string, number>()
        let lastKnown = ''
        let expected = 0
        const events = new Set([
          0,
          ...input.moves.map(({ at }) => at),
          ...input.outages.flatMap(({ at, length }) => [at, at + length]),
        ])
        for (const tick of [...events].sort((left, right) => left - right)) {
          const plan = planAt(input, tick)
          world.check(tick * 15, plan)
          for (const _ of input.repeats.filter((one) => one % 7 === tick % 7)) world.check(tick * 15, plan)
          if (plan === undefined) continue
          const dark = new Set(plan.unchecked.map(({ address }) => address))
          const values = valuesAt(input, tick)
          for (const name of names) if (!dark.has(name)) known.set(name, values.get(name) ?? 0)
          const now = JSON.stringify(names.map((name) => known.get(name) ?? 0))
          if (now !== (lastKnown || '[0,0,0]')) expected += 1
          lastKnown = now
        }
        const drift = world.alerts.filter(({ about }) => about === 'drift')
        expect(drift).toHaveLength(expected)
        const episodes = Map.groupBy(world.alerts, ({ episodeId: episode }) => episode)
        for (const kinds of [...episodes.values()].map((alerts) => alerts.map(({ kind }) => kind))) {
          expect(kinds[0]).toBe('opened')
          expect(kinds.slice(1, -1).every((kind) => kind === 'changed')).toBe(true)
          expect(kinds.filter((kind) => kind === 'resolved').length).toBeLessThanOrEqual(1)
        }
        expect(new Set(world.alerts.map(({ id }) => id)).size).toBe(world.alerts.length)
      }),
      lawRuns(200),
    )
  })
})
