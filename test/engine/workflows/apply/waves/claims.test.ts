import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../../core/engine/schema/json.ts'
import { canRunBeside } from '../../../../../core/engine/workflows/apply/waves/schedule.ts'
import { trafficOf } from '../../../../../core/engine/workflows/apply/waves/traffic.ts'
import { openSession } from '../../../../../core/engine/workflows/session/open-session.ts'
import { driveDocument, startThings } from '../../../../builders/servers/things-api.ts'

/** One type: where it is, and how its objects are found. */
const keyed = (path: string, more = ''): string => `
    operations:
      retrieve: { method: GET, path: "${path}" }
      create: { method: PUT, path: "${path}" }
      delete: { method: DELETE, path: "${path}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: replace }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true }${more} } }]`

const listed = (path: string, pagination: string): string => `
    operations:
      list: { method: GET, path: "${path}", pagination: ${pagination} }
      retrieve: { method: GET, path: "${path}/{id}" }
      create: { method: POST, path: "${path}" }
      delete: { method: DELETE, path: "${path}/{id}" }
    serverId: { id: id }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    lifecycle: { onImmutable: replace }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]`

const paged = '{ style: page, param: page }'

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, reads: { absent: [404] } }
resources:
  api_thing:${keyed('/things/{name}')}
  api_inner:${keyed('/things/{of}/inner/{name}', ', of: { immutable: true }').replace('keys: [name]', 'keys: [of, name]')}
  api_row:${listed('/rows', '{ style: none }')}
  api_page:${listed('/pages', paged)}
  api_numbered:
    operations:
      retrieve: { method: GET, path: "/numbered/{name}" }
      version: { method: GET, path: /version }
      create: { method: POST, path: "/numbered", lock: true, body: { name: "{name}", "...": "{fields}" } }
      update: { method: PATCH, path: "/numbered/{name}", lock: true }
      delete: { method: DELETE, path: "/numbered/{name}", lock: true }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lock: { field: version, query: version }
    parts:
      - { name: counter, read: version, attributes: { version: { type: number, computed: true } } }
      - { name: main, read: retrieve, write: { op: update, send: changed }, attributes: { name: { in: path }, size: {} } }
  api_call:
    operations:
      ask: { method: POST, path: /call, effect: read, body: { get: "{name}" }, absent: [404] }
      create: { method: POST, path: /call, body: { add: "{fields}" } }
    identity: { keys: [name] }
    lookup: { retrieve: ask }
    lifecycle: { onImmutable: error, preventDelete: true }
    parts: [{ name: main, read: ask, attributes: { name: { immutable: true } } }]
`

const of = (type: string, name: string, more: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  type: `api_${type}`,
  name,
  spec: { name, ...spec },
  ...more,
})

const cases: readonly (readonly [string, boolean, readonly JsonObject[]])[] = [
  ['two objects at URLs of their own', true, [of('thing', 'a'), of('thing', 'b')]],
  ['an object, and one inside it', false, [of('thing', 'a'), of('inner', 'x', {}, { of: 'a' })]],
  ['the same in another spelling', false, [of('thing', 'a'), of('inner', 'x', {}, { of: 'A' })]],
  ['an object, and one inside another', true, [of('thing', 'b'), of('inner', 'x', {}, { of: 'a' })]],
  ['two objects inside one', true, [of('inner', 'x', {}, { of: 'a' }), of('inner', 'y', {}, { of: 'a' })]],
  ['what depends on the other', false, [of('thing', 'a'), of('thing', 'b', { dependsOn: ['api_thing.a'] })]],
  [
    'what depends on the other through an unchanged one',
    false,
    [
      of('thing', 'a'),
      of('thing', 'there', { dependsOn: ['api_thing.a'] }),
      of('thing', 'b', { dependsOn: ['api_thing.there'] }),
    ],
  ],
  ['new objects in a list that comes in one answer', true, [of('row', 'a'), of('row', 'b')]],
  ['new objects in a list of several pages', false, [of('page', 'a'), of('page', 'b')]],
  ['commands that carry a version of the whole target, and others', false, [of('numbered', 'a'), of('thing', 'b')]],
  ['new objects behind one URL', false, [of('call', 'a'), of('call', 'b')]],
]

it.each(cases)('commands run at the same time only where they cannot meet: %s: %s', async (_, expected, resources) => {
  await using server = await startThings({
    route: ({ url, method }) => {
      if (method === 'POST') return { status: 404, body: '{}' }
      if (/^\/(rows|pages)(\?|$)/.test(url)) return { status: 200, body: '[]' }
      return url === '/things/there' ? { status: 200, body: '{"name":"there"}' } : { status: 404, body: '{}' }
    },
  })
  const drive = driveDocument(server, document, resources)
  const session = await openSession('things', drive.deps)
  const { commands } = session.plan
  const claims = commands.map(trafficOf(commands, session, drive.deps).claimsOf)
  expect(commands).toHaveLength(2)
  const [first = new Map(), second = new Map()] = claims
  expect(canRunBeside(first, second)).toBe(expected)
  expect(canRunBeside(second, first)).toBe(expected)
})
