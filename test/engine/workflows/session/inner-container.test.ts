import { describe, expect, it } from 'vitest'
import { eachOf, long } from '../../../builders/long.ts'
import { gardens, startGardens } from '../../../builders/servers/gardens-api.ts'

/* A garden that a gnome names inside of an object or of a list, or by its id: it contains the gnome as one that an attribute names. */

const slug = 'refersTo: { type: park_garden, attribute: slug }'
const object = (inner: string, facts = ''): string =>
  `where: { type: object, ${facts} attributes: { garden: { ${inner} } } }`
const elements = (inner: string, type = 'list'): string =>
  `in: { type: ${type}, immutable: true, element: { type: object, attributes: { garden: { ${inner} } } } }`
const id = 'ref: { type: park_garden, emit: id }'
const inObject = (garden: string | number) => ({ where: { garden } })
const inList = (garden: string | number) => ({ in: [{ garden }] })
const itself = (garden: string | number) => ({ garden })

const ways = [
  ['in a fixed object', object(slug, 'immutable: true,'), inObject, 'name'],
  ['by a fixed member of an object', object(`immutable: true, ${slug}`), inObject, 'name'],
  ['in an element of a fixed list', elements(slug), inList, 'name'],
  ['in an element of a fixed set', elements(slug, 'set'), inList, 'name'],
  [
    'by an element of a fixed list',
    `in: { type: list, immutable: true, element: { ${slug} } }`,
    (garden: string | number) => ({ in: [garden] }),
    'name',
  ],
  [
    'by a value of a fixed map',
    `in: { type: map, immutable: true, element: { ${slug} } }`,
    (garden: string | number) => ({ in: { here: garden } }),
    'name',
  ],
  [
    'by a reference that sends its name',
    'garden: { immutable: true, ref: { type: park_garden, emit: slug } }',
    itself,
    'name',
  ],
  [
    'by a reference that sends its name, in a fixed object',
    object('ref: { type: park_garden, emit: slug }', 'immutable: true,'),
    inObject,
    'name',
  ],
  ['by a reference that sends its id', `garden: { immutable: true, ${id} }`, itself, 'id'],
  ['by a reference that sends its id, in a fixed object', object(`${id}`, 'immutable: true,'), inObject, 'id'],
  ['by a reference that sends its id, in an element of a fixed list', elements(`${id}`), inList, 'id'],
  [
    'by its id',
    'garden: { type: number, immutable: true, refersTo: { type: park_garden, attribute: id } }',
    (garden: string | number) => ({ garden: garden === 'rose' ? 7 : garden }),
    'id',
  ],
] as const

eachOf(describe, 4)(ways)('a garden that a gnome names %s', (_, attribute, at, sent) => {
  const gnome = { ...gardens.gnome, spec: { code: 'g1', note: 'ours', ...at('rose') } }
  const { garden } = gardens
  const isNamed = !attribute.includes('attribute: id')
  const start = async (resources: readonly (typeof gnome | typeof garden)[]) => {
    const world = await startGardens(resources, attribute)
    expect(world.applied.status).toBe('succeeded')
    expect((await world.look()).plan.inSync).toBe(true)
    const put = (value: string | number, note = 'theirs') => {
      const text = JSON.stringify({ code: 'g1', note, ...at(value) })
      world.state.set('/gnomes/g1', text)
      return text
    }
    /** Others make the garden again, with the gnome in it. */
    const remake = (): string => {
      world.remake()
      return put(sent === 'id' ? 900 : 'rose')
    }
    return { ...world, put, remake }
  }
  const unproven = [[], ['other_parent park_gnome.g']]

  it(
    'made again by others, and declared by nobody: the gnome is unchecked, and never written or deleted',
    long,
    async () => {
      await using world = await start([gnome])
      const theirs = world.remake()
      const { changes, unchecked } = await world.look()
      expect([changes, unchecked]).toEqual(unproven)
      await world.settle()
      world.want([])
      const after = await world.look()
      expect([after.changes, after.unchecked]).toEqual(unproven)
      await world.settle()
      expect(world.state.get('/gnomes/g1')).toBe(theirs)
    },
  )

  it.runIf(isNamed)('made again by others while it leaves the configuration: the gnome is unchecked', async () => {
    await using world = await start([garden, gnome])
    world.remake()
    world.want([gnome])
    const { changes, unchecked } = await world.look()
    expect([changes, unchecked[0]]).toEqual([[], 'other_parent park_gnome.g'])
  })

  it('another one now, because somebody moved the gnome: it is drift, as long as the former one is there', async () => {
    await using world = await start([gnome])
    world.state.set('/gardens/lily', world.garden(901, 'theirs', 'lily'))
    world.put(sent === 'id' ? 901 : 'lily', 'ours')
    for (const _time of [1, 2]) expect((await world.look()).changes).toEqual(['immutable park_gnome.g'])
    world.put(sent === 'id' ? 7 : 'rose', 'ours')
    expect((await world.look()).plan.inSync).toBe(true)
  })

  it.runIf(isNamed)('made again by an apply: the gnome is told as what it is, and not as that of others', async () => {
    await using world = await start([garden, gnome])
    world.state.delete('/gardens/rose')
    expect((await world.settle()).status).toBe('succeeded')
    const { changes, unchecked } = await world.look()
    expect([changes, unchecked]).toEqual([sent === 'id' ? ['immutable park_gnome.g'] : [], []])
  })

  it('given up, as the configuration says: the gnome is found as if for the first time', long, async () => {
    await using world = await start([gnome])
    world.remake()
    const now = isNamed ? gnome : { ...gnome, spec: { ...gnome.spec, ...at(900) } }
    world.want([now], { gone: [{ address: 'park_gnome.g', reason: 'the garden was made again' }] })
    expect((await world.look()).changes).toEqual(['update park_gnome.g'])
    expect((await world.settle()).status).toBe('succeeded')
    world.want([now])
    expect((await world.look()).plan.inSync).toBe(true)
  })
})
