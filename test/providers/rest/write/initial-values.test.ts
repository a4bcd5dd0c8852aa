import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

/** What a create of a thing sends, by the facts of its document, and what the server then has. */
const created = async (attributes: string, initial: JsonObject, spec: JsonObject) => {
  const more = `lifecycle: { initial: ${JSON.stringify(initial)} }`
  await using world = await aWorld({ attributes, more, resources: [aThing('a', spec)] })
  await world.checkAndApply()
  return world.bodyOf('a')
}

it.each<[string, string, JsonObject, JsonObject, JsonObject]>([
  ['is left out', 'size: { type: number, default: 1 }', { size: 1 }, { size: 1 }, {}],
  ['is sent if it differs', 'size: { type: number, default: 1 }', { size: 1 }, { size: 2 }, { size: 2 }],
  ['is compared as attributes are', 'tags: { type: set, default: [] }', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, {}],
  ['may be null', 'note: { leftOut: true, clearAs: null }', { note: null }, { note: null }, {}],
  [
    'is no null where it is a text',
    'note: { leftOut: true, clearAs: null }',
    { note: 'x' },
    { note: null },
    { note: null },
  ],
  ['is nothing where the document says nothing', 'size: { type: number, default: 1 }', {}, { size: 1 }, { size: 1 }],
])('what a new object has anyway %s', async (_, attributes, initial, spec, expected) => {
  expect(await created(attributes, initial, spec)).toEqual(expected)
})

it.each<[string, string, string, string]>([
  ['composes the whole object', 'PUT', '/things/{name}', 'lossy'],
  ['says that the server keeps the rest', 'PUT', '/things/{name}, keeps', 'reversible'],
  ['is a patch', 'PATCH', '/things/{name}', 'reversible'],
  ['writes something in the object', 'PUT', '/things/{name}/note', 'reversible'],
])(
  'a write right after the create, of an object that nobody has read, %s: %s %s is %s',
  async (_, method, where, grade) => {
    const [path, keeps] = where.split(', ')
    const document = `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things, body: { name: "{name}" } }
      note: { method: ${method}, path: "${path}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { initial: { note: "" } }
    parts:
      - { name: main, read: retrieve, attributes: { name: { immutable: true } } }
      - name: note
        read: retrieve
        onCreate: after
        write: { op: note, send: template, body: { name: "{name}", note: "{desired.note}" }${keeps ? ', keeps: true' : ''} }
        attributes: { note: {} }
`
    const type = typeOf(providerOf(document, {}), 'api_thing')
    const nothing = { send: async () => ({ status: 404, headers: {}, body: {} }) }
    const { commands } = await planOne(type, { spec: { name: 'one', note: 'new' } }, nothing)
    expect(commands.map((each) => [each.grade, each.inverse !== undefined])).toEqual([
      ['reversible', true],
      [grade, grade === 'reversible'],
    ])
  },
)

it('a value for an attribute that there is not is a problem of the document', async () => {
  await using world = await aWorld({ more: 'lifecycle: { initial: { sise: 1 } }', resources: [aThing('a')] })
  await expect(world.check()).rejects.toThrow(/sise/)
})
