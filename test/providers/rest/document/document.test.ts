import { describe, expect, it } from 'vitest'
import { namedFiles } from '../../../../core/engine/config/files/named-files.ts'
import { configureText, exampleText } from '../../../builders/workspaces/rest.ts'

const sound = `provider:
  id: things
  with: { key: { secret: true }, region: { default: eu } }
  baseUrl: "http://{with.region}.api.test"
  auth: { header: { name: X-Key, secret: "{with.key}" } }
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts:
      - name: main
        read: retrieve
        write: { op: update }
        attributes:
          name: { required: true }
          secret: { writeOnly: true, witness: name }
      - name: items
        read: retrieve
        collection:
          field: items
          key: [label]
          element: { label: {} }
          write: { op: update, body: { items: "{all}" } }
`
const given = { key: { $secret: 'env:KEY' } }

const problemsOf = (text: string, values: object = given): readonly string[] => {
  const configured = configureText(text, values as never)
  return configured.ok
    ? []
    : configured.issues.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
}

describe('a document', () => {
  it('gives its types if it is valid', () => {
    const configured = configureText(sound, given)
    expect(configured).toMatchObject({ ok: true, provider: { types: { api_thing: { name: 'api_thing' } } } })
    expect(configured.ok && Object.keys(configured.provider.types)).toEqual(['api_thing'])
  })

  it.each([
    ['powerdns', { baseUrl: 'http://127.0.0.1:8081', apiKey: { $secret: 'env:KEY' } }],
    ['rabbitmq', { baseUrl: 'http://127.0.0.1:15672/api', user: 'admin', password: { $secret: 'env:KEY' } }],
    ['wiremock', { baseUrl: 'http://127.0.0.1:8080' }],
    ['caddy', {}],
  ] as const)('of the examples is valid: %s', (example, values) => {
    expect(problemsOf(exampleText(example), values)).toEqual([])
  })

  it.each([
    [
      'unknown key',
      'read: retrieve\n        write',
      'reads: retrieve\n        write',
      ['19:16 unknown key "reads"', '18:9 "read" is missing'],
    ],
    ['unknown method', 'method: PATCH', 'method: PATSCH', ['12:25 resources.api_thing.operations.update.method']],
    ['type name', 'api_thing:', 'Thing:', ['7:3 resources.Thing']],
    [
      'unknown operation',
      'read: retrieve',
      'read: fetch',
      ['19:15 there is no operation "fetch"', '25:15 there is no operation "fetch"'],
    ],
    [
      'reading by writing',
      'retrieve: { method: GET',
      'retrieve: { method: POST',
      ['the operation "retrieve" may write'],
    ],
    ['writing by reading', 'update: { method: PATCH', 'update: { method: GET', ['the operation "update" only reads']],
    [
      'unknown path variable',
      '"/things/{id}" }\n      create',
      '"/things/{uid}" }\n      create',
      ['10:38 the path variable {uid} has no value when retrieve is called'],
    ],
    [
      'an id before it is known',
      'create: { method: POST, path: /things',
      'create: { method: POST, path: "/things/{id}"',
      ['11:37 the path variable {id} has no value when create is called'],
    ],
    [
      'identity that is no attribute',
      'keys: [name]',
      'keys: [name, zone]',
      ['"zone" is no attribute', 'the identity key "zone" is neither matched'],
    ],
    [
      'match that leaves a key out',
      'match: [name]',
      'match: [label]',
      ['the identity key "name" is neither matched nor in the path', '"label" is no attribute'],
    ],
    ['collection key outside the element', 'key: [label]', 'key: [title]', ['28:11 "title" is not in element']],
    ['witness that is no attribute', 'witness: name', 'witness: hash', ['23:47 "hash" is no attribute']],
    ['a change without a write', '        write: { op: update }\n', '', ['can change and the part has no write']],
    ['no delete', '      delete: { method: DELETE, path: "/things/{id}" }\n', '', ['there is no operation "delete"']],
    ['undeclared with', '{with.region}', '{with.zone}', ['"{with.zone}" is used and not declared']],
    ['a body without changes', '{ items: "{all}" }', '{ items: [] }', ['the body holds no changes']],
  ] as const)('is refused at the place of its mistake: %s', (_, from, to, expected) => {
    const problems = problemsOf(sound.replaceAll(from, to))
    for (const text of expected) expect(problems.join('\n')).toContain(text)
  })

  it.each([
    ['an undeclared setting', '{with.tenant}', '"{with.tenant}" is used and not declared'],
    ['a secret', 'Key {with.key}', '"{with.key}" is a secret, and this header is shown in plans'],
    ['an attribute', '{name}', 'nothing gives {name} a value here'],
  ])('is refused for a header with %s, of all requests and of one', (_, text, problem) => {
    const all = sound.replace('  id: things\n', `  id: things\n  headers: { X-T: "${text}" }\n`)
    const one = sound.replace('path: /things }', `path: /things, headers: { X-T: "${text}" } }`)
    for (const wrong of [all, one]) expect(problemsOf(wrong).join('\n')).toContain(problem)
  })

  it.each<[string, string, string]>([
    [
      'a body',
      'create: { method: POST, path: /things }',
      'create: { method: POST, path: /things, body: { n: "{desired.nmae}" } }',
    ],
    ['a part', 'write: { op: update }', 'write: { op: update, body: { n: "{nmae}" } }'],
    ['a query', 'path: /things }', 'path: /things, query: { q: "{with.regoin}" } }'],
    ['a filter', 'lookup: { list: {}', 'lookup: { list: { query: { q: "{nmae}" } }'],
    ['a list', '{ items: "{all}" }', '{ items: "{all}", of: "{parent}" }'],
  ])('is refused for a variable in %s that nothing gives a value', (_, from, to) => {
    expect(problemsOf(sound.replace(from, to)).join('\n')).toMatch(/nothing gives \{[a-z.]+\} a value/)
  })

  it('is refused with all of its problems at once', () => {
    const wrong = sound.replace('match: [name]', 'match: [label]').replace('witness: name', 'witness: hash')
    expect(problemsOf(wrong).length).toBeGreaterThan(2)
  })
})

describe('the settings under `with`', () => {
  it.each([
    [{}, 'plumbline.yaml:3:3 the provider things needs "key" under with'],
    [{ ...given, speed: 1 }, 'plumbline.yaml:3:3 the provider things takes no "speed" under with'],
    [{ key: 'in clear' }, 'plumbline.yaml:3:3 "key" is a secret, but the configuration contains it as text'],
    [{ ...given, region: 'a b' }, 'plumbline.yaml:3:3 the base URL is no http or https URL'],
  ])('are refused as %j at the provider entry', (values, expected) => {
    const problems = problemsOf(sound, values)
    expect(problems.join('\n')).toContain(expected)
    expect(problems.join('\n')).not.toContain('in clear')
  })

  it.each([
    ['ftp://api.test', 'the base URL is no http or https URL'],
    ['http://me:pw@api.test', 'the base URL holds credentials'],
    ['http://:pw@api.test', 'the base URL holds credentials'],
    ['http://api.test/?a=1', 'the base URL is no http or https URL'],
    ['http://api.test/?', 'the base URL is no http or https URL'],
    ['http://api.test/#', 'the base URL is no http or https URL'],
    ['http://api.test/a b', 'the base URL is no http or https URL'],
    ['http://@api.test/', 'the base URL holds credentials'],
  ])('are refused with the base URL %s', (url, expected) => {
    expect(problemsOf(sound.replace('http://{with.region}.api.test', url)).join()).toContain(expected)
  })

  it('are refused without a document', async () => {
    const { rest } = await import('../../../../core/providers/rest/rest.ts')
    const configured = rest.configure({
      alias: 'x',
      with: {},
      position: { file: 'p', line: 1, column: 2 },
      files: namedFiles({ files: {} }),
    })
    expect(configured).toMatchObject({ ok: false, issues: [{ file: 'p', line: 1, column: 2 }] })
  })
})

describe('the demands of a way to write', () => {
  const whole = sound.replace('write: { op: update }', 'write: { op: update, send: object }')
  const attribute = (facts: string) =>
    sound.replace('name: { required: true }', `name: { required: true }\n          x: ${facts}`)
  const items = (from: string, to: string) => sound.replace(from, to)

  it.each<[string, string, readonly string[]]>([
    ['the whole object', whole, []],
    [
      'the whole object of a list',
      whole.replace('read: retrieve\n        write', 'read: list\n        write'),
      ['send: object needs the whole object, and "list" reads a list'],
    ],
    [
      'an element for a patch',
      sound
        .replace('write: { op: update }', 'write: { op: update, send: jsonPatch }')
        .replace('read: retrieve', 'read: { op: retrieve, select: { in: all, holds: { in: x, where: {} } } }'),
      ['send: jsonPatch needs the whole object, and "retrieve" reads a list'],
    ],
    [
      'a patch in an envelope',
      sound
        .replace('provider:\n', 'provider:\n  envelope: { body: { data: "{fields}" } }\n')
        .replace('write: { op: update }', 'write: { op: update, send: jsonPatch }'),
      ['a JSON patch is a list, and the envelope of the provider would put it into an object in the body of "update"'],
    ],
    [
      'drop without the object',
      sound.replace('write: { op: update }', 'write: { op: update, drop: [x] }'),
      ['no request sends "x" back: it sends attributes that differ, with all that was read inside of them'],
    ],
    [
      'operations of a part',
      sound.replace('write: { op: update }', 'write: { op: update, create: retrieve, remove: none }'),
      ['the operation "retrieve" only reads', 'there is no operation "none"'],
    ],
    [
      'left out of what changed',
      attribute('{ clearAs: omit }'),
      ['left out of a body of what changed, "x" would stay'],
    ],
    [
      'ignored keys of a map that is sent whole',
      attribute('{ type: map, element: {}, ignoreKeys: ["a/*"] }'),
      ['send: changed sends "x" without its ignored keys, and so removes them'],
    ],
    [
      'ignored keys of a merge patch',
      attribute('{ type: map, element: {}, ignoreKeys: ["a/*"] }').replace(
        'op: update }',
        'op: update, send: mergePatch }',
      ),
      [],
    ],
    [
      'a call',
      sound.replace('    parts:', '    actions: { go: { on: [name, y], when: { z: [1] }, op: list } }\n    parts:'),
      ['the operation "list" only reads', '"y" is no attribute', '"z" is no attribute'],
    ],
    [
      'an attribute that only a call writes',
      sound
        .replace(
          '        write: { op: update }\n        attributes:\n          name: { required: true }\n          secret: { writeOnly: true, witness: name }',
          '        attributes:\n          name: { required: true }',
        )
        .replace('    parts:', '    actions: { go: { on: [name], op: update } }\n    parts:'),
      [],
    ],
    [
      'elements without a key',
      items('key: [label]\n          element', 'element').replace('"{all}"', '"{changes}"'),
      ['elements that are written one by one need a key'],
    ],
    [
      'an order in pieces',
      items('key: [label]', 'key: [label]\n          ordered: true').replace('"{all}"', '"{upserts}"'),
      ['the whole list must be written because its order counts'],
    ],
    [
      'calls for elements',
      items('write: { op: update, body: { items: "{all}" } }', 'write: { each: { create: create, remove: list } }'),
      ['the operation "list" only reads'],
    ],
    [
      "an element in a path that is no element's",
      sound.replace('path: "/things/{id}" }\n      delete', 'path: "/things/{el.id}" }\n      delete'),
      ['the path variable {el.id} has no value when update is called'],
    ],
    [
      'a new value in the path of a change',
      sound.replace('path: "/things/{id}" }\n      delete', 'path: "/things/{desired.name}" }\n      delete'),
      [],
    ],
    ['a lock of no kind', sound.replace('    parts:', '    lock: { field: a }\n    parts:'), ['"send" is missing']],
  ])('is checked when the document is loaded: %s', (_name, text, messages) => {
    expect(problemsOf(text)).toEqual(messages.map((message) => expect.stringContaining(message)))
  })
})
