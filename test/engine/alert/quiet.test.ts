import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advanceEpisodes } from '../../../core/engine/alert/episode.ts'
import { acknowledge, snooze, unsnooze } from '../../../core/engine/alert/quiet.ts'
import { type Alert, type Episode, episodeShape } from '../../../core/engine/schema/stored/findings.ts'
import type { Plan, Unchecked } from '../../../core/engine/schema/stored/plan.ts'
import { atLeast } from '../../../core/engine/values/severity.ts'
import { aChange, aPlan, aRun } from '../../builders/values/records.ts'

const minute = 60_000
const start = Date.parse('2026-03-01T00:00:00.000Z')
const time = (minutes: number) => new Date(start + minutes * minute).toISOString()
const by = { subject: 'ada', via: 'api' } as const

type Key = Episode['key']
/** What happens a quarter of an hour after the step before; `undefined` is a check that fails. */
type Step = Plan | undefined | ((episode: Episode, at: string) => Episode | undefined)

/** What the store does: keeps the latest of each key and every alert. Each alert has its number of the step. */
const play = (steps: readonly Step[], about: Key = 'drift', renotifyMs?: number) => {
  const episodes = new Map<Key, Episode>()
  const alerts: (Alert & { readonly step: number })[] = []
  let ids = 0
  const states: (readonly Episode[])[] = []
  for (const [step, what] of steps.entries()) {
    const at = time(step * 15)
    states.push([...episodes.values()])
    if (typeof what === 'function') {
      const episode = what(episodes.get(about) as Episode, at)
      if (episode !== undefined) episodes.set(about, episodeShape.parse(episode))
      continue
    }
    const outcome = advanceEpisodes({
      workspace: 'acme',
      run: aRun(step, what),
      ...(what && { plan: what }),
      open: [...episodes.values()],
      rules: { minSeverity: 'low', ...(renotifyMs !== undefined && { renotifyMs }) },
      at,
      newId: () => `id${ids++}`,
    })
    for (const episode of outcome.episodes) episodes.set(episode.key, episodeShape.parse(episode))
    alerts.push(...outcome.alerts.map((alert) => ({ ...alert, step })))
  }
  return { episodes, alerts, states: [...states, [...episodes.values()]] }
}

const told = (steps: readonly Step[], about: Key = 'drift', renotifyMs?: number) =>
  play(steps, about, renotifyMs)
    .alerts.filter((alert) => alert.about === about)
    .map(({ step, kind }) => `${step} ${kind}`)

const change = (address: string, cause: 'pending' | 'drift' | 'conflict', after = 2) =>
  aChange(address, {
    causes: [{ path: ['ttl'], cause }],
    diff: { kind: 'value', action: 'update', before: 1, after },
  })
const low = aPlan([change('x.a', 'pending')])
const medium = aPlan([change('x.a', 'drift')])
const other = aPlan([change('x.a', 'drift', 3)])
const more = aPlan([change('x.a', 'drift'), change('x.b', 'drift')])
const high = aPlan([change('x.a', 'conflict', 3)])
const calm = aPlan()
const unread = (...addresses: readonly string[]): Plan =>
  aPlan(
    [],
    addresses.map((address): Unchecked => ({ address, reason: 'timeout', detail: 'x' })),
  )
const seen: Step = (episode, at) => acknowledge(episode, { at, by, reason: 'I am on it' })
/** Until the time of a step. */
const until =
  (step: number): Step =>
  (episode, at) =>
    snooze(episode, { at, by, reason: 'later', until: time(step * 15) })
const again: Step = unsnooze

describe('an episode that is acknowledged', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['nothing about the same', [medium, seen, medium, medium], ['0 opened']],
    ['nothing about a change of the same severity', [medium, seen, other, medium], ['0 opened']],
    [
      'drift of another resource, and then everything',
      [medium, seen, more, medium],
      ['0 opened', '2 changed', '3 changed'],
    ],
    ['nothing about less', [more, seen, medium, medium], ['0 opened']],
    ['what drifts anew after its repair', [more, seen, medium, more], ['0 opened', '3 changed']],
    ['nothing about a lower severity, and back', [medium, seen, low, medium], ['0 opened']],
    ['what is worse, and then everything', [medium, seen, high, medium], ['0 opened', '2 changed', '3 changed']],
    ['its end', [medium, seen, calm], ['0 opened', '2 resolved']],
    ['the next episode', [medium, seen, calm, medium, other], ['0 opened', '2 resolved', '3 opened', '4 changed']],
    ['that checks begin to fail', [medium, seen, undefined, medium], ['0 opened']],
  ])('tells %s', (_, steps, expected) => {
    expect(told(steps)).toEqual(expected)
  })

  it('sends no reminder', () => {
    expect(told([medium, medium, medium], 'drift', 15 * minute)).toEqual(['0 opened', '1 reminder', '2 reminder'])
    expect(told([medium, seen, medium, medium], 'drift', 15 * minute)).toEqual(['0 opened'])
  })

  it('is told when the same findings become worse', () => {
    const worse = aPlan([aChange('x.a', { causes: [{ path: ['ttl'], cause: 'conflict' }] })])
    const before = aPlan([aChange('x.a')])
    expect(told([before, seen, worse, worse])).toEqual(['0 opened', '2 reminder'])
  })

  it('keeps its findings up to date, and says who has seen it until it is told again', () => {
    const { episodes } = play([medium, seen, other])
    expect(episodes.get('drift')).toMatchObject({
      changedAt: time(30),
      toldAt: time(0),
      acknowledged: { at: time(15), by, reason: 'I am on it', severity: 'medium' },
    })
    expect(play([medium, seen, calm]).episodes.get('drift')).toHaveProperty('acknowledged')
    expect(play([medium, seen, high]).episodes.get('drift')).not.toHaveProperty('acknowledged')
    expect(play([medium, seen, seen]).episodes.get('drift')?.acknowledged?.at).toBe(time(15))
  })
})

it('of what is unchecked is not told again for more that cannot be read', () => {
  expect(told([unread('x.a'), seen, unread('x.a', 'x.b')], 'unchecked')).toEqual(['0 opened'])
})

describe('an episode that is snoozed', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['nothing until then', [medium, until(4), other, high], ['0 opened']],
    ['itself again after that', [medium, until(3), medium, medium, medium], ['0 opened', '3 reminder']],
    ['itself with a change after that', [medium, until(3), medium, other], ['0 opened', '3 changed']],
    ['what it kept quiet', [medium, until(3), other, other], ['0 opened', '3 reminder']],
    ['its end', [medium, until(9), calm], ['0 opened', '2 resolved']],
    ['itself after a longer one', [medium, until(3), until(5), medium, medium, medium], ['0 opened', '5 reminder']],
    ['itself once it is unsnoozed', [medium, until(9), medium, again, medium], ['0 opened', '4 reminder']],
    ['itself although it was acknowledged', [medium, seen, until(4), medium, medium], ['0 opened', '4 reminder']],
    ['nothing more if nobody had snoozed it', [medium, again, medium], ['0 opened']],
  ])('tells %s', (_, steps, expected) => {
    expect(told(steps)).toEqual(expected)
  })

  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'a check that begins to fail, and ends the snooze',
      [unread('x.a'), until(9), undefined, unread('x.a')],
      ['0 opened', '2 changed', '3 changed'],
    ],
    ['no failure if it is about one', [undefined, until(9), undefined, undefined], ['0 opened']],
    ['no other resource that cannot be read', [unread('x.a'), until(9), unread('x.a', 'x.b')], ['0 opened']],
  ])('of what is unchecked tells %s', (_, steps, expected) => {
    expect(told(steps, 'unchecked')).toEqual(expected)
  })
})

describe('law: quiet', () => {
  const plans: readonly (Plan | undefined)[] = [calm, low, medium, other, high, unread('x.a'), undefined]
  const quiet = fc.oneof(fc.constant(seen), fc.constant(again), fc.nat(40).map(until))
  const drawn = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...plans) }, quiet), { maxLength: 30 })
  const isOpen = (episode: Episode | undefined): episode is Episode => episode?.status === 'open'

  it('keeps the life of an episode whole, and no severity above the acknowledged one', () => {
    fc.assert(
      fc.property(drawn, (steps) => {
        const guarded = steps.map(
          (step): Step =>
            typeof step === 'function' ? (episode, at) => (isOpen(episode) ? step(episode, at) : undefined) : step,
        )
        const bare = steps.map((step): Step => (typeof step === 'function' ? () => undefined : step))
        const { alerts, states } = play(guarded)
        const ends = (all: readonly (Alert & { readonly step: number })[]) =>
          all
            .filter(({ kind }) => kind === 'opened' || kind === 'resolved')
            .map(({ step, about, kind }) => [step, about, kind])
        expect(ends(alerts)).toEqual(ends(play(bare).alerts))
        for (const { acknowledged, snoozed, status, findings } of states.flat()) {
          if (status !== 'open' || acknowledged === undefined || snoozed !== undefined) continue
          for (const { severity = 'medium' } of findings) expect(atLeast(acknowledged.severity, severity)).toBe(true)
        }
      }),
    )
  })
})
