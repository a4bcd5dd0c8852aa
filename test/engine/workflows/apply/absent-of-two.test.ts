import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* Two objects have one name, a person has said which one is meant, and that one shall not exist: the other one is of others. */

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_zone:
    operations:
      list: { method: GET, path: /zones }
      retrieve: { method: GET, path: "/zones/{id}" }
      create: { method: POST, path: /zones, body: "{fields}", produces: { id: id } }
      update: { method: PATCH, path: "/zones/{id}", body: "{fields}" }
      delete: { method: DELETE, path: "/zones/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, ttl: { type: number } } }]
`

const named = { import: [{ to: 'api_zone.a', id: { id: '1' } }] }

it.each([
  ['recorded before', true, named],
  ['only named', false, named],
  ['recorded before, and is not named any more', true, {}],
])('deletes the one that was %s, and never the other one', async (_, isRecorded, entries: JsonObject) => {
  await using server = await startThings({
    route: ({ method, url }, state) =>
      method === 'GET' && url === '/zones' ? { status: 200, body: `[${[...state.values()].join(',')}]` } : undefined,
  })
  for (const id of ['1', '2']) server.state.set(`/zones/${id}`, JSON.stringify({ id, name: 'q', ttl: 1 }))
  const zone = { type: 'api_zone', name: 'a', spec: { name: 'q', ttl: 1 } }
  const drive = driveDocument(server, document, [zone])
  if (isRecorded) {
    drive.want([zone], named)
    expect((await drive.check()).plan.inSync).toBe(true)
  }
  drive.want([{ ...zone, absent: true }], entries)
  await drive.apply((await drive.check()).digest)
  const { plan } = await drive.check()
  expect(plan.changes.map(({ action, blocked }) => [action, blocked?.reason])).toEqual([['delete', 'made_again']])
  expect(plan.commands).toEqual([])
  expect([...server.state.keys()]).toEqual(['/zones/2'])
  server.state.clear()
  expect((await drive.check()).plan.inSync).toBe(true)
  drive.want([])
  expect((await drive.check()).plan.inSync).toBe(true)
})
