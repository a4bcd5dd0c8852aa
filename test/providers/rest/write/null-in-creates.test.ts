import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* An API in which null and an empty list differ: null means nobody, and an empty list everybody. */
const resource = (facts: string, list = 'leftOut: true, ') => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
parts:
  - name: main
    read: retrieve
    write: { op: create, send: full }
    attributes: { name: { in: path }, size: { type: number }, readers: { type: list, ${list}element: {}${facts} } }
`

it.each<[string, string, JsonObject, JsonObject]>([
  ['is sent where the document says that null clears', ', clearAs: null', { readers: null }, { readers: null }],
  ['is not sent where nothing is declared', ', clearAs: null', {}, {}],
  ['is not sent where the document does not say it', '', { readers: null }, {}],
  ['is no empty list', ', clearAs: null', { readers: [] }, { readers: [] }],
])('a null in a create %s', async (_, facts, declared, expected) => {
  await using server = await startThings()
  const drive = driveThings(server, resource(facts), { a: { name: 'a', size: 1, ...declared } })
  expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
  expect(server.lines()).toEqual([['PUT /things/a', { size: 1, ...expected }]])
  expect((await drive.check()).plan.inSync).toBe(true)
})

it.each([
  [
    'names a null that it leaves out, where the document does not decide',
    '',
    '',
    'create api_thing a; its null is not sent: readers',
  ],
  ['names none where it does', ', clearAs: null', '', 'create api_thing a'],
  ['names none where null and a missing list are the same', '', 'leftOut: true, ', 'create api_thing a'],
])('a create %s', async (_, facts, list, description) => {
  await using server = await startThings()
  const drive = driveThings(server, resource(facts, list), { a: { name: 'a', size: 1, readers: null } })
  expect((await drive.check()).plan.commands.map((command) => command.description)).toEqual([description])
})
