import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { checkProvider } from '../../../../core/tools/authoring/check-provider.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* What an element means that leaves out a member which decides about access. */

const document = (inside: string, member: string) => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PUT, path: "/things/{name}" }
      grant: { method: PUT, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - { name: main, read: retrieve, write: { op: update, send: full }, attributes: { name: { required: true, immutable: true }${inside.includes('collection') ? '' : `, grants: ${inside.replace('MEMBER', member)}`} } }
${inside.includes('collection') ? `      - { name: grants, read: retrieve, onCreate: after, ${inside.replace('MEMBER', member)} }` : ''}
`

const elements = '{ type: object, attributes: { team: {}, permission: MEMBER } }'
const places: readonly [string, string][] = [
  ['a set', `{ type: set, element: ${elements} }`],
  ['a set with a key', `{ type: set, key: [team], element: ${elements} }`],
  ['a list', `{ type: list, element: ${elements} }`],
  [
    'a collection',
    'collection: { field: grants, key: [team], element: { team: {}, permission: MEMBER }, write: { op: grant, body: { name: "{name}", grants: "{all}" } } }',
  ],
]

const ranked = '{ access: [READ, READWRITE], default: READ }'
const plain = '{ default: READ }'
const optional = '{ access: [READ, READWRITE], default: READ, whenUndeclared: unmanaged }'

const checked = async (text: string, there: Json) => {
  await using server = await startThings()
  server.state.set('/things/one', JSON.stringify({ name: 'one', grants: there }))
  const resource: JsonObject = { type: 'api_thing', name: 'one', spec: { name: 'one', grants: [{ team: 'ops' }] } }
  const drive = driveDocument(server, text, [resource])
  const { plan, digest } = await drive.check()
  if (!plan.inSync) await drive.apply(digest)
  const { grants } = JSON.parse(server.state.get('/things/one') ?? '{}') as { grants: Json }
  return {
    inSync: plan.inSync,
    access: plan.changes.flatMap(({ causes }) => causes.map((each) => each.access)),
    grants,
    after: (await drive.check()).plan.inSync,
  }
}

describe('an element that leaves out a member with access', () => {
  it.each(places)('means the default in %s: what somebody widened is taken back', async (_, inside) => {
    const { inSync, access, grants, after } = await checked(document(inside, ranked), [
      { team: 'ops', permission: 'READWRITE' },
    ])
    expect([inSync, after]).toEqual([false, true])
    expect(access).toEqual(['narrows'])
    expect(grants).toEqual([{ team: 'ops', permission: 'READ' }])
  })

  it.each(places)('is in sync in %s with the default, also where an answer leaves it out', async (_, inside) => {
    for (const there of [[{ team: 'ops', permission: 'READ' }], [{ team: 'ops' }]])
      expect((await checked(document(inside, ranked), there)).inSync).toBe(true)
  })

  eachOf(it, 1)(places)('means the default in %s also inside of an object that it leaves out', async (_, inside) => {
    const nested = document(
      inside,
      `{ type: object, attributes: { to: { type: object, attributes: { level: ${ranked} } } } }`,
    )
    const grant = (level: string) => [{ team: 'ops', permission: { to: { level } } }]
    const { inSync, access, grants, after } = await checked(nested, grant('READWRITE'))
    expect([inSync, access, after, grants]).toEqual([false, ['narrows'], true, grant('READ')])
    for (const there of [grant('READ'), [{ team: 'ops' }], [{ team: 'ops', permission: {} }]])
      expect((await checked(nested, there)).inSync).toBe(true)
  })

  it('with values and no word about what it means is a warning', () => {
    for (const [, inside] of places) {
      const codes = (member: string) =>
        checkProvider({ name: 'api.provider.yaml', text: document(inside, member) }).findings.flatMap(({ code }) =>
          code === 'openDefault' ? [code] : [],
        )
      expect(codes('{ values: [READ, READWRITE], default: READ }')).toEqual(['openDefault'])
      for (const said of ['access: [READ, READWRITE]', 'whenUndeclared: unmanaged', 'whenUndeclared: default'])
        expect(codes(`{ values: [READ, READWRITE], default: READ, ${said} }`)).toEqual([])
    }
  })

  it.each([
    ['that says nothing about access', plain],
    ['that the document leaves unmanaged', optional],
  ])('means nothing of a member %s', async (_, member) => {
    for (const [, inside] of places)
      expect((await checked(document(inside, member), [{ team: 'ops', permission: 'READWRITE' }])).inSync).toBe(true)
  })
})
