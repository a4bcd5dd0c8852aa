import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { aDocument, aListedType, aThing, aWorld, lists } from '../../../semantics/world.ts'

/* Others delete, replace or move the object between our last request to it and the read that follows: none of that is ours. */

const attributes = `
size: { type: number }
folder: { immutable: true }
made: { computed: true, immutable: true }`
const ours = { id: '1', name: 'a', size: 1, folder: 'x', made: '9:00' }

type Objects = Map<string, string>

/** After an apply whose update was followed by what others did. */
const after = async (ids: string, others: (objects: Objects) => void) => {
  let isWritten = false
  const type = aListedType(attributes).replace('{ keys: [name] }', `{ keys: [name, folder], ids: ${ids} }`)
  const world = await aWorld({
    document: aDocument({ thing: type.replace('match: [name]', 'match: [name, folder]') }),
    resources: [aThing('a', { size: 1, folder: 'x' })],
    live: { 1: ours },
    server: {
      route: lists,
      before: ({ method }, objects) => {
        if (isWritten) others(objects)
        isWritten = method === 'PATCH'
      },
    },
  })
  await world.check()
  world.want([aThing('a', { size: 2, folder: 'x' })])
  await world.checkAndApply()
  const { plan } = await world.check()
  world.want([])
  const { plan: without, apply } = await world.checkAndApply()
  await world[Symbol.asyncDispose]()
  return { plan, without, apply, sent: world.sent() }
}

const put = (objects: Objects, object: JsonObject): void => {
  objects.set(`/things/${String(object['id'])}`, JSON.stringify(object))
}

it.each<[string, string, (objects: Objects) => void]>([
  [
    'was deleted, and another one has its name',
    'stable',
    (all) => {
      all.delete('/things/1')
      put(all, { ...ours, id: '7', size: 2 })
    },
  ],
  ['was deleted, and another one has its reused id', 'reused', (all) => put(all, { ...ours, size: 2, made: '10:00' })],
  ['was moved to another container', 'stable', (all) => put(all, { ...ours, size: 2, folder: 'y' })],
])(
  'an object that %s while it was updated is told, and nothing of others is written or deleted',
  async (_, ids, others) => {
    const { plan, without, sent } = await after(ids, others)
    expect(plan).toMatchObject({ inSync: false, commands: [] })
    expect(without.commands).toEqual([])
    expect(sent).toEqual(['PATCH /things/1'])
  },
)

it('an object that was deleted while it was updated is made again as what was deleted, and not as a new one', async () => {
  const { plan } = await after('stable', (all) => void all.delete('/things/1'))
  expect(plan).toMatchObject({ drift: [{ address: 'api_thing.a', kind: 'deleted' }] })
})
