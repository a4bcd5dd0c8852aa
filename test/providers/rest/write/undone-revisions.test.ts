import { expect, it } from 'vitest'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* A server counts its writes in a member that nobody names: that is no reason why an undo of the whole object is not sent. */

const documentOf = (attributes: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: object }
    attributes: { name: {}, ${attributes} }
`

const keyed = 'v: { type: set, key: [k], element: { type: object, attributes: { k: {}, w: {} } } }'

it.each([
  ['one value', 'v: {}', '"old"', 'new'],
  [
    'a set whose elements have more',
    keyed,
    '[{"k":"a","w":"old","x":1},{"k":"b","w":"1","x":2}]',
    [
      { k: 'b', w: '1' },
      { k: 'a', w: 'new' },
    ],
  ],
])('an undo brings back %s', async (_, attributes, value, declared) => {
  await using server = await startThings()
  const textOf = (rev: number): string => `{"name":"x","rev":${rev},"v":${value}}`
  server.state.set('/things/x', textOf(1))
  const drive = driveThings(server, documentOf(attributes), { x: { name: 'x', v: declared } })
  const { id, status } = await drive.apply((await drive.check()).digest)
  expect(status).toBe('succeeded')
  const after = server.state.get('/things/x') ?? ''
  expect(after).toContain('new')
  server.state.set('/things/x', after.replace('"rev":1', '"rev":2'))
  const { apply } = await drive.undo(id)
  expect(apply.status).toBe('succeeded')
  expect(server.state.get('/things/x')).toBe(textOf(2))
})
