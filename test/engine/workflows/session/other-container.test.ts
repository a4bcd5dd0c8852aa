import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { gardens, startGardens } from '../../../builders/servers/gardens-api.ts'

/* What contains an object is named by its path, or by what never changes in it: both prove nothing after others made it again. */

const { garden, bed, gnome } = gardens

const start = async (resources: readonly JsonObject[]) => {
  const world = await startGardens(resources)
  expect(world.applied.status).toBe('succeeded')
  expect((await world.look()).plan.inSync).toBe(true)
  return world
}

describe('a garden that is named in the body of a gnome', () => {
  it('made again by others, and declared by nobody: the gnome is unchecked, and never written or deleted', async () => {
    await using world = await start([gnome])
    world.remake()
    const theirs = world.state.get('/gnomes/g1')
    expect([(await world.look()).changes, (await world.look()).unchecked]).toEqual([[], ['other_parent park_gnome.g']])
    await world.settle()
    world.want([{ ...garden, name: 'other', spec: { slug: 'other' } }])
    const { changes, unchecked } = await world.look()
    expect([changes, unchecked]).toEqual([['create park_garden.other'], ['other_parent park_gnome.g']])
    await world.settle()
    expect(world.state.get('/gnomes/g1')).toBe(theirs)
  })

  it('made again by others while it leaves the configuration: the gnome is unchecked', async () => {
    await using world = await start([garden, bed, gnome])
    world.remake()
    world.want([bed, gnome])
    const { changes, unchecked } = await world.look()
    expect([changes, unchecked.slice(0, 2)]).toEqual([[], ['other_parent park_bed.b', 'other_parent park_gnome.g']])
  })

  it('made again by others while the gnome gets another garden: the gnome is unchecked', async () => {
    await using world = await start([gnome])
    world.remake()
    world.state.set('/gardens/lily', world.garden(901, 'theirs', 'lily'))
    world.want([{ ...gnome, spec: { ...gnome.spec, garden: 'lily' }, lifecycle: { onImmutable: 'replace' } }])
    const { changes, unchecked } = await world.look()
    expect([changes, unchecked]).toEqual([[], ['other_parent park_gnome.g']])
  })

  it('made again by an apply: the gnome is ours as before', async () => {
    await using world = await start([garden, gnome])
    world.state.delete('/gardens/rose')
    expect((await world.settle()).status).toBe('succeeded')
    expect((await world.look()).plan.inSync).toBe(true)
  })

  it('another one now, because somebody moved the gnome: it is drift, and it is told as that each time', async () => {
    await using world = await start([gnome])
    world.state.set('/gardens/lily', world.garden(901, 'theirs', 'lily'))
    const moved = (to: string) => JSON.stringify({ code: 'g1', garden: to, note: 'ours' })
    world.state.set('/gnomes/g1', moved('lily'))
    for (const _time of [1, 2]) expect((await world.look()).changes).toEqual(['immutable park_gnome.g'])
    world.state.set('/gnomes/g1', moved('rose'))
    expect((await world.look()).plan.inSync).toBe(true)
    world.state.set('/gnomes/g1', moved('lily'))
    world.want([{ ...gnome, spec: { ...gnome.spec, garden: 'lily' } }])
    for (const _time of [1, 2]) expect((await world.look()).plan.inSync).toBe(true)
    world.state.set('/gardens/lily', world.garden(902, 'theirs', 'lily'))
    expect((await world.look()).unchecked).toEqual(['other_parent park_gnome.g'])
  })
})
