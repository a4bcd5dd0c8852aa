import { expect, it } from 'vitest'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* A member of an element that an answer has at another place than its name is written where it was read. */

eachOf(
  it,
  1,
)([
  ['object', 'PUT'],
  ['jsonPatch', 'PATCH'],
  ['mergePatch', 'PATCH'],
])('send: %s writes a member of an element at its path', async (send, method) => {
  await using server = await startThings()
  const there = '{"name":"x","nets":[{"id":1,"relay":{"ips":["10.0.0.1"],"own":2}},{"id":2,"relay":{"ips":[]}}]}'
  server.state.set('/things/x', there)
  const document = `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: ${method}, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send} }
    attributes:
      name: { immutable: true }
      nets:
        type: list
        element: { type: object, attributes: { id: { type: number }, relays: { path: relay.ips, type: list, element: {} } } }
`
  const nets = [
    { id: 1, relays: ['10.0.0.1'] },
    { id: 2, relays: ['10.0.0.2'] },
  ]
  const drive = driveThings(server, document, { x: { name: 'x', nets } })
  const { plan, digest } = await drive.check()
  expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
  const run = await drive.apply(digest)
  expect(run).toMatchObject({ status: 'succeeded' })
  expect(server.state.get('/things/x')).toBe(there.replace('"ips":[]', '"ips":["10.0.0.2"]'))
  await drive.undo(run.id)
  expect(server.state.get('/things/x')).toBe(there)
})

it('names what an element that goes takes along, also where that is empty', async () => {
  await using server = await startThings()
  server.state.set('/things/x', '{"name":"x","nets":[{"id":1},{"id":2,"more":[],"deep":{"none":{}}}]}')
  const document = `
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
    attributes:
      name: { immutable: true }
      nets: { type: list, element: { type: object, attributes: { id: { type: number } } } }
`
  const { plan } = await driveThings(server, document, { x: { name: 'x', nets: [{ id: 1 }] } }).check()
  expect(plan.commands).toMatchObject([{ grade: 'lossy', loses: ['/nets/*/deep/none', '/nets/*/more'] }])
})
