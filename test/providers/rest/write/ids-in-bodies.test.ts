import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

const resource = (body: string, method = 'PUT') => `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
  create: { method: POST, path: /things }
  update: { method: ${method}, path: "/things/{id}", body: ${body} }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
parts: [{ name: main, read: retrieve, write: { op: update, send: full }, attributes: { name: {}, size: { type: number } } }]
`

const sent = async (text: string, thing: JsonObject): Promise<Json | undefined> => {
  await using server = await startThings({
    route: ({ method, url }) => {
      if (method !== 'GET') return { status: 200, body: JSON.stringify(thing) }
      return { status: 200, body: JSON.stringify(url.endsWith('/things') ? [thing] : thing) }
    },
  })
  const drive = driveThings(server, text, { a: { name: 'a', size: 2 } })
  await drive.apply((await drive.check()).digest)
  return server.lines()[0]?.[1]
}

it.each<[string, string, JsonObject, Json]>([
  ['a number stays a number', '{ id: "{id}", "...": "{fields}" }', { id: 7 }, { id: 7, name: 'a', size: 2 }],
  ['a text stays a text', '{ id: "{id}", "...": "{fields}" }', { id: '7' }, { id: '7', name: 'a', size: 2 }],
  [
    'inside of a text it is text',
    '{ key: "k-{id}", "...": "{fields}" }',
    { id: 7 },
    { key: 'k-7', id: 7, name: 'a', size: 2 },
  ],
  [
    'members beside it are laid over what was read',
    '{ id: "{id}", more: [1], "...": "{fields}" }',
    { id: 7, more: [], unnamed: { deep: 1 } },
    { id: 7, more: [1], unnamed: { deep: 1 }, name: 'a', size: 2 },
  ],
])('an id of the server in a body: %s', async (_, body, thing, expected) => {
  expect(await sent(resource(body), { name: 'a', size: 1, ...thing })).toEqual(expected)
})
