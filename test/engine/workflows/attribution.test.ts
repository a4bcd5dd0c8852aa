import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driftOnly } from '../../../core/engine/plan/drift-view.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { listEpisodes } from '../../../core/engine/state/outbox.ts'
import { renderPlan } from '../../../core/pages/render/index.ts'
import { renderAlert } from '../../../core/pages/render/plain/render-alert.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aDocument, aThing, aType, aWorld } from '../../semantics/world.ts'

interface Entry {
  readonly actor: string
  readonly action: string
  readonly time: number
  readonly via?: string
}

const more = `
audit:
  list: { op: log, query: { about: "{name}", since: "{after}" }, items: entries }
  at: [time]
  actor: [actor]
  action: [action]
  via: [via]
  about:
    - { when: [{ place: action, is: [resize] }], attributes: [size] }
    - { when: [{ place: action, is: [paint] }], attributes: [color] }
    - { when: [{ place: action, is: [remove] }] }
`
const type = aType('size: { type: number }\ncolor: {}', more).replace(
  'operations:\n',
  'operations:\n  log: { method: GET, path: /log }\n',
)

/** A thing of size 1 that was agreed, and the log of its server. */
const aLoggedWorld = async (options: { readonly status?: number; readonly ours?: boolean } = {}) => {
  const log: Entry[] = []
  const asked: string[] = []
  const world = await aWorld({
    document: aDocument({ thing: type }),
    resources: [aThing('a', { size: 1, color: 'red' })],
    server: {
      route: ({ method, url }) => {
        // Our own writes are in the log of the target too, under the owner of our token.
        if (options.ours && method === 'PUT')
          log.push({ actor: 'ada', action: 'resize', time: world.clock.now().getTime() })
        if (!url.startsWith('/log')) return undefined
        asked.push(url)
        return { status: options.status ?? 200, body: JSON.stringify({ entries: log }) }
      },
    },
  })
  await world.checkAndApply()
  world.clock.forward(600_000)
  await world.check()
  const changedBy = (actor: string, action: string, value: Json | undefined) => {
    world.clock.forward(120_000)
    log.push({ actor, action, time: world.clock.now().getTime() })
    if (value === undefined) world.server.state.delete('/things/a')
    else world.put('a', value)
    world.clock.forward(120_000)
  }
  return { ...world, log, asked, changedBy }
}

const a = (size: number, color = 'red') => ({ name: 'a', size, color })

describe('the author of a drift', () => {
  it('is named for each attribute, in the plan and in the alert', async () => {
    await using world = await aLoggedWorld()
    world.changedBy('bob', 'paint', a(1, 'blue'))
    world.changedBy('mallory', 'resize', a(9, 'blue'))
    const { plan } = await world.check()
    expect(plan.attributed).toMatchObject([
      {
        address: 'api_thing.a',
        by: [
          { actor: 'mallory', action: 'resize', paths: ['size'] },
          { actor: 'bob', action: 'paint', paths: ['color'] },
        ],
      },
    ])
    expect(plan.attributed?.[0]?.unknown).toBeUndefined()
    const text = await renderPlan(plan, { format: 'text', width: 120 })
    expect(text).toMatch(/size.*by mallory \(resize, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/)
    const drift = renderPlan(driftOnly(plan), { format: 'text', width: 120 })
    expect(await drift).toMatch(/size .*1 -> 9.*by mallory \(resize/)
    const [alert] = world.alerts.slice(-1)
    expect(alert && renderAlert(alert, { form: 'text' })).toContain('by mallory (resize')
    expect(decodeURIComponent(world.asked[0] ?? '')).toMatch(/^\/log\?about=a&since=\d{4}-.*Z$/)
  })

  it('is named for an object that was deleted', async () => {
    await using world = await aLoggedWorld()
    world.changedBy('mallory', 'remove', undefined)
    const { plan } = await world.check()
    expect(plan.attributed).toMatchObject([{ by: [{ actor: 'mallory', action: 'remove', paths: [''] }] }])
    expect(await renderPlan(plan, { format: 'text', width: 140 })).toContain('deleted outside, by mallory (remove')
    expect(await renderPlan(driftOnly(plan), { format: 'text', width: 140 })).toContain(
      'was deleted, by mallory (remove',
    )
  })

  it('is named again by each check, also if the log is out of reach or has forgotten the change', async () => {
    const options: { status?: number } = {}
    await using world = await aLoggedWorld(options)
    world.changedBy('mallory', 'resize', a(9))
    const first = await world.check()
    expect(first.plan.attributed).toMatchObject([{ by: [{ actor: 'mallory' }] }])
    for (const happen of [() => {}, () => (options.status = 500), () => world.log.splice(0)]) {
      happen()
      world.clock.forward(600_000)
      expect((await world.check()).plan.attributed).toEqual(first.plan.attributed)
      options.status = 200
    }
    expect(world.asked).toHaveLength(4)
    expect(new Set(world.asked).size).toBe(1)
    expect(world.alerts.at(-1)?.kind).toBe('opened')
  })

  it('is found later if the log is late, and adds no second alert', async () => {
    await using world = await aLoggedWorld()
    world.clock.forward(60_000)
    world.put('a', a(9))
    const { plan } = await world.check()
    expect(plan.attributed).toMatchObject([{ by: [], unknown: 'no entry of the log names who changed size' }])
    world.log.push({ actor: 'mallory', action: 'resize', time: world.clock.now().getTime() })
    world.clock.forward(600_000)
    expect((await world.check()).plan.attributed).toMatchObject([{ by: [{ actor: 'mallory' }] }])
    const [, again] = world.asked
    expect(again).toBe(world.asked[0])
    expect(world.alerts.filter(({ kind }) => kind === 'opened')).toHaveLength(2)
    expect(world.alerts.at(-1)?.kind).toBe('opened')
    const [episode] = await listEpisodes(world.deps.store, 'things')
    expect(episode?.findings[0]?.changed?.by[0]?.actor).toBe('mallory')
  })

  it.each<[string, (world: Awaited<ReturnType<typeof aLoggedWorld>>) => void]>([
    ['an entry about something else', (world) => world.changedBy('bob', 'paint', a(9))],
    [
      'an entry from before the last check',
      (world) => {
        world.log.push({ actor: 'bob', action: 'resize', time: 1 })
        world.put('a', a(9))
      },
    ],
    ['an entry without an actor', (world) => world.changedBy('', 'resize', a(9))],
  ])('is unknown with %s', async (_, happen) => {
    await using world = await aLoggedWorld()
    happen(world)
    expect((await world.check()).plan.attributed).toMatchObject([{ by: [] }])
  })

  it('is unknown if the log cannot be read, and the check is complete all the same', async () => {
    await using world = await aLoggedWorld({ status: 403 })
    world.changedBy('mallory', 'resize', a(9))
    const { plan } = await world.check()
    expect(plan).toMatchObject({ complete: true, unchecked: [], attributed: [{ by: [] }] })
    expect(plan.attributed?.[0]?.unknown).toContain('403')
  })

  it('is nobody whose change is older than one that an apply of ours may have made', async () => {
    await using world = await aLoggedWorld({ ours: true })
    world.changedBy('mallory', 'resize', a(9))
    const { digest } = await world.check()
    await world.apply(digest)
    world.log.push({ actor: 'trent', action: 'resize', time: world.clock.now().getTime() + 1 })
    world.put('a', a(10))
    const { plan } = await world.check()
    expect(plan.attributed).toMatchObject([
      { by: [], unknown: expect.stringMatching(/^the newest entry .* size is of /) },
    ])
    expect(plan.attributed?.[0]?.unknown).not.toContain('mallory')
  })

  it('is who changed it while an apply was refused that sent nothing', async () => {
    await using world = await aLoggedWorld({ ours: true })
    world.changedBy('mallory', 'resize', a(9))
    const { digest } = await world.check()
    world.log.push({ actor: 'trent', action: 'resize', time: world.clock.now().getTime() })
    world.put('a', a(10))
    expect(await world.apply(digest)).toMatchObject({ status: 'refused' })
    const { plan } = await world.check()
    expect(plan.attributed).toMatchObject([{ by: [{ actor: 'trent', paths: ['size'] }] }])
  })

  it('changes no digest', async () => {
    await using told = await aLoggedWorld()
    await using silent = await aLoggedWorld({ status: 500 })
    const [one, other] = await Promise.all(
      [told, silent].map(async (world) => {
        world.changedBy('mallory', 'resize', a(9))
        return (await world.check()).plan.digests.plan
      }),
    )
    expect(one).toBe(other)
  })
})

type Step =
  | { readonly kind: 'outside'; readonly actor: string; readonly size: number }
  | { readonly kind: 'check' | 'apply' }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('outside' as const),
    actor: fc.constantFrom('bob', 'eve'),
    size: fc.integer({ min: 2, max: 4 }),
  }),
  fc.constantFrom<Step>({ kind: 'check' }, { kind: 'apply' }),
)

it('the author is the last person who changed the value, and never the owner of our token, in any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 8 }), async (steps) => {
      await using world = await aLoggedWorld({ ours: true })
      let last: string | undefined
      let size = 1
      for (const step of steps) {
        if (step.kind === 'outside') {
          // A write of the value that is there changes nothing.
          size = size === step.size ? step.size + 1 : step.size
          world.changedBy(step.actor, 'resize', a(size))
          last = step.actor
          continue
        }
        const { plan, digest } = await world.check()
        const named = plan.attributed?.flatMap(({ by }) => by.map(({ actor }) => actor)) ?? []
        expect(named).toEqual(plan.changes.length === 0 ? [] : [last])
        if (step.kind === 'apply') {
          await world.apply(digest)
          size = 1
        }
        world.clock.forward(600_000)
      }
    }),
    lawRuns(30),
  )
})
