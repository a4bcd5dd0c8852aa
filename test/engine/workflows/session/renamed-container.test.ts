import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* What is in an object stays in it when that gets another name, wherever the name is written. */

const typeOf = (kind: string, more = ''): string => `
  api_${kind}:
    operations:
      list: { method: GET, path: /${kind}s }
      retrieve: { method: GET, path: "/${kind}s/{id}" }
      create: { method: POST, path: /${kind}s, produces: { id: id } }
      update: { method: PATCH, path: "/${kind}s/{id}" }
      delete: { method: DELETE, path: "/${kind}s/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}${more} } }]`

const toRoom = 'refersTo: { type: api_room, attribute: name }'

it.each([
  ['an attribute', `at: { immutable: true, ${toRoom} }`, (name: string) => name],
  [
    'a member',
    `at: { type: object, immutable: true, attributes: { room: { ${toRoom} } } }`,
    (name: string) => ({ room: name }),
  ],
  ['an element', `at: { type: set, immutable: true, element: { ${toRoom} } }`, (name: string) => [name, 'other']],
])('a room that is named in %s gets another name, and its host stays', async (_, attribute, at) => {
  await using server = await startThings({
    route: ({ method, url }, state) => {
      const shown = [...state].filter(([path]) => path.startsWith(`${url}/`)).map(([, text]) => text)
      return method === 'GET' && /^\/\w+$/.test(url) ? { status: 200, body: `[${shown.join(',')}]` } : undefined
    },
    before: ({ method }, state) => {
      const host = state.get('/hosts/1')
      if (method === 'PATCH' && host !== undefined) state.set('/hosts/1', host.replace('"one"', '"two"'))
    },
  })
  const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:${typeOf('room')}${typeOf('host', `, ${attribute}`)}
`
  const named = (name: string): readonly JsonObject[] => [
    { type: 'api_room', name: 'r', spec: { name } },
    {
      ...{ type: 'api_host', name: 'h', lifecycle: { onImmutable: 'replace' } },
      spec: { name: 'h', at: at('${resource.api_room.r.name}') },
    },
  ]
  const drive = driveDocument(server, document, named('one'))
  await drive.apply((await drive.check()).digest)
  drive.want(named('two'))
  const { plan, digest } = await drive.check()
  expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual(['update api_room.r'])
  expect((await drive.apply(digest)).status).toBe('succeeded')
  expect((await drive.check()).plan.inSync).toBe(true)
})
