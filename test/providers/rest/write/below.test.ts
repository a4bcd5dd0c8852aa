import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/*
 * A request to a place below an object, and a body of the document's own: what they replace is sent back as it was read, or is
 * named as lost before it is sent.
 */

const there =
  '{"name":"x","note":"n","properties":{"size":1.0,"s":"old","t":"kept","map":{"a":"1","b":"é"},"rules":[{"k":"a","v":"1","w":[null]},{"k":"b","v":"2","w":2}]}}'

/** Keeps the object, and puts what a request to `properties` says in the place of that member. */
const startBelow = async () => {
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      if (method !== 'PUT' || !url.endsWith('/properties')) return undefined
      const path = url.replace('/properties', '')
      const whole = state.get(path) ?? '{}'
      const at = whole.indexOf('"properties":') + '"properties":'.length
      state.set(path, `${whole.slice(0, at)}${body}}`)
      return { status: 200, body: '{}' }
    },
  })
  server.state.set('/things/x', there)
  return server
}

interface Below {
  readonly answer?: string
  readonly body?: string
  readonly write?: string
  readonly attributes: string
  readonly more?: string
  readonly path?: string
}

const documentOf = ({ answer = '', body = '', write = '', attributes, more = '', path = '/properties' }: Below) => `
operations:
  find: { method: GET, path: "/things/{name}" }
  retrieve: { method: GET, path: "/things/{name}"${answer} }
  create: { method: POST, path: "/things/{name}" }
  put: { method: PUT, path: "/things/{name}${path}"${body} }
identity: { keys: [name] }
lookup: { retrieve: find }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    ${more.includes('actions:') ? '' : `write: { op: put${write} }`}
    attributes: { name: { immutable: true, in: path }, ${attributes} }
${more}`

const applied = async (below: Below, spec: Record<string, Json>) => {
  await using server = await startBelow()
  const drive = driveThings(server, documentOf(below), { x: { name: 'x', ...spec } })
  const { plan, digest } = await drive.check()
  const planned = plan.commands.map(({ grade, loses }) => [grade, loses])
  const run = await drive.apply(digest)
  expect(run).toMatchObject({ status: 'succeeded' })
  const after = server.state.get('/things/x')
  const undone = await drive.undo(run.id).then(
    () => server.state.get('/things/x'),
    () => undefined,
  )
  return { planned, after, undone }
}

const reversible = (count: number): Json[][] => Array.from({ length: count }, () => ['reversible', undefined as never])

const element = 'element: { k: {}, v: {} }'
const list = (more = '') =>
  `rules: { path: ${more}rules, type: list, element: { type: object, attributes: { k: {}, v: {} } } }`

describe('a PUT below the path of an object', () => {
  it.each<[string, Below, Record<string, Json>, (text: string) => string]>([
    [
      'a member',
      { attributes: 's: { path: properties.s, send: s }' },
      { s: 'new' },
      (text) => text.replace('old', 'new'),
    ],
    [
      'all of it',
      { write: ', send: full', attributes: 's: { path: properties.s }' },
      { s: 'new' },
      (text) => text.replace('old', 'new'),
    ],
    [
      'of an answer of its own',
      { answer: ', answer: properties', attributes: 's: {}' },
      { s: 'new' },
      (text) => text.replace('old', 'new'),
    ],
    [
      'a map in a body of the document',
      {
        body: ', body: "{desired.properties}"',
        attributes: 'properties: { type: map, manage: declared, element: { type: any } }',
      },
      { properties: { s: 'new' } },
      (text) => text.replace('old', 'new'),
    ],
  ])('sends back what was read: %s', async (_, below, spec, changed) => {
    const { planned, after, undone } = await applied(below, spec)
    expect({ planned, after, undone }).toEqual({ planned: reversible(1), after: changed(there), undone: there })
  })

  it('takes nothing from another part', long, async () => {
    const more = `  - name: other
    read: retrieve
    write: { op: put }
    attributes: { t: { path: properties.t } }
`
    const { planned, after, undone } = await applied(
      { attributes: 's: { path: properties.s }', more },
      { s: 'new', t: 'too' },
    )
    expect({ planned, after, undone }).toEqual({
      planned: reversible(2),
      after: there.replace('old', 'new').replace('kept', 'too'),
      undone: there,
    })
  })

  const lost = [
    '/properties/map/a',
    '/properties/map/b',
    '/properties/rules/*/k',
    '/properties/rules/*/v',
    '/properties/rules/*/w',
    '/properties/rules/*/w/*',
    '/properties/size',
    '/properties/t',
  ]
  it.each<[string, Below, Record<string, Json>, readonly string[]]>([
    [
      'a body of the document',
      { body: ', body: { s: "{desired.s}" }', attributes: 's: { path: properties.s }' },
      { s: 'new' },
      lost,
    ],
    [
      'what differs',
      {
        write: ', send: template, body: { s: "{desired.s}" }',
        path: '/props',
        attributes: 's: { path: properties.s }',
      },
      { s: 'new' },
      lost,
    ],
    [
      'a call',
      {
        body: ', body: { s: "{desired.s}" }',
        attributes: 's: { path: properties.s }',
        more: 'actions: { set: { on: [s], op: put } }',
      },
      { s: 'new' },
      lost,
    ],
    [
      'a whole list',
      {
        attributes: 's: { path: properties.s, computed: true }',
        more: `  - name: rules
    read: retrieve
    collection: { field: rules, path: properties.rules, key: [k], ${element}, write: { op: put, body: { rules: "{all}" } } }
`,
      },
      {
        rules: [
          { k: 'a', v: '5' },
          { k: 'b', v: '2' },
        ],
      },
      ['/properties/map/a', '/properties/map/b', '/properties/size', '/properties/t'],
    ],
  ])('names what it loses: %s', async (_, below, spec, names) => {
    await using server = await startBelow()
    const { plan } = await driveThings(server, documentOf(below), { x: { name: 'x', ...spec } }).check()
    expect(plan.commands.map(({ grade, loses }) => [grade, loses])).toEqual([['lossy', names]])
  })
})

describe('the whole object, or a patch of it', () => {
  it.each(['object', 'jsonPatch', 'mergePatch'])('is refused at a place inside of the object: %s', async (send) => {
    await using server = await startBelow()
    const document = documentOf({ write: `, send: ${send}`, attributes: 's: { path: properties.s }' })
    await expect(driveThings(server, document, { x: { name: 'x', s: 'new' } }).check()).rejects.toThrow(
      `send: ${send} is about the whole object, and \\"put\\" replaces what is at properties; leave \`send\` out`,
    )
  })
})

describe('a body of the document', () => {
  const rules = {
    rules: [
      { k: 'a', v: '5' },
      { k: 'b', v: '2' },
    ],
  }
  const changed = (text: string) => text.replace('"v":"1"', '"v":"5"')

  it.each<[string, Below]>([
    [
      'of a PUT below the object',
      {
        body: ', body: { rules: "{desired.rules}" }',
        path: '/properties',
        answer: ', answer: properties',
        attributes: `${list()}, size: {computed: true, type: any}, s: {computed: true}, t: {computed: true}, map: {type: map, computed: true}`,
      },
    ],
    [
      'of a call',
      {
        body: ', body: { rules: "{desired.rules}" }',
        write: ', keeps: true',
        attributes: list('properties.'),
        more: 'actions: { set: { on: [rules], op: put } }',
      },
    ],
    [
      'where the server keeps what it does not have',
      { body: ', body: { rules: "{desired.rules}" }', write: ', keeps: true', attributes: list('properties.') },
    ],
  ])('has elements with all that was read of them: %s', async (_, below) => {
    await using server = await startBelow()
    const drive = driveThings(server, documentOf(below), { x: { name: 'x', ...rules } })
    const { digest } = await drive.check()
    const run = await drive.apply(digest)
    const [sent] = server.writes()
    expect(sent?.body).toBe(`{"rules":${changed(there.slice(there.indexOf('[{'), there.lastIndexOf('}}')))}}`)
    expect(run).toMatchObject({ outcomes: [{ status: 'succeeded' }] })
  })
})

describe('what a write may lose of its own attributes', () => {
  const documentFor = (update: string, attributes: string, more = '', write = '') => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: "/things/{name}" }
  update: ${update}
  put: { method: PUT, path: "/things/{name}" }
  putConf: { method: PUT, path: "/things/{name}/conf" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update${write} }
    attributes: { name: { in: path }, ${attributes} }
${more}`
  const patch = '{ method: PATCH, path: "/things/{name}" }'
  const element = 'element: { type: object, attributes: { id: {}, v: {} } }'
  const kept = [
    { id: '1', v: 'a', h: 1 },
    { id: '2', v: 'b', h: 2 },
  ]
  const wanted = [
    { id: '1', v: 'a' },
    { id: '2', v: 'c' },
  ]

  it.each<[string, string, Json, Json, readonly string[] | undefined]>([
    [
      'a list that is sent as a text',
      documentFor(patch, `rules: { type: list, as: json, ${element} }`),
      { rules: kept },
      { rules: wanted },
      ['/rules/*/h'],
    ],
    [
      'a list that is a text',
      documentFor(patch, `rules: { type: list, as: json, ${element} }`),
      { rules: JSON.stringify(kept) },
      { rules: wanted },
      ['/rules/*/h'],
    ],
    [
      'a text that has no more',
      documentFor(patch, `rules: { type: list, as: json, ${element} }`),
      {
        rules: JSON.stringify([
          { id: '1', v: 'a' },
          { id: '2', v: 'b' },
        ]),
      },
      { rules: wanted },
      undefined,
    ],
    [
      'an attribute that only a create sends',
      documentFor('{ method: PUT, path: "/things/{name}" }', 'user: {}, pw: { sendOn: create }'),
      { user: 'u', pw: 'p' },
      { user: 'v' },
      ['/pw'],
    ],
    [
      'an attribute that the body does not name',
      documentFor(
        '{ method: PUT, path: "/things/{name}", body: { user: "{desired.user}" } }',
        'user: {}, pw: { immutable: true }',
      ),
      { user: 'u', pw: 'p' },
      { user: 'v' },
      ['/pw'],
    ],
    [
      'a call, although the write of the part keeps the rest',
      documentFor(
        patch,
        'size: { type: number }, color: { leftOut: true }',
        'actions: { set: { on: [size], op: put } }',
        ', keeps: true',
      ),
      { size: 1, color: 'red' },
      { size: 2 },
      ['/color'],
    ],
    [
      'nothing at a place below',
      documentFor('{ method: PUT, path: "/things/{name}/conf" }', 'color: { path: conf.color, leftOut: true }'),
      { conf: null },
      { color: 'red' },
      ['/conf'],
    ],
    [
      'a null',
      documentFor(
        '{ method: PUT, path: "/things/{name}", body: { size: "{desired.size}" } }',
        'size: { type: number }',
      ),
      { size: 1, note: null },
      { size: 2 },
      ['/note'],
    ],
    [
      'nothing of objects that are sent by their ids',
      documentFor(patch, 'members: { type: set, element: { type: object, sendOnly: id, attributes: { id: {} } } }'),
      { members: [{ id: 'a', more: 1 }] },
      { members: [{ id: 'a' }, { id: 'b' }] },
      undefined,
    ],
  ])('is named: %s', async (_, document, state, spec, loses) => {
    await using server = await startThings()
    server.state.set('/things/x', JSON.stringify({ name: 'x', ...(state as object) }))
    const { plan } = await driveThings(server, document, { x: { name: 'x', ...(spec as object) } }).check()
    expect(plan.commands.map((command) => command.loses)).toEqual([loses])
  })

  it('is sent back: pairs that have more than a key and a value, in a PATCH too', async () => {
    await using server = await startThings()
    const text = '{"name":"x","props":[{"k":"a","v":"1","inherited":true},{"k":"b","v":"2","note":"n"}]}'
    server.state.set('/things/x', text)
    const document = documentFor(
      patch,
      'props: { type: map, manage: declared, pairs: { key: k, value: v } }',
      '',
      ', send: full',
    )
    const drive = driveThings(server, document, { x: { name: 'x', props: { a: 'x' } } })
    const run = await drive.apply((await drive.check()).digest)
    expect(run).toMatchObject({ status: 'succeeded' })
    expect(server.state.get('/things/x')).toBe(text.replace('"1"', '"x"'))
    await drive.undo(run.id)
    expect(server.state.get('/things/x')).toBe(text)
  })

  it('is sent by their ids: elements of a list', async () => {
    await using server = await startThings()
    server.state.set('/things/x', JSON.stringify({ name: 'x', members: [{ id: 'a' }] }))
    const document = documentFor(
      patch,
      'members: { type: set, element: { type: object, sendOnly: id, attributes: { id: {} } } }',
    )
    const { plan } = await driveThings(server, document, {
      x: { name: 'x', members: [{ id: 'a' }, { id: 'b' }] },
    }).check()
    expect(plan.commands.map(({ request }) => request.body)).toEqual([{ members: ['a', 'b'] }])
  })
})
