import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { gardens, startGardens } from '../../../builders/servers/gardens-api.ts'

/* What contains an object is named by its path, or by what never changes in it: both prove nothing after others made it again. */

const { garden, bed, tag, gnome } = gardens

const start = async (resources: readonly JsonObject[]) => {
  const world = await startGardens(resources)
  expect(world.applied.status).toBe('succeeded')
  expect((await world.look()).plan.inSync).toBe(true)
  return world
}

describe('a garden that is named in the body of a gnome', () => {
  it(
    'made again by others, and declared by nobody: the gnome is unchecked, and never written or deleted',
    long,
    async () => {
      await using world = await start([gnome])
      world.remake()
      const theirs = world.state.get('/gnomes/g1')
      expect([(await world.look()).changes, (await world.look()).unchecked]).toEqual([
        [],
        ['other_parent park_gnome.g'],
      ])
      await world.settle()
      world.want([{ ...garden, name: 'other', spec: { slug: 'other' } }])
      const { changes, unchecked } = await world.look()
      expect([changes, unchecked]).toEqual([['create park_garden.other'], ['other_parent park_gnome.g']])
      await world.settle()
      expect(world.state.get('/gnomes/g1')).toBe(theirs)
    },
  )

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

  it(
    'another one now, because somebody moved the gnome: it is drift, and it is told as that each time',
    long,
    async () => {
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
    },
  )
})

describe('a garden that is deleted while what is in it stays declared', () => {
  const start = async (more: JsonObject = {}) => {
    const world = await startGardens([garden, bed, gnome])
    world.want([...(more['resources'] === undefined ? [] : [more['resources'] as JsonObject]), bed, gnome])
    await world.look()
    return world
  }
  const warning = {
    level: 'warning',
    message: expect.stringMatching(/^park_garden\.rose is deleted while park_bed\.b, park_gnome\.g still name it: /),
    fix: expect.stringContaining('list it under removed'),
  }

  it('because it left the configuration: there is a warning at each check', async () => {
    await using world = await start()
    for (const _time of [1, 2]) {
      const { changes, plan } = await world.look()
      expect(changes).toEqual(['delete park_garden.rose'])
      expect(plan.notes).toMatchObject([warning])
    }
  })

  it('because it shall not exist: there is the same warning', async () => {
    await using world = await start({ resources: { ...garden, absent: true, spec: { slug: 'rose' } } })
    expect((await world.look()).plan.notes).toMatchObject([warning])
  })

  it('together with that, or while it keeps its object under another address: there is none', async () => {
    await using world = await start()
    world.want([])
    expect((await world.look()).plan.notes).toBeUndefined()
    world.want([{ ...garden, name: 'other' }, bed, gnome])
    const { changes, plan } = await world.look()
    expect([changes, plan.notes]).toEqual([[], undefined])
  })
})

describe('the way out that is told', () => {
  const gone = (...addresses: readonly string[]) => ({
    gone: addresses.map((address) => ({ address, reason: 'the garden was made again' })),
  })

  it(
    'of what is in a container that nobody declares: under gone, it is found as if for the first time',
    long,
    async () => {
      await using world = await start([bed, tag, gnome])
      world.remake()
      const { unchecked, details } = await world.look()
      expect(unchecked).toEqual(['other_parent park_bed.b', 'other_parent park_tag.t', 'other_parent park_gnome.g'])
      expect(details).toEqual([
        expect.stringContaining('list this resource under gone:'),
        expect.stringMatching(/once park_bed\.b is taken over: under import:, or under gone:/),
        expect.stringContaining('list this resource under gone:'),
      ])
      world.want([bed, tag, gnome], gone('park_bed.b'))
      const after = await world.look()
      expect([after.changes, after.unchecked]).toEqual([
        ['update park_bed.b'],
        ['other_parent park_tag.t', 'other_parent park_gnome.g'],
      ])
      expect(after.details.every((each) => each.includes('list this resource under gone:'))).toBe(true)
      world.want([bed, tag, gnome], gone('park_bed.b', 'park_gnome.g', 'park_tag.t'))
      expect((await world.settle()).status).toBe('succeeded')
      world.want([bed, tag, gnome])
      expect((await world.look()).plan.inSync).toBe(true)
    },
  )

  it('of what left the configuration: under gone, it is forgotten, and nothing is deleted', async () => {
    await using world = await start([bed, tag, gnome])
    world.remake()
    const before = [...world.state]
    world.want([], gone('park_bed.b', 'park_gnome.g', 'park_tag.t'))
    expect((await world.look()).changes).toEqual([])
    world.want([])
    const { changes, unchecked } = await world.look()
    expect([changes, unchecked]).toEqual([[], []])
    expect([...world.state]).toEqual(before)
  })

  it('of what its container does not have any more', async () => {
    await using world = await start([gnome])
    world.state.delete('/gardens/rose')
    expect((await world.look()).details).toEqual([expect.stringContaining('list this resource under gone:')])
    world.want([gnome], gone('park_gnome.g'))
    expect((await world.look()).plan.inSync).toBe(true)
  })
})
