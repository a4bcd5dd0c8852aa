import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { defined } from '../../../../core/engine/values/defined.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'
import { anApi, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* What a PUT replaces is sent back with the change, or is named as lost before it is sent. */

interface Facts {
  readonly write?: string
  readonly update?: string
  readonly attributes?: string
  readonly more?: string
}

const documentOf = ({ write = 'op: update', update = '', attributes = ', note: {}', more = '' }: Facts): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}"${update} }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { ${write} }
    attributes: { name: { immutable: true }${attributes} }
${more}`

const applied = async (facts: Facts, there: string, spec: Record<string, Json>) => {
  await using server = await startThings()
  server.state.set('/things/x', there)
  const drive = driveThings(server, documentOf(facts), { x: { name: 'x', ...spec } })
  const { plan, digest } = await drive.check()
  expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  const [command] = plan.commands
  return { text: server.state.get('/things/x'), grade: command?.grade, loses: command?.loses }
}

const there = '{"name":"x","note":"old","other":{"a":1},"size":1.0,"list":[{"k":"a","w":1}]}'

describe('a PUT of an object', () => {
  it.each<[string, Facts]>([
    ['where the document says nothing of it', {}],
    ['with send: changed', { write: 'op: update, send: changed' }],
    ['with send: full', { write: 'op: update, send: full' }],
    ['with all of it inside of another object', { write: 'op: update, body: "{fields}"' }],
  ])('has all that was read: %s', async (_, facts) => {
    const { text, loses, grade } = await applied(facts, there, { note: 'new' })
    expect(text).toBe(there.replace('old', 'new'))
    expect([loses, grade]).toEqual([undefined, 'reversible'])
  })

  it('has what differs alone where the server keeps the rest', async () => {
    await using server = await startThings()
    server.state.set('/things/x', there)
    const drive = driveThings(server, documentOf({ write: 'op: update, keeps: true' }), {
      x: { name: 'x', note: 'new' },
    })
    expect((await drive.check()).plan.commands).toMatchObject([
      { request: { body: { note: 'new' } }, grade: 'reversible' },
    ])
  })

  it.each([
    [400, /unknown: other"}; the request sends back what was read.*`drop`.*`keeps: true`/],
    [403, /unknown: other"}$/],
  ])('says what to write where the target refuses its own members with %i', async (status, told) => {
    await using server = await startThings({
      route: ({ method }) => (method === 'PUT' ? { status, body: '{"message":"unknown: other"}' } : undefined),
    })
    server.state.set('/things/x', there)
    const drive = driveThings(server, documentOf({}), { x: { name: 'x', note: 'new' } })
    const { outcomes } = await drive.apply((await drive.check()).digest)
    expect(outcomes?.[0]).toMatchObject({ status: 'failed', httpStatus: status, detail: expect.stringMatching(told) })
  })

  it('has the other attributes at a place below the object, and nothing that nobody names', async () => {
    const facts = {
      write: 'op: set',
      attributes: ', note: { leftOut: true }, size: { type: number }',
      update: ' }\n  set: { method: PUT, path: "/things/{name}/settings"',
    }
    await using server = await startThings()
    server.state.set('/things/x', there)
    const { plan } = await driveThings(server, documentOf(facts), { x: { name: 'x', note: 'new' } }).check()
    expect(plan.commands.map(({ request }) => request.body)).toEqual([
      { name: 'x', note: 'new', size: { $number: '1.0' } },
    ])
  })

  it.each<[string, Facts, readonly string[]]>([
    [
      'a body of its own',
      { update: ', body: { note: "{desired.note}" }' },
      ['/list/*/k', '/list/*/w', '/other/a', '/size'],
    ],
    [
      'places of bodies that are none of answers',
      { attributes: ', note: {}, a: { type: number, path: other.a }' },
      ['/list/*/k', '/list/*/w', '/size'],
    ],
    [
      'a form',
      { update: ', contentType: application/x-www-form-urlencoded' },
      ['/list/*/k', '/list/*/w', '/other/a', '/size'],
    ],
    [
      'a body of its own that has some of it',
      {
        update: ', body: { note: "{desired.note}", size: "{before.size}" }',
        attributes: ', note: {}, size: { computed: true, type: number }',
      },
      ['/list/*/k', '/list/*/w', '/other/a'],
    ],
  ])('names what it loses: %s', async (_, facts, lost) => {
    await using server = await startThings()
    server.state.set('/things/x', there)
    const { plan } = await driveThings(server, documentOf(facts), { x: { name: 'x', note: 'new' } }).check()
    expect(plan.commands.map(({ loses, grade }) => ({ loses, grade }))).toEqual([{ loses: lost, grade: 'lossy' }])
  })
})

const collectionOf = (write: string, update: string): Facts => ({
  update,
  attributes: '',
  more: `  - name: list
    read: retrieve
    collection:
      field: list
      key: [k]
      element: { k: {}, v: { leftOut: true } }
      write: ${write}
`,
})

describe('a PUT for elements', () => {
  const elements = '{"name":"x","other":5,"list":[{"k":"a","w":1}]}'

  it.each<[string, string, string, readonly string[] | undefined]>([
    ['all of them in the object', '{ op: update, body: { list: "{all}" } }', '', ['/other']],
    [
      'one in a body of its own',
      '{ each: { create: add, update: change, remove: drop } }',
      ', body: none }\n  change: { method: PUT, path: "/things/{name}/{el.k}", body: { v: "{el.v}" } }\n  add: { method: POST, path: "/a" }\n  drop: { method: DELETE, path: "/a/{el.k}"',
      ['/list/*/w'],
    ],
    [
      'one as it was read',
      '{ each: { create: add, update: change, remove: drop } }',
      ', body: none }\n  change: { method: PUT, path: "/things/{name}/{el.k}" }\n  add: { method: POST, path: "/a" }\n  drop: { method: DELETE, path: "/a/{el.k}"',
      undefined,
    ],
  ])('names what it loses: %s', async (_, write, update, lost) => {
    await using server = await startThings()
    server.state.set('/things/x', elements)
    const spec = { x: { name: 'x', list: [{ k: 'a', v: '1' }] } }
    const { plan } = await driveThings(server, documentOf(collectionOf(write, update)), spec).check()
    expect(plan.commands.map(({ loses }) => loses)).toEqual([lost])
  })
})

describe('a PUT of an object that stands in an envelope', () => {
  const around = '{"data":{"name":"x","note":"old","own":1},"meta":{"owner":"them","none":null},"links":[]}'

  const planned = async (send: string, body: string) => {
    await using server = await startThings()
    server.state.set('/things/x', around)
    const document = documentOf({ write: `op: update, send: ${send}`, update: body })
    const drive = driveThings(
      server,
      document.replace(
        '{ method: GET, path: "/things/{name}" }',
        '{ method: GET, path: "/things/{name}", answer: data }',
      ),
      { x: { name: 'x', note: 'new' } },
    )
    const { plan, digest } = await drive.check()
    await drive.apply(digest)
    return { told: plan.commands.map(({ loses, grade }) => ({ loses, grade })), left: server.state.get('/things/x') }
  }

  it.each(['changed', 'full', 'object'])('names what is beside it: send: %s', async (send) => {
    const { told, left } = await planned(send, ', answer: data, body: { data: "{fields}" }')
    expect(told).toEqual([{ loses: ['/meta/owner'], grade: 'lossy' }])
    expect(left).toBe('{"data":{"name":"x","note":"new","own":1}}')
  })

  it.each(['changed', 'full', 'object'])('loses nothing that the document drops beside it: send: %s', async (send) => {
    const dropping = `${send}, drop: [meta.owner]`
    const { told } = await planned(dropping, ', answer: data, body: { data: "{fields}" }')
    expect(told).toEqual([{ loses: undefined, grade: 'reversible' }])
  })

  it('loses nothing where only answers have it', async () => {
    expect((await planned('full', '')).told).toEqual([{ loses: undefined, grade: 'reversible' }])
  })
})

describe('a PATCH of a value inside of an object', () => {
  it('has the rest of the object, which the server may replace', async () => {
    const facts = {
      write: 'op: update',
      attributes: ', note: { leftOut: true }, a: { type: number, path: other.a, send: other.a }',
    }
    await using server = await startThings()
    const text = '{"name":"x","other":{"a":1,"b":2,"c":{"d":3}}}'
    server.state.set('/things/x', text)
    const drive = driveThings(server, documentOf(facts).replace('PUT', 'PATCH'), { x: { name: 'x', a: 5 } })
    const { digest, plan } = await drive.check()
    expect(plan.commands).toMatchObject([{ grade: 'reversible' }])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.get('/things/x')).toBe(text.replace('"a":1', '"a":5'))
  })
})

describe('a POST that creates an object, and changes it too', () => {
  const kept = ', keeps: true'
  it.each([
    ['names what its body does not have', '', ['/lease'], 'lossy'],
    ['loses nothing where the document says so', kept, undefined, 'reversible'],
  ])('is judged by what its body has: %s', (_, more, loses, grade) => {
    const text = `provider: { id: kv, baseUrl: "http://api.test" }
resources:
  kv_pair:
    operations:
      retrieve: { method: POST, effect: read, path: /range, body: { key: "{key}" }, answer: kvs.0 }
      create: { method: POST, path: /put, body: { key: "{desired.key}", value: "{desired.value}" } }
      update: { method: POST, path: /put, body: { key: "{key}", value: "{desired.value}" } }
    identity: { keys: [key] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: retrieve, write: { op: update${more} }, attributes: { key: { immutable: true }, value: {} } }]
`
    const api = anApi({ 'POST /range': { body: { kvs: [{ key: 'a', value: 'old', lease: '7' }] } } })
    const planned = planOne(typeOf(providerOf(text, {}), 'kv_pair'), { spec: { key: 'a', value: 'new' } }, api)
    return expect(planned).resolves.toMatchObject({
      commands: [{ request: { body: { key: 'a', value: 'new' } }, grade, ...defined({ loses }) }],
    })
  })
})
