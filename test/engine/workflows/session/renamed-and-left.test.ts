import { describe, expect, it } from 'vitest'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { long } from '../../../builders/long.ts'
import { driveShelves, type Shelves, startShelves, thing } from '../../../builders/servers/shelves.ts'
import { untilDeath } from '../../../builders/time/crash-point.ts'

/** A thing that is known by its name alone was renamed by us, and nobody knows what came of it. */
const start = async (when: 'before' | 'after', model: Shelves = {}) => {
  const api = await startShelves('position', [{ name: 'a', note: 'ours' }])
  const shelf = driveShelves(api.url, { kind: 'position', lifecycle: '{}', ...model })
  shelf.want(thing('x', 'a', 'ours'))
  await shelf.check()
  shelf.want(thing('x', 'b', 'ours'))
  const applyId = await shelf.approve()
  const run = (dying: typeof shelf.deps) => runApply({ workspace: 'shelves', applyId }, dying)
  expect(await untilDeath(shelf.deps, { at: 'send', n: 1, when }, run)).toBe('died')
  shelf.clock.forward(121_000)
  const look = async () => {
    const { plan } = await shelf.check()
    return {
      changes: plan?.changes.map(({ action, address, before }) => `${action} ${address} ${before?.['name']}`),
      unchecked: plan?.unchecked.map(({ address }) => address).toSorted(),
      details: plan?.unchecked.map(({ detail }) => detail),
    }
  }
  return { ...api, ...shelf, api, look }
}

describe('an object with only a name, whose rename has an unknown end,', () => {
  it('is not deleted as ours under the new name if another object may have the old one', async () => {
    await using shelf = await start('after')
    expect(shelf.names()).toEqual(['b'])
    shelf.add({ name: 'a', note: 'of somebody else' })
    shelf.want('')
    const { changes, unchecked, details } = await shelf.look()
    expect({ changes, unchecked }).toEqual({
      changes: [],
      unchecked: ['shelf_thing.x', 'shelf_thing.x (object 2)'],
    })
    expect(details?.[0]).toContain('a new name or a successor of it was sent')
  })

  it('is deleted as ours where the rename did not happen', async () => {
    await using shelf = await start('before')
    shelf.want('')
    expect(await shelf.look()).toMatchObject({ changes: ['delete shelf_thing.x a'], unchecked: [] })
  })

  it('counts as renamed where the old name leads nowhere', async () => {
    await using shelf = await start('after')
    expect(await shelf.look()).toMatchObject({ changes: [], unchecked: [] })
  })

  it('is renamed again where the rename did not happen', long, async () => {
    await using shelf = await start('before')
    expect(await shelf.look()).toMatchObject({ changes: ['update shelf_thing.x a'], unchecked: [] })
    const again = { workspace: 'shelves', applyId: await shelf.approve(), patient: true }
    expect(await runApply(again, shelf.deps)).toMatchObject({ status: 'succeeded' })
    shelf.want('')
    expect(await shelf.look()).toMatchObject({ changes: ['delete shelf_thing.x b'], unchecked: [] })
  })
})
