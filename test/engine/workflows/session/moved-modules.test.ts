import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { eachOf } from '../../../builders/long.ts'
import { provider, startShelves, thing } from '../../../builders/servers/shelves.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* Modules that get another address: their records go along, also if their objects get another name at the same time. */

const module =
  'parameters: { prefix: { type: string } }\nresources:\n' +
  thing('one', '"${var.prefix}-one"') +
  thing('two', '"${var.prefix}-two"')

interface Call {
  readonly name: string
  readonly prefix: string
  readonly keys?: readonly string[]
}

const callOf = ({ name, prefix, keys }: Call): string =>
  keys === undefined
    ? `  - { name: ${name}, source: ./m, with: { prefix: ${prefix} } }`
    : `  - { name: ${name}, source: ./m, forEach: ${JSON.stringify(keys)}, with: { prefix: "${prefix}-\${each.key}" } }`

const drive = (url: string) => {
  const given = testDeps()
  const want = (calls: readonly Call[], moved: readonly (readonly [string, string])[] = [], more = ''): void => {
    const text = [
      'workspace: shelves',
      `providers: { shelf: { source: rest, definition: ./shelf.yaml, with: { baseUrl: "${url}" } } }`,
      ...(calls.length === 0 ? [] : ['modules:', ...calls.map(callOf)]),
      ...(moved.length === 0 ? [] : ['moved:', ...moved.map(([from, to]) => `  - { from: '${from}', to: '${to}' }`)]),
      more,
    ]
    given.current.bundle = yaml(text.join('\n'), { 'shelf.yaml': provider({}), 'm/module.yaml': module })
  }
  const check = async () => {
    const { plan, run } = await checkWorkspace({ workspace: 'shelves', trigger: 'cli', actor }, given.deps)
    return plan ?? expect.unreachable(run.error?.message)
  }
  const apply = async () => {
    const { digests } = await check()
    const asked = { workspace: 'shelves', mode: 'execute', digest: digests.commands, reason: 'r', actor } as const
    const { id } = await requestApply(asked, given.deps)
    return runApply({ workspace: 'shelves', applyId: id }, given.deps)
  }
  return { want, check, apply }
}

const a = { name: 'a', prefix: 'p' }

describe('moved: a module', () => {
  eachOf(
    it,
    2,
  )<[title: string, before: Call, after: Call, from: string, to: string]>([
    ['gets another name', a, { ...a, name: 'b' }, 'module.a', 'module.b'],
    ['gets instances', a, { ...a, keys: ['x'] }, 'module.a', 'module.a["x"]'],
    ['has none any more', { ...a, keys: ['x'] }, a, 'module.a["x"]', 'module.a'],
    ['gets another key', { ...a, keys: ['x'] }, { ...a, keys: ['y'] }, 'module.a["x"]', 'module.a["y"]'],
    [
      'gets another name, with instances',
      { ...a, keys: ['x', 'y'] },
      { ...a, name: 'b', keys: ['x', 'y'] },
      'module.a',
      'module.b',
    ],
  ])('keeps its objects and their records when it %s', async (_, before, after, from, to) => {
    await using api = await startShelves('counted')
    const { want, check, apply } = drive(api.url)
    want([before])
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    const names = api.names()
    const sent = api.writes().length
    // Another name at the same time: nothing but the record leads to the object.
    want([{ ...after, prefix: 'q' }], [[from, to]])
    const plan = await check()
    expect(plan.unchecked).toEqual([])
    expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['update']))
    expect(plan.moved).toHaveLength(names.length)
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(
      api
        .writes()
        .slice(sent)
        .every((write) => write.startsWith('PATCH')),
    ).toBe(true)
    expect(api.names()).toHaveLength(names.length)
    want([{ ...after, prefix: 'q' }])
    expect(await check()).toMatchObject({ inSync: true })
  })

  it('and a resource that moves elsewhere follow their own moves', async () => {
    await using api = await startShelves('counted')
    const { want, check, apply } = drive(api.url)
    want([a])
    await apply()
    const alone = `resources:\n${thing('alone', 'alone')}`
    want(
      [{ name: 'b', prefix: 'q' }],
      [
        ['module.a', 'module.b'],
        ['module.a.shelf_thing.one', 'shelf_thing.alone'],
      ],
      alone,
    )
    const plan = await check()
    expect(plan.moved).toEqual([
      { from: 'module.a.shelf_thing.one', to: 'shelf_thing.alone' },
      { from: 'module.a.shelf_thing.two', to: 'module.b.shelf_thing.two' },
    ])
    expect(plan.changes.map(({ action, address }) => `${action} ${address}`).toSorted()).toEqual([
      'create module.b.shelf_thing.one',
      'update module.b.shelf_thing.two',
      'update shelf_thing.alone',
    ])
  })

  it('never deletes or creates an object, whatever moves in a chain', async () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 2, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(names, fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }), async (chain, all) => {
        await using api = await startShelves('counted')
        const { want, check, apply } = drive(api.url)
        const keys = all.length === 0 ? {} : { keys: [...new Set(all)] }
        const [first = '', last = ''] = [chain[0], chain.at(-1)]
        want([{ name: first, prefix: 'p', ...keys }])
        await apply()
        const ids = api.writes().length
        const moves = chain.slice(1).map((to, n) => [`module.${chain[n]}`, `module.${to}`] as const)
        want([{ name: last, prefix: 'q', ...keys }], moves.toReversed())
        expect((await check()).changes.every(({ action }) => action === 'update')).toBe(true)
        await apply()
        expect(
          api
            .writes()
            .slice(ids)
            .every((write) => write.startsWith('PATCH')),
        ).toBe(true)
      }),
      lawRuns(12),
    )
  })

  it.each<[calls: readonly Call[], from: string, to: string, message: string]>([
    [[{ ...a, name: 'b' }], 'module.a', 'shelf_thing.b', 'only one of them is a module'],
    [[a], 'module.a', 'module.b', 'module.a is still declared'],
    [[{ ...a, keys: ['x'] }], 'module.a["y"]', 'module.a["z"]', 'there is no resource module.a["z"]'],
    [[a], 'module.a', 'module.a', 'module.a moves to itself'],
    [[a], 'shelf_box.x', 'module.a.shelf_thing.one', 'their types are not the same'],
  ])('refuses as %j the move of %s to %s', async (calls, from, to, message) => {
    const { want, check } = drive('http://127.0.0.1:9')
    want(calls, [[from, to]])
    await expect(check()).rejects.toThrow(message)
  })
})
