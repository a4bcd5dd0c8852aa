import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import type { Plan } from '../../../../core/engine/schema/stored/plan.ts'
import { getPlan, listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { eachItem } from '../../../../core/engine/state/store/commit.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import type { Transport } from '../../../../core/engine/transport/transport.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { requestCheck } from '../../../../core/engine/workflows/check/request-check.ts'
import { takeCheck } from '../../../../core/engine/workflows/check/take-check.ts'
import type { Deps, Progress } from '../../../../core/engine/workflows/deps.ts'
import { withinDeadline } from '../../../../core/engine/workflows/within-deadline.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { anAnswer } from '../../../builders/values/transports.ts'
import { actor, movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* A check of more than one invocation can read: each part keeps what it read, and the last one plans all of it. */

const document = `
provider: { id: things, baseUrl: "http://api.test", pagination: { style: page, param: page, pages: pages } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { immutable: true }, size: { type: number } } }]
  api_listed:
    operations:
      list: { method: GET, path: /listed }
      create: { method: POST, path: /listed }
      delete: { method: DELETE, path: "/listed/{name}" }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    parts: [{ name: main, read: list, attributes: { name: { required: true, immutable: true } } }]
`

const answerBytes = 1_000
const secondMs = 1_000
const lambdaMs = 100_000
/** What is left for reading: the rest is for storing. */
const readingMs = 80_000

interface World {
  /** The sizes of things, by name. */
  readonly things: Record<string, number>
  readonly pages: readonly (readonly string[])[]
  /** Milliseconds of each answer. */
  answerMs: number
}

const open = (
  world: World,
  { names, limits = { time: '2h' } }: { readonly names: readonly string[]; readonly limits?: JsonObject },
) => {
  const clock = movableClock()
  const asked: string[] = []
  const send: Transport['send'] = async ({ url }, signal) => {
    const { pathname, searchParams } = new URL(url)
    clock.forward(world.answerMs)
    signal?.throwIfAborted()
    asked.push(`${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`)
    const page = Number(searchParams.get('page') ?? 1)
    const listed = world.pages[page - 1] ?? []
    if (pathname === '/listed')
      return anAnswer(200, { items: listed.map((name) => ({ name })), pages: world.pages.length })
    const name = pathname.split('/').at(-1) ?? ''
    const size = world.things[name]
    if (size === undefined) return anAnswer(404, { detail: 'none' }, { 'content-type': 'application/json' })
    return size < 0 ? anAnswer(503, {}) : { ...anAnswer(200, { name, size }), bytes: answerBytes }
  }
  const resources = [
    ...names.map((name) => ({ type: 'api_thing', name, spec: { name, size: 1 } })),
    ...(world.pages.length > 0 ? [{ type: 'api_listed', name: 'last', spec: { name: 'last' } }] : []),
  ]
  const configuration = (own: JsonObject) =>
    yaml(
      JSON.stringify({
        workspace: 'one',
        limits: { time: '2h', ...own },
        providers: { api: { source: 'rest', definition: './api.yaml' } },
        resources,
      }),
      { 'api.yaml': document },
    )
  const given = testDeps({ clock, bundle: configuration(limits), transport: () => ({ send }) })
  // One at a time, so that each answer takes its own time.
  const deps: Deps = { ...given.deps, limits: { ...given.deps.limits, concurrency: 1 } }
  const first = { workspace: 'one', scheduledFor: '2026-11-21T06:00:00.000Z', actor }
  /** One invocation for the next message, as the queue delivers it. */
  const invoke = (message = given.queued.check.at(-1) ?? first, ms = lambdaMs) =>
    withinDeadline({ of: 'this invocation', ms }, deps, (own) => takeCheck(message, own))
  const toTheEnd = async () => {
    for (let part = 1; part < 50; part += 1) {
      const taken = await invoke()
      if (taken.kind !== 'goes_on') return { taken, parts: part }
    }
    throw new Error('it does not end')
  }
  const packs = () => Array.fromAsync(eachItem(deps.store, { pk: keys.answers('one', '').pk }))
  return { ...given, clock, world, deps, asked, invoke, toTheEnd, packs, configuration, first }
}

const many = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `t${n}`)
const sized = (names: readonly string[], size: number) => Object.fromEntries(names.map((name) => [name, size]))
const told = ({ changes, unchecked, inSync, digests }: Plan) => ({ changes, unchecked, inSync, digests })

const planned = async ({ deps }: Pick<ReturnType<typeof open>, 'deps'>) => {
  const { items } = await listRuns(deps.store, 'one', { limit: 5 })
  expect(items).toHaveLength(1)
  const run = items[0]
  return { run, plan: run && (await getPlan(deps.store, 'one', run.id)) }
}

describe('a check that is too long for one invocation', () => {
  it('continues in others, asks nothing twice, and has one run with one plan', long, async () => {
    const names = many(200)
    const check = open({ things: { ...sized(names, 1), t150: 2 }, pages: [], answerMs: secondMs }, { names })
    const { taken, parts } = await check.toTheEnd()
    expect(taken).toMatchObject({ kind: 'checked', run: { status: 'changes' } })
    expect(parts).toBe(3)
    const { run, plan } = await planned(check)
    expect(plan?.changes.map(({ address }) => address)).toEqual(['api_thing.t150'])
    expect(run?.startedAt).toBe('2026-11-21T06:00:00.000Z')
    // What the deadline cut was asked again; nothing else was.
    expect(check.asked.length).toBeLessThanOrEqual(200 + parts)
    expect(new Set(check.asked).size).toBe(200)
    expect(check.alerts).toHaveLength(1)
    expect(check.warnings).toEqual([])
  })

  it('law: sends and plans in any parts what it does in one', async () => {
    const world = fc.record({
      sizes: fc.array(fc.constantFrom(1, 1, 1, 2, -1, undefined), { minLength: 1, maxLength: 60 }),
      pages: fc.array(fc.array(fc.constantFrom('a', 'b', 'last'), { maxLength: 3 }), { maxLength: 4 }),
      // One resource must fit in a part: an answer is asked for four times at most.
      answerMs: fc.integer({ min: 200, max: 15_000 }),
    })
    await fc.assert(
      fc.asyncProperty(world, async ({ sizes, pages, answerMs }) => {
        const names = many(sizes.length)
        const things = Object.fromEntries(
          names.flatMap((name, n) => (sizes[n] === undefined ? [] : [[name, sizes[n]]])),
        )
        const whole = open({ things, pages, answerMs: 0 }, { names })
        const { plan } = await checkWorkspace({ workspace: 'one', trigger: 'api', actor }, whole.deps)
        const check = open({ things, pages, answerMs }, { names })
        await check.toTheEnd()
        const found = await planned(check)
        expect(found.plan && told(found.plan)).toEqual(plan && told(plan))
        // A list that is read a second time is so in parts too. What is cut between two attempts begins with the first.
        if (!sizes.includes(-1)) expect(check.asked.toSorted()).toEqual(whole.asked.toSorted())
      }),
      lawRuns(40),
    )
  })
})

it('a check in one part begins after its configuration was updated', async () => {
  const check = open({ things: sized(many(3), 1), pages: [], answerMs: 0 }, { names: many(3) })
  const pull = async () => check.clock.forward(5_000)
  const taken = await withinDeadline({ of: 'this invocation', ms: lambdaMs }, check.deps, (own) =>
    takeCheck(check.first, own, pull),
  )
  expect(taken).toMatchObject({ kind: 'checked', run: { startedAt: '2026-11-21T06:00:05.000Z' } })
})

describe('a check in several parts still ends', () => {
  const names = many(200)
  const slow = { things: sized(names, 1), pages: [], answerMs: secondMs }

  eachOf(
    it,
    1,
  )([
    ['the time that the workspace allows', { time: '100s' }, 'deadline'],
    ['the bytes that the workspace allows', { bytes: 100 * answerBytes }, 'budget'],
  ])('at %s, over all parts', async (_, limits, reason) => {
    const check = open(slow, { names, limits })
    const { taken, parts } = await check.toTheEnd()
    expect(taken).toMatchObject({ kind: 'checked', run: { status: 'incomplete' } })
    expect(parts).toBe(2)
    const { plan } = await planned(check)
    expect(plan?.unchecked.length).toBeGreaterThan(95)
    expect(plan?.unchecked.length).toBeLessThan(105)
    expect(new Set(plan?.unchecked.map((each) => each.reason))).toEqual(new Set([reason]))
  })

  it('when everything was read, although the time is over', async () => {
    const check = open(slow, { names: many(70) })
    const late = { ...check.deps, progress: ({ step }: Progress) => step === 'planning' && check.clock.forward(20_000) }
    const taken = await withinDeadline({ of: 'this invocation', ms: lambdaMs }, late as Deps, (own) =>
      takeCheck(check.first, own),
    )
    expect(taken).toMatchObject({ kind: 'checked', run: { status: 'in_sync' } })
  })

  it('when a part gets no answer', async () => {
    const check = open({ ...slow, answerMs: readingMs + 1 }, { names })
    const { taken, parts } = await check.toTheEnd()
    expect(taken).toMatchObject({ kind: 'checked', run: { status: 'incomplete' } })
    expect(parts).toBe(1)
  })

  it.each<[string, (deps: Deps) => Partial<Deps>]>([
    ['a queue that takes no message', () => ({ queue: { checks: async () => [0], apply: async () => {} } })],
    [
      'a queue that cannot be reached',
      () => ({
        queue: {
          checks: () => Promise.reject(new Error('no route')),
          apply: async () => {},
        },
      }),
    ],
  ])('at %s, which is reported', async (_, change) => {
    const check = open(slow, { names })
    Object.assign(check.deps, change(check.deps))
    const taken = await check.invoke()
    expect(taken).toMatchObject({ kind: 'checked', run: { status: 'incomplete' } })
    expect(check.warnings).toMatchObject([{ kind: 'check_cut', workspace: 'one' }])
  })
})

describe('a resource that an earlier part has read', () => {
  const names = many(120)
  const slow = () => ({ things: sized(names, 1), pages: [], answerMs: secondMs })

  it('is read again where its record has changed in between', long, async () => {
    const check = open(slow(), { names })
    delete check.world.things['t7']
    await checkWorkspace({ workspace: 'one', trigger: 'cli', actor }, check.deps)
    check.asked.splice(0)
    expect(await check.invoke()).toMatchObject({ kind: 'goes_on', part: 2 })
    // Another check of the same workspace records what it found.
    check.world.things['t7'] = 1
    await checkWorkspace({ workspace: 'one', trigger: 'cli', actor }, check.deps)
    const between = check.asked.length
    expect(await check.invoke()).toMatchObject({ kind: 'goes_on', part: 3 })
    expect(check.asked.slice(between, between + 20)).toEqual(check.asked.slice(0, 20))
  })

  it('is read again where the configuration has changed in between', long, async () => {
    const check = open(slow(), { names })
    await check.invoke()
    const before = check.asked.length
    check.current.bundle = check.configuration({ time: '3h' })
    await check.invoke()
    expect(check.asked.slice(before, before + 20)).toEqual(check.asked.slice(0, 20))
  })

  it('is stored encrypted, and deleted with its workspace', async () => {
    const check = open(slow(), { names })
    await check.invoke()
    const packs = await check.packs()
    expect(packs.length).toBeGreaterThan(0)
    for (const { bytes, ttl } of packs) {
      expect(Buffer.from(bytes as Uint8Array).toString('latin1')).not.toContain('"size"')
      expect(ttl).toBeLessThan(Date.parse('2026-11-23') / 1000)
    }
  })

  it('is not stored where the invocation has all the time that the workspace allows', async () => {
    const check = open({ ...slow(), answerMs: 10 }, { names, limits: { time: '60s' } })
    expect(await check.invoke()).toMatchObject({ kind: 'checked' })
    expect(await check.packs()).toEqual([])
  })
})

describe('a list of several pages', () => {
  it('is really read a second time, in which an object may appear', async () => {
    const pages = [
      ['a', 'b'],
      ['c', 'd'],
    ]
    const check = open({ things: {}, pages, answerMs: 22 * secondMs }, { names: [] })
    expect(await check.invoke()).toMatchObject({ kind: 'goes_on' })
    expect(check.asked).toEqual(['/listed?page=1', '/listed?page=2', '/listed?page=1'])
    // The first reading did not see it; the second one has a page to go.
    pages[1]?.push('last')
    const { taken } = await check.toTheEnd()
    expect(taken).toMatchObject({ kind: 'checked', run: { status: 'in_sync' } })
  })
})

describe('the mark of a pending check', () => {
  it('is renewed with each part, so that the check does not count as lost', long, async () => {
    const names = many(100)
    const check = open({ things: sized(names, 1), pages: [], answerMs: 20 * secondMs }, { names })
    await putWorkspace({ bundle: check.current.bundle, actor }, check.deps)
    const { scheduledFor } = await requestCheck({ workspace: 'one', actor }, check.deps)
    const pending = async () => (await getWorkspace(check.deps.store, 'one')).pendingCheck
    expect(await pending()).toMatchObject({ scheduledFor, at: scheduledFor })
    for (let part = 2; part < 5; part += 1) {
      expect(await check.invoke()).toMatchObject({ kind: 'goes_on', part })
      const { at } = (await pending()) ?? { at: '' }
      expect(check.clock.now().getTime() - Date.parse(at)).toBeLessThan(secondMs)
    }
    await check.toTheEnd()
    expect(await pending()).toBeUndefined()
  })
})
