import { describe, expect, it } from 'vitest'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* A value that a write puts into an object that is null, or not there: its undo leaves no empty object behind, or is not promised. */

const documentOf = (method: string, send: string): string => `
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
    attributes: { name: { immutable: true }, a: { type: number, path: o.spec.a, send: o.spec.a, leftOut: true } }
`

const reversible = 'reversible'
describe.each([
  ['PATCH', 'jsonPatch', reversible, reversible],
  ['PUT', 'object', reversible, reversible],
  ['PATCH', 'mergePatch', 'lossy', reversible],
  ['PUT', 'full', reversible, 'lossy'],
  ['PATCH', 'changed', reversible, 'lossy'],
] as const)('a value in an object, by %s, send: %s', (method, send, ofNull, ofMissing) => {
  it.each([
    ['that is null', '{"name":"x","o":{"own":1,"spec":null},"q":1}', ofNull],
    ['in one that is null', '{"name":"x","o":null,"q":1}', ofNull],
    ['that is not there', '{"name":"x","o":{"own":1},"q":1}', ofMissing],
  ])('comes back, or is not promised: %s', async (_, there, expected) => {
    await using server = await startThings()
    server.state.set('/things/x', there)
    const drive = driveThings(server, documentOf(method, send), { x: { name: 'x', a: 9 } })
    const { plan, digest } = await drive.check()
    expect(plan.commands.map(({ grade }) => grade)).toEqual([expected])
    const { id, status } = await drive.apply(digest)
    expect(status).toBe('succeeded')
    if (expected === 'lossy') return
    await drive.undo(id)
    expect(server.state.get('/things/x')).toBe(there)
  })
})
