import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { aDocument, aListedType, aThing, aWorld, lists } from '../../../semantics/world.ts'

/* Objects that are searched in a list, and read by the name that the list shows. */

const type = aListedType('size: { type: number }')
  .replace('lookup: { list: {}, match: [name] }', 'lookup: { list: {}, match: [name], follow: get }')
  .replace('operations:\n', 'operations:\n  get: { method: GET, path: "/named/{name}" }\n')
  .replace('read: retrieve', 'read: get')
  .replace('  retrieve: { method: GET, path: "/things/{id}" }\n', '')

const aNamedWorld = (answer: (found: JsonObject) => JsonObject = (found) => found) =>
  aWorld({
    document: aDocument({ thing: type }),
    resources: [aThing('a', { size: 1 })],
    server: {
      route: (request, state) => {
        const name = /^\/named\/(.*)$/.exec(request.url)?.[1]
        if (name === undefined) return lists(request, state)
        const all = [...state.values()].map((text) => JSON.parse(text) as JsonObject)
        const found = all.find((each) => each['name'] === name)
        return found === undefined ? { status: 404, body: '{}' } : { status: 200, body: JSON.stringify(answer(found)) }
      },
    },
  })

it('an object that was renamed outside is read by its present name', long, async () => {
  await using world = await aNamedWorld()
  await world.checkAndApply()
  world.put('1', { id: '1', name: 'b', size: 1 })
  const { plan } = await world.check()
  expect(plan.changes.map(({ action, before }) => [action, before?.['name']])).toEqual([['update', 'b']])
  expect((await world.checkAndApply()).apply.status).toBe('succeeded')
  expect(world.bodyOf('1')).toMatchObject({ name: 'a' })
})

it('an answer with another id than the item is taken for another object', async () => {
  let isOther = false
  await using world = await aNamedWorld((found) => (isOther ? { ...found, id: '7' } : found))
  await world.checkAndApply()
  isOther = true
  const { plan } = await world.check()
  expect(plan.unchecked).toMatchObject([
    { address: 'api_thing.a', detail: 'the answer is about another object than the one with this id' },
  ])
  expect(plan.commands).toEqual([])
})
