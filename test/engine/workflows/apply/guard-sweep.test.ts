import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command } from '../../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { lawCount, lawRuns } from '../../../builders/laws.ts'
import {
  type GuardedShape,
  guardedResource,
  startGuarded,
  type Thing,
} from '../../../builders/servers/guarded-things.ts'
import { driveDocument, driveThings } from '../../../builders/servers/things-api.ts'
import { actor, handingOverIn } from '../../../builders/workspaces/workspace.ts'

const before: JsonObject = {
  name: 'x',
  kind: 'a',
  title: 'old',
  note: 'old',
  color: 'red',
  mode: 'slow',
  rules: [
    { key: 'a', value: '1' },
    { key: 'b', value: '1' },
    { key: 'c', value: '1' },
  ],
}
const after: JsonObject = {
  ...before,
  title: 'new',
  note: 'new',
  color: 'blue',
  mode: 'fast',
  rules: [
    { key: 'a', value: '2' },
    { key: 'b', value: '2' },
    { key: 'd', value: '2' },
  ],
}

const stored = (kind = 'a'): Thing => ({
  main: { id: '1', name: 'x', kind, title: 'old', note: 'old', extra: 'x', state: 'on', version: 1 },
  settings: { color: 'red', mode: 'slow' },
  rules: [
    { key: 'a', value: '1' },
    { key: 'b', value: '1' },
    { key: 'c', value: '1' },
  ],
})

const wants = { update: after, replace: { ...after, kind: 'b' }, delete: undefined, create: after } as const
type What = keyof typeof wants

/** Each moves one part of an object, and tells whether that still stands. */
const intruders = {
  title: placed('main', 'title'),
  note: placed('main', 'note'),
  extra: placed('main', 'extra'),
  color: placed('settings', 'color'),
  mode: placed('settings', 'mode'),
  'rule a': ruled('a'),
  'rule b': ruled('b'),
  'rule c': ruled('c'),
  'rule d': ruled('d'),
  'rule z': ruled('z'),
} satisfies Record<string, Intruder>

interface Intruder {
  readonly move: (thing: Thing) => void
  readonly holds: (thing: Thing) => boolean
}

function placed(part: 'main' | 'settings', name: string): Intruder {
  return {
    move: (thing) => {
      thing[part][name] = 'theirs'
    },
    holds: (thing) => thing[part][name] === 'theirs',
  }
}

function ruled(key: string): Intruder {
  return {
    move: (thing) => {
      thing.rules = [...thing.rules.filter((rule) => rule['key'] !== key), { key, value: 'theirs' }]
    },
    holds: ({ rules }) => rules.some((rule) => rule['key'] === key && rule['value'] === 'theirs'),
  }
}

interface Case extends GuardedShape {
  readonly what: What
  readonly honours: boolean
  readonly part: keyof typeof intruders
  /** After which of our commands somebody comes, from 1; 0: nobody does. */
  readonly at: number
  /** Another worker sends what is left after that; whoever comes does so before or after the first one has looked. */
  readonly handsOver?: 'before' | 'between'
}

/** The first worker ends after the command in which somebody comes, and another one goes on. */
const inTwo = async (drive: ReturnType<typeof driveThings>, digest: string, between: () => void) => {
  const workspace = 'things'
  const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'test', actor }, drive.deps)
  await runApply({ workspace, applyId: id }, handingOverIn(1_000, drive.deps))
  between()
  return runApply({ workspace, applyId: id }, drive.deps)
}

const run = async ({ what, honours, part, at, handsOver, ...shape }: Case) => {
  const lock = shape.lock === 'none' ? {} : { lock: shape.lock }
  await using server = await startGuarded({ ...lock, honours })
  if (what !== 'create') server.things.set('1', stored())
  const specs: Record<string, Json> = what === 'create' ? {} : { x: before }
  const drive = driveThings(server, guardedResource(shape), specs)
  expect((await drive.check()).plan.inSync).toBe(true)
  const wanted = wants[what]
  drive.want(wanted === undefined ? {} : { x: wanted })
  const { plan, digest } = await drive.check()
  let hit: Thing | undefined
  server.behaviour.after = (n, things) => {
    if (n !== at) return
    if (handsOver !== undefined) drive.clock.forward(2_000)
    hit = [...things.values()].at(-1)
    if (handsOver !== 'between') come()
  }
  const come = (): void => {
    if (hit !== undefined) intruders[part].move(hit)
  }
  const applied =
    handsOver === undefined
      ? await drive.apply(digest)
      : await inTwo(drive, digest, handsOver === 'between' ? come : () => {})
  const entries = await Array.fromAsync(readLedger(drive.deps.store, 'things'))
  return { server, plan, applied, entries, hit, drive }
}

type Applied = Awaited<ReturnType<typeof run>>['applied']

/**
 * How many commands were sent: the first one that is about what was moved finds it, and is not sent. Where none is about it any
 * more, the end tells that the result is another one; what nobody declares is nobody's business.
 */
const sentBefore = (
  part: keyof typeof intruders,
  { outcomes, status }: Applied,
  commands: readonly Command[],
  from: number,
): number => {
  const failed = outcomes.find((each) => each.status !== 'succeeded')
  if (failed === undefined) {
    expect(part === 'extra' || status === 'not_converged').toBe(true)
    return commands.length
  }
  const at = commands.findIndex(({ id }) => id === failed.command)
  expect([at >= from, failed.status]).toEqual([true, 'failed'])
  expect(failed.detail).toContain(part.replace('rule ', 'rules.'))
  return at
}

const shapes = {
  send: fc.constantFrom('full', 'changed', 'object', 'jsonPatch', 'mergePatch'),
  rules: fc.constantFrom('each', 'goes and comes', 'batch', 'all'),
  lock: fc.constantFrom('none', 'etag', 'field'),
  action: fc.boolean(),
  order: fc.constantFrom('deleteFirst', 'createFirst'),
  honours: fc.boolean(),
} as const

describe('an apply while somebody changes a part of an object between its commands', () => {
  it('is not stopped by its own commands', async () => {
    const cases = fc.record({
      ...shapes,
      what: fc.constantFrom<What>('update', 'replace', 'delete', 'create'),
      part: fc.constant('title' as const),
      at: fc.constant(0),
    })
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { applied, drive } = await run(each)
        expect(applied.outcomes.map(({ status, detail }) => [status, detail])).toEqual(
          applied.outcomes.map(() => ['succeeded', undefined]),
        )
        expect(applied).toMatchObject({ status: 'succeeded' })
        expect((await drive.check()).plan.changes).toEqual([])
      }),
      lawRuns(60),
    )
  })

  const moving = fc.record({
    ...shapes,
    what: fc.constantFrom<What>('update', 'replace', 'delete', 'create'),
    part: fc.constantFrom(...(Object.keys(intruders) as (keyof typeof intruders)[])),
    at: fc.integer({ min: 1, max: 7 }),
  })

  /** The command that meets what was moved; none where nobody could tell, or it is about another object. */
  const meets = ({ what, order, at, handsOver }: Case, commands: readonly Command[]) => {
    const next = commands[at]
    const kind = next?.precondition?.kind
    if (kind === undefined || kind === 'absent') return undefined
    // A new object is seen right after its create was answered: what was moved before that was never seen.
    if (kind === 'made' && commands[at - 1]?.action === 'create' && handsOver !== 'between') return undefined
    return what !== 'replace' || (order === 'createFirst') === (kind === 'made') ? next : undefined
  }

  it('overwrites nothing of the other change, and reports what it found', async () => {
    let met = 0
    await fc.assert(
      fc.asyncProperty(moving, async (each) => {
        const { server, plan, applied, entries, hit } = await run(each)
        const next = meets(each, plan.commands)
        if (hit === undefined || next === undefined) return
        met += 1
        const there = [...server.things.values()].find((thing) => thing === hit)
        expect(there !== undefined && intruders[each.part].holds(there)).toBe(true)
        const sent = sentBefore(each.part, applied, plan.commands, each.at)
        const results = entries.flatMap(({ kind, outcome }) => (kind === 'result' ? [outcome?.status] : []))
        expect(results.filter((status) => status === 'succeeded')).toHaveLength(sent)
      }),
      lawRuns(150),
    )
    expect(met).toBeGreaterThan(lawCount(20))
  })

  it('notices with its next command a change of a new object that was made before it was first read', async () => {
    const cases = fc.record({ ...shapes, part: fc.constantFrom('title' as const, 'note' as const) })
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { applied, hit, server } = await run({ ...each, what: 'create', at: 1 })
        const [made, next] = applied.outcomes
        expect([made?.status, next?.status]).toEqual(['succeeded', 'failed'])
        expect(next?.detail).toContain(each.part)
        expect(server.writes).toHaveLength(1)
        expect(hit !== undefined && intruders[each.part].holds(hit)).toBe(true)
      }),
      lawRuns(20),
    )
  })

  it.each(['before', 'between'] as const)('does so also in another worker that continues it: %s', async (handsOver) => {
    let met = 0
    await fc.assert(
      fc.asyncProperty(moving, async (each) => {
        const handing = { ...each, handsOver }
        const { server, plan, applied, hit } = await run(handing)
        const next = meets(handing, plan.commands)
        if (hit === undefined || next === undefined) return
        met += 1
        const there = [...server.things.values()].find((thing) => thing === hit)
        expect(there !== undefined && intruders[each.part].holds(there)).toBe(true)
        expect(['failed', 'refused']).toContain(applied.status)
      }),
      lawRuns(100),
    )
    // Not for nothing; how often a random case meets it is no matter.
    expect(met).toBeGreaterThan(lawCount(3) - 1)
  })
})

/** Refusals after which the same write leaves once more, at once or after a wait. */
const refusals = {
  'busy, come back': { status: 429, headers: { 'retry-after': '2' } },
  'out of service, come back': { status: 503, headers: { 'retry-after': '2' } },
  'signed out': { status: 401 },
} as const

describe('an apply while somebody changes an object whose write waits to be repeated', () => {
  const signingIn = `
provider:
  id: api
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {} }
  auth: { login: { url: /login, token: token } }
resources:
  api_thing:
`
  const cases = fc.record({
    ...shapes,
    what: fc.constantFrom<What>('update', 'delete'),
    part: fc.constantFrom(...(Object.keys(intruders) as (keyof typeof intruders)[])),
    at: fc.integer({ min: 1, max: 5 }),
    refusal: fc.constantFrom(...(Object.keys(refusals) as (keyof typeof refusals)[])),
    comes: fc.boolean(),
  })

  const refused = async ({ what, honours, part, at, refusal, comes, ...shape }: Parameters<typeof shown>[0]) => {
    const lock = shape.lock === 'none' ? {} : { lock: shape.lock }
    await using server = await startGuarded({ ...lock, honours })
    server.things.set('1', stored())
    const resource = guardedResource(shape).replaceAll(/^/gm, '    ')
    const of = (spec: JsonObject | undefined) => (spec === undefined ? [] : [{ type: 'api_thing', name: 'x', spec }])
    const drive = driveDocument(server, `${signingIn}${resource}`, of(before))
    expect((await drive.check()).plan.inSync).toBe(true)
    drive.want(of(wants[what]))
    const { plan, digest } = await drive.check()
    let hit: Thing | undefined
    server.behaviour.refuse = (n, things) => {
      if (n !== at) return undefined
      hit = things.get('1')
      if (comes && hit !== undefined) intruders[part].move(hit)
      return refusals[refusal]
    }
    const applied = await drive.apply(digest)
    return { plan, applied, hit, writes: server.writes, things: server.things, entries: await drive.ledger() }
  }
  const shown = (each: typeof cases extends fc.Arbitrary<infer Each> ? Each : never) => refused(each)

  it('reads the object again first, continues if it is untouched, and overwrites nothing of others', async () => {
    const met = { alone: 0, others: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { plan, applied, hit, writes, things, entries } = await shown(each)
        const command = plan.commands[each.at - 1]
        const again = writes.filter((line) => !/2\d\d$/.test(line))
        if (hit === undefined || command === undefined || again.length === 0) return
        const method = command.request.method
        // Nothing says that a POST or PATCH was not done.
        if (each.refusal.startsWith('out') && !/PUT|DELETE/.test(method)) return
        if (!each.comes) {
          met.alone += 1
          expect(applied).toMatchObject({ status: 'succeeded' })
          expect(entries.filter(({ kind }) => kind === 'attempt')).toHaveLength(plan.commands.length + 1)
          return
        }
        met.others += 1
        expect(things.get('1') === hit && intruders[each.part].holds(hit)).toBe(true)
        sentBefore(each.part, applied, plan.commands, each.at - 1)
      }),
      lawRuns(150),
    )
    expect(met.alone).toBeGreaterThan(0)
    expect(met.others).toBeGreaterThan(0)
  })
})
