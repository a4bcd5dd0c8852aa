import { describe, expect, it } from 'vitest'
import { moveRecord } from '../../../../core/engine/workflows/state/move-record.ts'
import { exportState } from '../../../../core/engine/workflows/state/read-state.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { gardens, startGardens } from '../../../builders/servers/gardens-api.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

const named = (name: string, slug: string) => ({ ...gardens.garden, name, spec: { slug, note: 'ours' } })
const all = (...slugs: readonly string[]) =>
  ['one', 'two', 'three'].slice(0, slugs.length).map((name, n) => named(name, slugs[n] ?? ''))
const moves = (...chain: readonly string[]) => ({
  moved: chain.slice(1).map((to, n) => ({ from: `park_garden.${chain[n]}`, to: `park_garden.${to}` })),
})

describe('addresses that exchange names which never change', () => {
  it.each([
    ['two', ['rose', 'lily'], ['lily', 'rose'], ['one', 'two', 'one']],
    ['three', ['rose', 'lily', 'iris'], ['iris', 'rose', 'lily'], ['one', 'two', 'three', 'one']],
  ])('are told the way out, and it works without a request for %s of them, once', async (_, before, after, chain) => {
    await using world = await startGardens(all(...before))
    const state = [...world.state]
    world.want(all(...after))
    const { changes, details } = await world.look()
    expect(changes).toEqual([])
    expect(details).toEqual(before.map(() => expect.stringContaining('exchange the addresses under moved: each from')))
    world.want(all(...after), moves(...chain))
    const first = (await world.look()).plan
    expect([first.inSync, first.moved?.length, first.idleEntries]).toEqual([true, before.length, undefined])
    for (const more of [moves(...chain), undefined]) {
      world.want(all(...after), more)
      const { plan } = await world.look()
      expect([plan.inSync, plan.moved, plan.idleEntries]).toEqual([true, undefined, undefined])
    }
    expect([...world.state]).toEqual(state)
  })

  it('are refused under moved where one of them moves to none of them', async () => {
    await using world = await startGardens(all('rose', 'lily'))
    world.want(all('lily', 'rose'), moves('one', 'two'))
    await expect(world.look()).rejects.toThrow('park_garden.one is still declared')
  })

  it('keep their records where the names are not exchanged', async () => {
    await using world = await startGardens(all('rose', 'lily'))
    world.want(all('rose', 'lily'), moves('one', 'two', 'one'))
    const { plan } = await world.look()
    expect([plan.inSync, plan.moved]).toEqual([true, undefined])
  })

  it('have both records after an apply that exchanges them, because others moved them back after its check', async () => {
    await using world = await startGardens(all('rose', 'lily'))
    const { deps } = world
    await putWorkspace({ bundle: await deps.config.load('things'), actor }, deps)
    world.want(
      [named('one', 'lily'), { ...named('two', 'rose'), spec: { slug: 'rose', note: 'new' } }],
      moves('one', 'two', 'one'),
    )
    const { digest } = await world.check()
    for (const [from, to] of [
      ['one', 'aside'],
      ['two', 'one'],
      ['aside', 'two'],
    ])
      await moveRecord(
        { workspace: 'things', from: `park_garden.${from}`, to: `park_garden.${to}`, reason: 'back', actor },
        deps,
      )
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    const { resources } = await exportState(deps.store, 'things')
    expect(resources.map(({ address, attributes }) => [address, attributes['slug'], attributes['note']])).toEqual([
      ['park_garden.one', 'lily', 'ours'],
      ['park_garden.two', 'rose', 'new'],
    ])
    expect((await world.look()).plan.inSync).toBe(true)
  })
})
