import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../core/schema/json.ts'
import { readLedger } from '../../core/state/ledger.ts'
import { type GuardedShape, guardedResource, startGuarded, type Thing } from '../builders/guarded-things.ts'
import { driveThings } from '../builders/things-api.ts'

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
}

const run = async ({ what, honours, part, at, ...shape }: Case) => {
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
    hit = [...things.values()].at(-1)
    if (hit !== undefined) intruders[part].move(hit)
  }
  const applied = await drive.apply(digest)
  const entries = await Array.fromAsync(readLedger(drive.deps.store, 'things'))
  return { server, plan, applied, entries, hit, drive }
}

const shapes = {
  send: fc.constantFrom('full', 'changed', 'object', 'jsonPatch', 'mergePatch'),
  rules: fc.constantFrom('each', 'goes and comes', 'batch', 'all'),
  lock: fc.constantFrom('none', 'etag', 'field'),
  action: fc.boolean(),
  order: fc.constantFrom('deleteFirst', 'createFirst'),
  honours: fc.boolean(),
} as const

describe('somebody moves a part of an object between two commands of ours', () => {
  it('our own commands alone never stop each other', async () => {
    const cases = fc.record({
      ...shapes,
      what: fc.constantFrom<What>('update', 'replace', 'delete', 'create'),
      part: fc.constant('title' as const),
      at: fc.constant(0),
    })
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { applied, drive } = await run(each as Case)
        expect(applied.outcomes.map(({ status, detail }) => [status, detail])).toEqual(
          applied.outcomes.map(() => ['succeeded', undefined]),
        )
        expect(applied).toMatchObject({ status: 'succeeded' })
        expect((await drive.check()).plan.changes).toEqual([])
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('nothing of what they wrote is overwritten, and the apply says what it found', async () => {
    const cases = fc.record({
      ...shapes,
      what: fc.constantFrom<What>('update', 'replace', 'delete'),
      part: fc.constantFrom(...(Object.keys(intruders) as (keyof typeof intruders)[])),
      at: fc.integer({ min: 1, max: 7 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const { server, plan, applied, entries, hit } = await run(each as Case)
        const next = plan.commands[each.at]
        if (hit === undefined || next === undefined || next.precondition?.kind === 'absent') return
        // A new object is seen for the first time by its second command: what is moved before that was never seen.
        const isFirstSight = next.precondition?.kind === 'made' && plan.commands[each.at - 1]?.action === 'create'
        if (isFirstSight) return
        const isAboutHit =
          each.what !== 'replace' || (each.order === 'createFirst') === (next.precondition?.kind === 'made')
        if (!isAboutHit) return
        const there = [...server.things.values()].find((thing) => thing === hit)
        expect(there !== undefined && intruders[each.part as keyof typeof intruders].holds(there)).toBe(true)
        const failed = applied.outcomes.find(({ status }) => status !== 'succeeded')
        expect(failed).toMatchObject({ command: next.id, status: 'failed' })
        expect(failed?.detail).toContain(each.part.replace('rule ', 'rules.'))
        const results = entries.flatMap(({ kind, outcome }) => (kind === 'result' ? [outcome?.status] : []))
        expect(results.filter((status) => status === 'succeeded')).toHaveLength(each.at)
      }),
      { numRuns: 250 },
    )
  }, 120_000)
})
