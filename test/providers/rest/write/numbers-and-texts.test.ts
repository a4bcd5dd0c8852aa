import { expect, it, test } from 'vitest'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Where no type tells them apart, an integer beyond 2^53 and the text of its digits are two values. */

const documentOf = (send: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}", contentType: application/json }
  update: { method: PUT, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send} }
    attributes:
      name: { immutable: true }
      size: { type: number }
      open: { type: any }
      map: { type: map, element: { type: any } }
      list: { type: list, element: { type: any } }
      loose: { type: object, attributes: { in: { type: any }, id: {} } }
`

const digits = '9007199254740993'
const bodyOf = (size: number, value: string, id: string): string =>
  `{"name":"x","size":${size},"open":{"a":${value},"b":[1,${value}]},"map":{"k":${value}},"list":[${value}],"loose":{"in":${value},"id":${id},"more":${digits}}}`

const specOf = (size: number, value: unknown): never =>
  ({
    name: 'x',
    size,
    open: { a: value, b: [1, value] },
    map: { k: value },
    list: [value],
    loose: { in: value, id: digits },
  }) as never

const number = { $number: digits }

const ways = ['changed', 'full', 'object']

eachOf(test, 1)(ways)('send %s: a change from one to the other is planned, sent, and undone', async (send) => {
  for (const [there, wanted, after] of [
    [digits, digits, `"${digits}"`],
    [`"${digits}"`, number, digits],
  ] as const) {
    await using server = await startThings()
    // An id is a text for the document, whatever the server gives, and goes back as it was.
    server.state.set('/things/x', bodyOf(1, there, digits))
    const drive = driveThings(server, documentOf(send), { x: specOf(1, wanted) })
    const { plan, digest } = await drive.check()
    expect(plan.counts.update).toBe(1)
    expect(plan.commands.map(({ grade }) => grade)).toEqual(['reversible'])
    const { id, status } = await drive.apply(digest)
    expect([server.state.get('/things/x'), status]).toEqual([bodyOf(1, after, digits), 'succeeded'])
    expect((await drive.check()).plan.changes).toEqual([])
    await drive.undo(id)
    expect(server.state.get('/things/x')).toBe(bodyOf(1, there, digits))
  }
})

it.each(ways)('keeps what it is while something else changes: send %s', async (send) => {
  for (const [there, wanted] of [
    [digits, number],
    [`"${digits}"`, digits],
  ] as const) {
    await using server = await startThings()
    server.state.set('/things/x', bodyOf(1, there, `"${digits}"`))
    const drive = driveThings(server, documentOf(send), { x: specOf(2, wanted) })
    await drive.apply((await drive.check()).digest)
    expect(server.state.get('/things/x')).toBe(bodyOf(2, there, `"${digits}"`))
  }
})

it('comes back as it was when a delete is undone', async () => {
  await using server = await startThings()
  server.state.set('/things/x', bodyOf(1, digits, `"${digits}"`))
  const drive = driveThings(server, documentOf('full'), { x: specOf(1, number) })
  await drive.apply((await drive.check()).digest)
  drive.want({})
  const { id } = await drive.apply((await drive.check()).digest)
  expect(server.state.has('/things/x')).toBe(false)
  await drive.undo(id)
  expect(JSON.parse(server.state.get('/things/x') ?? '')).toEqual(
    JSON.parse(bodyOf(1, digits, `"${digits}"`).replace(`,"more":${digits}`, '')),
  )
  expect(server.state.get('/things/x')).toContain(`"a":${digits}`)
})
