import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
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
  `rules: { path: ${more}rules, type: list, element: { type: object, key: [k], attributes: { k: {}, v: {} } } }`

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

  it('takes nothing from another part', async () => {
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
