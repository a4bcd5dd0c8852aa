import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

/* A write changes what the plan shows, and nothing else: members that no document names, and elements that are not ours. */

const system = { name: 'id', system: true, secret: 'keep-me', extra: 1 }
const [x, y] = [
  { name: 'x', system: false, value: '1', extra: 2 },
  { name: 'y', system: false, value: '1', extra: 3 },
]
const fresh = { name: 'a', note: 'n', unnamed: { deep: [1] }, fields: [system, x, y] }

const element =
  'element: { type: object, attributes: { name: { required: true }, value: {}, system: { type: boolean, computed: true } } }'

const resource = (method: string, send: string, fields: string, part = '') => `
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
    attributes: { name: { required: true }, note: {}${fields} }
${part}`

const sends = [
  ['PATCH', 'changed'],
  ['PUT', 'full'],
  ['PUT', 'object'],
  ['PATCH', 'mergePatch'],
  ['PATCH', 'jsonPatch'],
] as const

const applied = async (text: string, fields: readonly JsonObject[]) => {
  await using server = await startThings()
  server.state.set('/things/a', JSON.stringify(fresh))
  const drive = driveThings(server, text, { a: { name: 'a', fields } })
  const { digest, plan } = await drive.check()
  const { status } = await drive.apply(digest)
  expect(status).toBe('succeeded')
  expect((await drive.check()).plan.inSync).toBe(true)
  expect(JSON.stringify([plan, await drive.ledger()])).not.toContain('keep-me')
  return JSON.parse(server.state.get('/things/a') ?? '') as JsonObject
}

/** A change of one element, one that is added, and one that is left out. */
const ours = [
  { name: 'y', value: '2' },
  { name: 'z', value: '3' },
]
const theirs = (kept: readonly JsonObject[]) => [...kept, { ...y, value: '2' }, { name: 'z', value: '3' }]

describe.each(sends)('a whole list that is sent by %s, send: %s', (method, send) => {
  it.each(['list', 'set'])('keeps ignored elements and the members of all others: type %s', async (type) => {
    const facts = `, fields: { type: ${type}, key: [name], ignore: [{ system: true }], ${element} }`
    const { fields, unnamed } = await applied(resource(method, send, facts), ours)
    expect(fields).toEqual(theirs([system]))
    expect(unnamed).toEqual(fresh.unnamed)
  })

  it('keeps elements that are not managed, with all their members', async () => {
    const facts = `, fields: { type: set, key: [name], manage: declared, ${element} }`
    const { fields } = await applied(resource(method, send, facts), ours)
    expect(fields).toEqual(theirs([system, x]))
  })

  it('keeps the members of elements without a key', async () => {
    const facts = `, fields: { type: list, ignore: [{ system: true }], ${element} }`
    const { fields } = await applied(resource(method, send, facts), [{ name: 'x', value: '1' }, ...ours])
    expect(fields).toEqual(theirs([system, x]))
  })
})

describe('a collection', () => {
  const collection = (write: string, manage = 'manage: declared, ') => `
  - name: f
    read: retrieve
    collection: { field: fields, key: [name], ${manage}element: { name: { required: true }, value: {}, system: { type: boolean, computed: true } }, write: ${write} }
`

  it('that is written as a whole keeps elements that are not managed, with all their members', async () => {
    const text = resource('PATCH', 'changed', '', collection('{ op: update, body: { fields: "{all}" } }'))
    expect((await applied(text, ours))['fields']).toEqual(theirs([system, x]))
  })

  it('finds an element whose key is spelled in another way, and keeps that spelling', async () => {
    const write = '{ op: update, body: { fields: "{all}" } }'
    const spelled = collection(write).replace(
      'name: { required: true }',
      'name: { required: true, normalise: [lower] }',
    )
    const named = ours.map(({ name, value }) => ({ name: name.toUpperCase(), value }))
    expect((await applied(resource('PATCH', 'changed', '', spelled), named))['fields']).toEqual(theirs([system, x]))
  })

  it('that is written by its changes keeps the members of the elements that change', async () => {
    const text = resource('PATCH', 'changed', '', collection('{ op: update, body: { fields: "{upserts}" } }')).replace(
      'update: { method: PATCH, path: "/things/{name}" }',
      'update: { method: PATCH, path: "/things/{name}/fields" }',
    )
    await using server = await startThings({
      route: ({ method, body }, state) => {
        if (method !== 'PATCH') return undefined
        const thing = JSON.parse(state.get('/things/a') ?? '') as { fields: JsonObject[] }
        const { fields } = JSON.parse(body) as { fields: JsonObject[] }
        const names = fields.map(({ name }) => name)
        const next = { ...thing, fields: [...thing.fields.filter(({ name }) => !names.includes(name)), ...fields] }
        state.set('/things/a', JSON.stringify(next))
        return { status: 200, body: JSON.stringify(next) }
      },
    })
    server.state.set('/things/a', JSON.stringify(fresh))
    const drive = driveThings(server, text, { a: { name: 'a', fields: ours } })
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/things/a') ?? '')).toEqual({ ...fresh, fields: theirs([system, x]) })
  })
})

it('a rule that ignores elements by a member that none of them has is refused', () => {
  const facts = `, fields: { type: set, key: [name], ignore: [{ hidden: true }], ${element} }`
  const indented = resource('PUT', 'object', facts).replaceAll(/^/gm, '    ')
  const configured = configureText(
    `provider: { id: api, baseUrl: "http://a.test" }\nresources:\n  api_thing:${indented}`,
    {},
  )
  expect(configured.ok ? [] : configured.issues.map(({ message }) => message)).toEqual(['"hidden" is not in element'])
})

describe('what a write would lose besides what the plan shows', () => {
  const planned = async (text: string, fields: readonly JsonObject[]) => {
    await using server = await startThings()
    server.state.set('/things/a', JSON.stringify(fresh))
    const { plan } = await driveThings(server, text, { a: { name: 'a', fields } }).check()
    return plan.commands.map(({ grade, loses, inverse }) => ({ grade, loses, isUndone: inverse !== undefined }))
  }
  const facts = `, fields: { type: set, key: [name], ignore: [{ system: true }], ${element} }`
  const collection = (write: string) => `
  - name: f
    read: retrieve
    collection: { field: fields, key: [name], element: { name: { required: true }, value: {}, system: { type: boolean, computed: true } }, write: ${write} }
`
  const lost = { grade: 'lossy', loses: ['/fields/*/extra', '/fields/*/system'], isUndone: false }

  it.each(sends)('is named, and the grade is lossy, where an element goes: %s, send: %s', async (method, send) => {
    expect(await planned(resource(method, send, facts), [{ name: 'y', value: '1' }])).toEqual([lost])
  })

  it.each(sends)('is nothing where elements only change: %s, send: %s', async (method, send) => {
    const both = [
      { name: 'x', value: '2' },
      { name: 'y', value: '1' },
    ]
    expect(await planned(resource(method, send, facts), both)).toEqual([
      { grade: 'reversible', loses: undefined, isUndone: true },
    ])
  })

  it('is named for collections, too', async () => {
    const text = resource('PATCH', 'changed', '', collection('{ op: update, body: { fields: "{all}" } }'))
    expect(await planned(text, [{ name: 'y', value: '1' }])).toEqual([
      { ...lost, loses: ['/fields/*/extra', '/fields/*/secret', '/fields/*/system'] },
    ])
  })

  it('is named of a deleted object', async () => {
    await using server = await startThings()
    server.state.set('/things/a', JSON.stringify(fresh))
    const text = resource('PUT', 'full', facts)
      .replace('lifecycle: { preventDelete: true }\n', '')
      .replace('identity:', '  delete: { method: DELETE, path: "/things/{name}" }\nidentity:')
    const drive = driveThings(server, text, { a: { name: 'a', note: 'n' } })
    await drive.check()
    drive.want({})
    const { plan } = await drive.check()
    expect(plan.commands).toMatchObject([
      { action: 'delete', grade: 'lossy', loses: ['/fields/*/extra', '/fields/*/secret', '/unnamed/deep/*'] },
    ])
    expect(plan.commands[0]?.inverse).toBeDefined()
  })
})

it('a server that keeps members gets only those that are named, and its lists whole', async () => {
  await using server = await startThings()
  server.state.set('/things/a', JSON.stringify({ ...fresh, inner: { size: 1, note: 'n', list: [system, x] } }))
  const inner = `, inner: { type: object, attributes: { size: { type: number }, list: { type: set, key: [name], manage: declared, ${element} } } }`
  const text = resource('PATCH', 'changed', inner).replace('send: changed', 'send: changed, keeps: true')
  const spec = { name: 'a', inner: { size: 2, list: [{ name: 'x', value: '1' }] } }
  const first = driveThings(server, text, { a: spec })
  await first.apply((await first.check()).digest)
  expect(server.lines()).toEqual([['PATCH /things/a', { inner: { size: 2, list: [system, x] } }]])
})
