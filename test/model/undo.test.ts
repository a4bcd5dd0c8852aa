import fc from 'fast-check'
import { expect, it } from 'vitest'
import { urlWords } from '../../core/engine/values/url.ts'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { planUndoOf } from '../../core/engine/workflows/apply/take-undo.ts'
import { checkWorkspace } from '../../core/engine/workflows/check/check-workspace.ts'
import { lawRuns } from '../builders/laws.ts'
import { actor, testDeps } from '../builders/workspaces/workspace.ts'
import { serve } from './api.ts'
import { addressOf, bundleOf, type Declaration, type Declared, tokenSource, tokenText } from './declared.ts'
import { anyModel, describeModel, type Model } from './model.ts'
import { emptyWorld, handleOf, shown, snapshot, type World } from './world.ts'

/*
 * The law of the undo, over random configurations on random APIs: what an undo sends brings back what was there before the apply,
 * and what it leaves out has its reason.
 */

const url = 'http://model.test'
const workspace = 'model'

const play = (model: Model) => {
  const world = emptyWorld(model)
  const writes: string[] = []
  const given = testDeps({
    transport: () => ({
      send: async (request) => {
        if (request.effect === 'write') writes.push(`${request.method} ${urlWords(request.url)}`)
        return serve(world, { ...request, url: urlWords(request.url) })
      },
    }),
  })
  given.secrets[tokenSource] = tokenText
  const { deps, clock, current } = given
  const want = (all: Declaration): void => {
    current.bundle = bundleOf(model, url, { all, moved: [], removed: [] })
  }
  const check = async () => {
    clock.forward(60_000)
    return checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  }
  const approve = async (digest: string) => {
    clock.forward(1_000)
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'law', actor }, deps)
    return runApply({ workspace, applyId: id, patient: true }, deps)
  }
  const undo = (applyId: string) => {
    clock.forward(1_000)
    return planUndoOf({ workspace, applyId, trigger: 'cli', actor }, deps)
  }
  return { world, writes, want, check, approve, undo }
}

/** What people see of all objects, without what only the server decides and the order of elements with keys. */
const dump = (world: World): readonly string[] =>
  world.things
    .map((thing) => {
      const { serial: _, id: __, code: ___, zone: ____, marks: _____, ...rest } = shown(world, thing)
      return JSON.stringify([
        thing.type,
        rest,
        thing.marks.toSorted(),
        world.things.find(({ uid }) => uid === thing.zone)?.name ?? handleOf(world, thing.zone) ?? null,
      ])
    })
    .toSorted()

const zone: fc.Arbitrary<Pick<Declared, 'note'>> = fc.record({ note: fc.constantFrom('one', 'two') })
const item = fc.record({
  size: fc.nat(2),
  kind: fc.constantFrom('plain', 'other'),
  tags: fc.subarray(['x', 'y', 'z']),
  marks: fc.subarray(['m', 'n', 'o']),
})
const declarations = fc.record({
  zones: fc.dictionary(fc.constantFrom('z1', 'z2'), zone),
  items: fc.dictionary(fc.constantFrom('a', 'b', 'c'), item),
})

const declare = (
  model: Model,
  { zones, items }: typeof declarations extends fc.Arbitrary<infer One> ? One : never,
): Declaration => {
  const plain = { space: 'x', size: 0, kind: 'plain', note: '', lifecycle: {}, absent: false }
  const [first] = Object.keys(zones)
  const needsZone = model.parents !== 'none'
  const all: readonly Declared[] = [
    ...Object.entries(zones).map(([name, each]): Declared => ({ ...plain, ...each, type: 'zone', label: name, name })),
    ...(needsZone && first === undefined ? [] : Object.entries(items)).map(
      ([name, each]): Declared => ({
        ...plain,
        ...each,
        type: 'item',
        label: name,
        name,
        ...(needsZone && first !== undefined ? { zone: { label: first, name: first } } : {}),
      }),
    ),
  ]
  return new Map(all.map((each) => [addressOf(each), each]))
}

it('law: an undo brings back what was there before the apply, but for what it leaves out and says', async () => {
  const ends = new Map<string, number>()
  const count = (end: string): void => void ends.set(end, (ends.get(end) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(anyModel, declarations, declarations, async (model, first, second) => {
      const { world, writes, want, check, approve, undo } = play(model)
      const story = (what: unknown): string => `${describeModel(model)}\n${JSON.stringify(what)}\n${writes.join('\n')}`
      want(declare(model, first))
      const made = (await check()).plan
      if (made !== undefined && made.commands.length > 0) await approve(made.digests.commands)
      const before = dump(world)
      want(declare(model, second))
      const { plan } = await check()
      if (plan === undefined || plan.commands.length === 0) return
      const apply = await approve(plan.digests.commands)
      if (apply.status !== 'succeeded') return void count(`apply ${apply.status}`)
      const was = snapshot(world)
      writes.push('-- undo')
      const { plan: back } = await undo(apply.id)
      expect(world.things, 'a plan writes nothing').toEqual(was.things)
      const blocked = back.changes.filter((change) => change.blocked !== undefined)
      for (const each of blocked) expect(each.blocked?.detail, story(each)).toMatch(/./)
      if (back.commands.length === 0) return void count('nothing')
      const undone = await approve(back.digests.commands)
      expect(undone.status, story([undone, back])).toBe('succeeded')
      if (blocked.length > 0)
        return void count(`partly: ${blocked[0]?.blocked?.detail.replaceAll(/[\w.]+#\d+|m_\w+\.\w+/g, '_')}`)
      expect(dump(world), story(back.commands)).toEqual(before)
      count('whole')
    }),
    lawRuns(250),
  )
  // An undo that leaves out everything would break no law.
  const all = [...ends.values()].reduce((sum, each) => sum + each, 0)
  expect((ends.get('whole') ?? 0) / all).toBeGreaterThan(0.3)
})
