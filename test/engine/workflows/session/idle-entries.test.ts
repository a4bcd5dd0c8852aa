import { describe, expect, it } from 'vitest'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { provider, startShelves, thing } from '../../../builders/servers/shelves.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const type = 'shelf_thing'

const open = (server: Awaited<ReturnType<typeof startShelves>>) => {
  const world = testDeps()
  const check = async (names: readonly string[], more = '') => {
    const text = `workspace: shelves
providers: { shelf: { source: rest, definition: ./shelf.yaml, with: { baseUrl: "${server.url}" } } }
resources:
${names.map((name) => thing(name, `n-${name}`)).join('')}${more}`
    world.current.bundle = yaml(text, { 'shelf.yaml': provider({}) })
    const { plan, run } = await checkWorkspace({ workspace: 'shelves', trigger: 'cli', actor }, world.deps)
    return plan ?? expect.unreachable(JSON.stringify(run.error))
  }
  const apply = async (names: readonly string[], more = '') => {
    const { digests } = await check(names, more)
    const asked = { workspace: 'shelves', mode: 'execute', digest: digests.commands, reason: 'r', actor } as const
    const { id } = await requestApply(asked, world.deps)
    await runApply({ workspace: 'shelves', applyId: id }, world.deps)
  }
  return { check, apply }
}

describe('an entry that did nothing', () => {
  it('is told with its reason, and a mistyped address with the one that was meant', async () => {
    await using server = await startShelves('counted')
    const { check, apply } = open(server)
    await apply(['alpha', 'beta'])
    const moved = (from: string, to: string) => `  - { from: ${type}.${from}, to: ${type}.${to} }\n`
    const plan = await check(
      ['betas', 'gamma'],
      `moved:\n${moved('alpa', 'gamma')}${moved('beta', 'betas')}removed: [{ address: ${type}.old, reason: handed over }]
gone: [{ address: ${type}.beta, reason: lost }, { address: ${type}.none, reason: lost }]\n`,
    )
    expect(plan.idleEntries).toEqual([
      { kind: 'moved', address: `${type}.alpa`, to: `${type}.gamma`, why: 'no_record', near: `${type}.alpha` },
      { kind: 'removed', address: `${type}.old`, why: 'no_record', reason: 'handed over' },
      { kind: 'gone', address: `${type}.none`, why: 'no_record', reason: 'lost' },
    ])
    const page = renderPlan(plan, { format: 'text' })
    expect(page).toContain('Entries without effect')
    expect(page).toContain(`did you mean ${type}.alpha?`)
    for (const format of ['markdown', 'html', 'json'] as const)
      expect(renderPlan(plan, { format })).toContain(`${type}.alpa`)
  })

  it('names what was meant, or what it lacks, where an object will be deleted that it was to keep', async () => {
    await using server = await startShelves('counted')
    const { check, apply } = open(server)
    await apply(['one', 'legacy'])
    const ignore = (more: string) => `ignore: [{ address: ${type}.legacy, reason: r, owner: o${more} }]\n`
    const mistyped = `removed: [{ address: ${type}.legcy, reason: r }]\ngone: [{ address: ${type}.oen, reason: r }]\n`
    const plan = await check(['one'], `${mistyped}${ignore('')}`)
    expect(plan.changes.map(({ action, address }) => [action, address])).toEqual([['delete', `${type}.legacy`]])
    expect(plan.idleEntries?.map(({ kind, near }) => [kind, near])).toEqual([
      ['removed', `${type}.legacy`],
      ['gone', `${type}.one`],
    ])
    expect(plan.idleRules).toMatchObject([{ why: 'deleted' }])
    const page = renderPlan(plan, { format: 'text' }).replaceAll(/\s+/g, ' ')
    for (const words of [`did you mean ${type}.legacy?`, 'it covers no delete']) expect(page).toContain(words)
    const kept = await check(['one'], ignore(', includeDeletes: true'))
    expect([kept.changes, kept.idleRules]).toEqual([[], undefined])
  })

  it('is none that names all instances of a resource, or a module, and forgets them', async () => {
    await using server = await startShelves('counted')
    const world = testDeps()
    const check = async (rest: string) => {
      const text = `workspace: shelves
providers: { shelf: { source: rest, definition: ./shelf.yaml, with: { baseUrl: "${server.url}" } } }
${rest}`
      const inside = `resources: [{ type: ${type}, name: one, spec: { name: n-inside } }]`
      world.current.bundle = yaml(text, { 'shelf.yaml': provider({}), 'm/module.yaml': inside })
      const { plan, run } = await checkWorkspace({ workspace: 'shelves', trigger: 'cli', actor }, world.deps)
      return plan ?? expect.unreachable(JSON.stringify(run.error))
    }
    const each = `resources: [{ type: ${type}, name: each, forEach: [a, b], spec: { name: "n-\${each.key}" } }]
`
    const { digests } = await check(`${each}modules: [{ name: m, source: ./m }]`)
    const asked = { workspace: 'shelves', mode: 'execute', digest: digests.commands, reason: 'r', actor } as const
    const { id } = await requestApply(asked, world.deps)
    await runApply({ workspace: 'shelves', applyId: id }, world.deps)
    const removed = [`${type}.each`, 'module.m'].map((address) => `{ address: ${address}, reason: theirs }`)
    const plan = await check(`removed: [${removed.join(', ')}]`)
    expect([plan.changes, plan.idleEntries]).toEqual([[], undefined])
    expect(plan.orphans?.map(({ address, fate, by }) => [address, fate, by])).toEqual(
      ['module.m.shelf_thing.one', 'shelf_thing.each["a"]', 'shelf_thing.each["b"]'].map((address) => [
        address,
        'forget',
        'removed',
      ]),
    )
  })

  it('is a move to what has a record; a move that was done is not told', async () => {
    await using server = await startShelves('counted')
    const { check, apply } = open(server)
    await apply(['one', 'two'])
    const move = `moved: [{ from: ${type}.one, to: ${type}.two }]\n`
    expect((await check(['two'], move)).idleEntries).toMatchObject([{ kind: 'moved', why: 'taken' }])
    await apply(['two'])
    expect((await check(['two'], move)).idleEntries).toBeUndefined()
  })

  it('is a move of a place where nothing was seen; one that was followed is not told', async () => {
    await using server = await startShelves('counted')
    const { check, apply } = open(server)
    const place = (from: string) => `moved: [{ provider: shelf, from: "${from}", to: "http://127.0.0.1:1" }]\n`
    expect((await check(['one'], place(server.url))).idleEntries).toMatchObject([{ why: 'no_record' }])
    await apply(['one'])
    const mistyped = server.url.replace('http://127', 'http://128')
    const plan = await check(['one'], place(mistyped))
    expect(plan.idleEntries).toEqual([
      {
        kind: 'moved',
        provider: 'shelf',
        address: mistyped,
        to: 'http://127.0.0.1:1',
        why: 'no_record',
        near: server.url,
      },
    ])
    const page = renderPlan(plan, { format: 'text' })
    expect(page).toContain(`moved: shelf ${mistyped}`)
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`did you mean ${server.url}?`)
    const followed = place('http://127.0.0.1:1').replace('to: "http://127.0.0.1:1"', `to: "${server.url}"`)
    expect((await check(['one'], followed)).idleEntries).toBeUndefined()
  })

  it('is a word that an object is gone that is there', async () => {
    await using server = await startShelves('counted')
    const { check, apply } = open(server)
    await apply(['one'])
    const gone = `gone: [{ address: ${type}.one, reason: r }]\n`
    expect((await check(['one'], gone)).idleEntries).toMatchObject([{ kind: 'gone', why: 'present' }])
  })

  it('has a hint beside the delete where the address of what is created is one edit away', async () => {
    await using server = await startShelves('counted')
    const { check, apply } = open(server)
    await apply(['alpha', 'part-1'])
    const page = renderPlan(await check(['alphas', 'part-2']), { format: 'summary' })
    expect(page).toContain(`did you mean ${type}.alphas to be the same object?`)
    expect(page).not.toContain(`did you mean ${type}.part-2`)
  })
})
