import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { checkProvider } from '../../../core/tools/authoring/check-provider.ts'
import { oldThings, things } from '../../builders/generated/openapi.ts'

const sound = `provider:
  id: things
  with: { key: { secret: true }, base: { default: "https://api.test" } }
  baseUrl: "{with.base}/v1"
  auth: { header: { name: X-Key, secret: "{with.key}" } }
  pagination: { style: page, param: page, query: { per_page: 50 } }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}", success: [200] }
      create: { method: POST, path: /things, success: [201], produces: { id: id } }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: { query: { name: "{name}" } }, match: [name] }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: { required: true }
          size: { type: number, default: 1 }
          color: { values: [red, green] }
          labels: { type: set, element: {} }
          region: { immutable: true }
          limits: { type: object, attributes: { cpu: { type: number } } }
          password: { sensitive: true, writeOnly: true }
          state: { computed: true }
`

const check = (text: string, description: JsonObject = things) =>
  checkProvider({ name: 'api.yaml', text }, { name: 'api.json', text: JSON.stringify(description) })

const warnings = (text: string, description?: JsonObject): readonly string[] =>
  check(text, description).findings.map(
    ({ severity, line, column, message, fix, pointer }) =>
      `${severity} ${line}:${column} ${message} | ${fix} | ${pointer ?? ''}`,
  )

describe('the comparison of a document with a description', () => {
  it.each([
    ['old', oldThings],
    ['new', things],
  ])('finds no disagreement with: %s', (_, description) => {
    expect(check(sound, description)).toMatchObject({ findings: [], uncompared: [], notes: [], types: ['api_thing'] })
  })

  it.each<[string, string, string, readonly (readonly [string, string])[]]>([
    [
      'a key that a list has at a place of its own',
      'match: [name] }',
      'match: [size], at: { size: size }, follow: retrieve }',
      [['keys: [name]', 'keys: [size]']],
    ],
    [
      'the base path in the paths',
      '{with.base}/v1',
      '{with.base}',
      [
        ['path: "/', 'path: "/v1/'],
        ['path: /things', 'path: /v1/things'],
      ],
    ],
    [
      'a base URL that nobody knows',
      '"{with.base}/v1"',
      '"{with.base}"',
      [['default: "https://api.test"', 'secret: false']],
    ],
  ])('finds no disagreement in %s', (_, from, to, more) => {
    const text = more.reduce<string>((done, [old, next]) => done.replaceAll(old, next), sound.replace(from, to))
    expect(warnings(text)).toEqual([])
  })

  it.each<[string, string, string, readonly string[]]>([
    [
      'no such path',
      'path: /things }',
      'path: /thingz }',
      ['10:34 the description has no path /thingz | the closest path is /things'],
    ],
    [
      'no such method',
      'PATCH',
      'PUT',
      [
        '13:25 the description has no PUT for /things/{thingId} | the description has: GET, PATCH, DELETE | /paths/~1things~1{thingId}',
      ],
    ],
    ['a slash', 'path: /things }', 'path: /things/ }', ['10:34 the description spells this path /things |']],
    [
      'a success that is none',
      'success: [201]',
      'success: [200]',
      ['12:46 create (POST /things) does not answer 200', '12:46 create (POST /things) may answer 201'],
    ],
    [
      'a query parameter',
      'query: { name:',
      'query: { nme:',
      ['16:37 list (GET /things) has no query parameter "nme" | correct it, because servers ignore'],
    ],
    ['a page parameter', 'param: page,', 'param: p,', ['no query parameter "p"']],
    ['a parameter of the page query', 'per_page: 50', 'size: 50', ['no query parameter "size"']],
    [
      'a field that is not sent so',
      'size: {',
      'sise: {',
      [
        '24:11 the response of retrieve (GET /things/{id}) has no "sise"',
        'the request of create (POST /things) has no "sise"',
        'the request of update (PATCH /things/{id}) has no "sise"',
      ],
    ],
    [
      'a place',
      'region: { immutable: true',
      'region: { path: area, immutable: true',
      ['the response of retrieve (GET /things/{id}) has no "area"'],
    ],
    [
      'a member of an object',
      'cpu: { type',
      'gpu: { type',
      ['the response of retrieve (GET /things/{id}) has no "gpu"', 'the request of create (POST /things) has no "gpu"'],
    ],
    [
      'the place of a key in a list',
      'match: [name] }',
      'match: [name], at: { name: size }, follow: retrieve }',
      ['23:11 "name" is string here, but integer in the response'],
    ],
    [
      'a read-only field',
      'state: { computed: true }',
      'state: { immutable: true }\n          id: { immutable: true }',
      ['the request of create (POST /things) has no "state"', 'the request of create (POST /things) has no "id"'],
    ],
    [
      'what is never answered',
      'password: { sensitive: true, writeOnly: true }',
      'password: { sensitive: true }',
      ['the response of retrieve (GET /things/{id}) has no "password"'],
    ],
    [
      'a type',
      'size: { type: number, default: 1 }',
      'size: {}',
      ['24:11 "size" is string here, but integer in the response', '"size" is string here, but integer in the request'],
    ],
    [
      'the type of an element',
      'element: {} }',
      'element: { type: number } }',
      ['"labels" is number here, but string in the response'],
    ],
    [
      'values',
      'values: [red, green]',
      'values: [red, blue]',
      ['25:20 "color" cannot be "blue" in the description', '"color" may be "green" in the description, but not here'],
    ],
    ['a default', 'default: 1', 'default: 2', ['24:42 the default of "size" is 2 here and 1 in the description']],
    [
      'what every request needs',
      '          name: { required: true }',
      '          name: {}',
      ['requires "name", but the attribute is optional here | set required: true'],
    ],
    ['what every request needs and nothing gives', '          size: { type: number, default: 1 }\n', '', []],
    [
      'a list that is elsewhere',
      'list: { query: { name: "{name}" } }',
      'list: { items: data, query: { name: "{name}" } }',
      ['the response of list (GET /things) has no "data"'],
    ],
    [
      'a server id',
      'serverId: { id: id }',
      'serverId: { id: uid }',
      ['the response of list (GET /things) has no "uid"'],
    ],
    [
      'what a create produces',
      'produces: { id: id }',
      'produces: { id: key }',
      ['the response of create (POST /things) has no "key"'],
    ],
    [
      'an answer place',
      'success: [200] }',
      'success: [200], answer: thing }',
      ['the response of retrieve (GET /things/{id}) has no "thing"'],
    ],
  ])('reports each disagreement with its line: %s', (_, from, to, expected) => {
    expect(sound).toContain(from)
    const found = warnings(sound.replace(from, to))
    for (const text of expected) expect(found.join('\n')).toContain(text)
    if (expected.length === 0) expect(found).toEqual([])
    expect(found.every((line) => line.startsWith('warning '))).toBe(true)
  })

  it('names what it could not compare', () => {
    const bare = {
      openapi: '3.0.0',
      paths: { '/things': { get: {}, post: {} }, '/things/{id}': { get: {}, patch: {}, delete: {} } },
    }
    const { findings, uncompared } = check(
      sound
        .replace('pagination: { style: page, param: page, query: { per_page: 50 } }', 'pagination: { style: none }')
        .replace('query: { name: "{name}" }', ''),
      bare,
    )
    expect(findings).toEqual([])
    expect(uncompared.map(({ reason }) => reason)).toContain(
      'the description has no request schema for create (POST /things)',
    )
    expect(uncompared.map(({ reason }) => reason)).toContain(
      'the description has no response schema for list (GET /things)',
    )
  })

  it('names the mistakes of the document alone, and then compares nothing', () => {
    const report = check(sound.replace('read: retrieve', 'read: fetch').replace('match: [name]', 'match: [nme]'))
    expect(report.findings.map(({ severity, line }) => [severity, line])).toEqual([
      ['error', 16],
      ['error', 16],
      ['error', 20],
    ])
    expect(report).toMatchObject({ types: [], uncompared: [] })
  })

  it('refuses a document that is not YAML', () => {
    expect(check('provider: [').findings).toMatchObject([{ severity: 'error', file: 'api.yaml', line: 1 }])
  })

  it('refuses a file that is not a description', () => {
    expect(() => checkProvider({ name: 'a', text: sound }, { name: 'x.yaml', text: 'a: 1' })).toThrow(
      /x.yaml cannot be read/,
    )
  })

  it('finds the operation of a constant where the description has a parameter', () => {
    const description = { openapi: '3.0.0', paths: { '/servers/{id}/things': { get: {} } } }
    const text = sound.replaceAll('/things', '/servers/local/things')
    expect(warnings(text, description).join('\n')).not.toContain('no path /servers/local/things |')
  })
})
