import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Request } from '../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import type { ImportRequest } from '../../../../core/tools/authoring/import/choose-targets.ts'
import { importObjects } from '../../../../core/tools/authoring/import/import-objects.ts'
import { testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const document = `
provider: { id: api, baseUrl: "http://api.test", reads: { absent: [404] } }
resources:
  api_team:
    operations:
      list: { method: GET, path: /teams }
      retrieve: { method: GET, path: "/teams/{name}" }
      create: { method: PUT, path: "/teams/{name}" }
      delete: { method: DELETE, path: "/teams/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    serverId: { id: id }
    discover: { op: list }
    parts:
      - name: main
        read: retrieve
        attributes:
          name: { required: true, in: path }
          above: { refersTo: { type: api_team } , immutable: true }
          token: { sensitive: true, immutable: true }
  api_member:
    operations:
      list: { method: GET, path: "/teams/{team}/members" }
      retrieve: { method: GET, path: "/teams/{team}/members/{name}" }
      create: { method: PUT, path: "/teams/{team}/members/{name}" }
      delete: { method: DELETE, path: "/teams/{team}/members/{name}" }
    identity: { keys: [team, name] }
    lookup: { retrieve: true }
    discover: { op: list, absent: [404] }
    parts:
      - name: main
        read: retrieve
        attributes:
          team: { required: true, in: path, refersTo: { type: api_team } }
          name: { required: true, in: path }
          role: { default: reader, immutable: true }
          home: { type: number, immutable: true, refersTo: { type: api_team, attribute: id } }
  api_note:
    operations:
      list: { method: GET, path: "/rooms/{room}/notes" }
      retrieve: { method: GET, path: "/rooms/{room}/notes/{name}" }
      create: { method: PUT, path: "/rooms/{room}/notes/{name}" }
      delete: { method: DELETE, path: "/rooms/{room}/notes/{name}" }
    identity: { keys: [room, name] }
    lookup: { retrieve: true }
    discover: { op: list }
    parts:
      - { name: main, read: retrieve, attributes: { room: { required: true, in: path }, name: { required: true, in: path } } }
  api_setting:
    operations:
      retrieve: { method: GET, path: "/settings/{name}" }
      create: { method: PUT, path: "/settings/{name}" }
      delete: { method: DELETE, path: "/settings/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - { name: main, read: retrieve, attributes: { name: { required: true, in: path }, value: { immutable: true } } }
`

const teams: Json = [
  { name: 'red', id: 7, above: 'blue', token: 's3cret-of-red' },
  { name: 'blue', id: 8, above: 'red', token: null },
]
const members: Json = [
  { name: 'ann', role: 'writer', home: 8 },
  { name: 'bob', role: 'reader' },
]

const answers: Readonly<Record<string, Json>> = {
  '/teams': teams,
  '/teams/red': teams[0] ?? null,
  '/teams/blue': teams[1] ?? null,
  '/teams/red/members': members,
  '/teams/red/members/ann': members[0] ?? null,
  '/teams/red/members/bob': members[1] ?? null,
  '/rooms/a/notes': [{ name: 'one' }],
  '/rooms/a/notes/one': { name: 'one' },
  '/settings/size': { name: 'size', value: 'x' },
}

const importing = async (
  wish: Partial<ImportRequest> = {},
  {
    resources = '',
    failing = '',
    document: used = document,
  }: { readonly resources?: string; readonly failing?: string; readonly document?: string } = {},
) => {
  const sent: Request[] = []
  const text = `workspace: acme\nproviders: { api: { source: rest, definition: ./api.yaml } }\n${resources}`
  const send = async (request: Request) => {
    sent.push(request)
    const path = request.url.replace('http://api.test', '')
    const body = path === failing ? undefined : answers[path]
    const status = path === failing ? 500 : body === undefined ? 404 : 200
    return { status, headers: {}, body: body ?? {} }
  }
  const { deps } = testDeps({ bundle: yaml(text, { 'api.yaml': used }), transport: () => ({ send }) })
  const report = await importObjects({ workspace: 'acme', types: [], where: {}, ...wish }, deps)
  return { ...report, sent, specs: Object.fromEntries(report.resources.map(({ address, spec }) => [address, spec])) }
}

const quiet = { unlisted: [], unread: [], differing: [], unchecked: [], issues: [] }

it('an import names a list that no value restricted', async () => {
  const narrowed = document.replace(
    '    discover: { op: list }\n',
    '    discover: { op: list, query: { above: "{above}" } }\n',
  )
  expect(narrowed).not.toBe(document)
  const text = 'workspace: acme\nproviders: { api: { source: rest, definition: ./api.yaml } }\n'
  const unlisted = async (where: Readonly<Record<string, string>>) => {
    const send = async ({ url }: Request) => ({ status: 200, headers: {}, body: answers[new URL(url).pathname] ?? {} })
    const { deps } = testDeps({ bundle: yaml(text, { 'api.yaml': narrowed }), transport: () => ({ send }) })
    const report = await importObjects({ workspace: 'acme', types: [{ type: 'api_team' }], where }, deps)
    return report.unlisted.map(({ detail }) => detail)
  }
  expect(await unlisted({})).toContainEqual(expect.stringContaining('without the query parameter above'))
  expect(await unlisted({ above: 'blue' })).toEqual([])
})

it('an import writes a null that the document can send, and no other', async () => {
  const cleared = document.replace(
    'value: { immutable: true }',
    'value: { immutable: true, clearAs: null }, other: { immutable: true }',
  )
  expect(cleared).not.toBe(document)
  const text = 'workspace: acme\nproviders: { api: { source: rest, definition: ./api.yaml } }\n'
  const body = { name: 'size', value: null, other: null }
  const send = async () => ({ status: 200, headers: {}, body })
  const { deps } = testDeps({ bundle: yaml(text, { 'api.yaml': cleared }), transport: () => ({ send }) })
  const types = [{ type: 'api_setting', identity: { name: 'size' } }]
  const { resources } = await importObjects({ workspace: 'acme', types, where: {} }, deps)
  expect(resources.map(({ spec }) => spec)).toEqual([{ name: 'size', value: null }])
})

it('an import does not print a name that is a secret', async () => {
  const sealed = document.replace(
    'baseUrl: "http://api.test",',
    'baseUrl: "http://api.test", with: { key: { secret: true } }, auth: { header: { name: X-Key, secret: "{with.key}" } },',
  )
  const secret = 'blue-and-much-longer'
  const text =
    'workspace: acme\nproviders: { api: { source: rest, definition: ./api.yaml, with: { key: { secret: "env:K" } } } }\n'
  const send = async (request: Request) => {
    const path = request.url.replace('http://api.test', '')
    const body =
      path === '/teams'
        ? [
            { name: 'red', id: 7 },
            { name: secret, id: 8 },
          ]
        : { name: path.split('/').at(-1) ?? '', id: 7 }
    return { status: 200, headers: {}, body }
  }
  const { deps, secrets } = testDeps({ bundle: yaml(text, { 'api.yaml': sealed }), transport: () => ({ send }) })
  secrets['env:K'] = secret
  const report = await importObjects({ workspace: 'acme', types: [{ type: 'api_team' }], where: {} }, deps)
  expect(JSON.stringify(report)).not.toContain(secret)
  expect(report.resources.map(({ name }) => name)).toEqual(['red'])
  expect(report.unlisted).toMatchObject([{ detail: 'the identity of 1 of them contains a secret' }])
})

describe('the import of objects', () => {
  it('finds which object contains which, refers to it, and makes no circle', async () => {
    const types = [{ type: 'api_member' }, { type: 'api_team' }]
    const { specs, text, sent, ...report } = await importing({ types })
    expect(report).toMatchObject(quiet)
    expect(specs).toEqual({
      'api_team.red': { name: 'red', above: '${resource.api_team.blue.name}' },
      'api_team.blue': { name: 'blue', above: 'red' },
      'api_member.red_ann': {
        team: '${resource.api_team.red.name}',
        name: 'ann',
        role: 'writer',
        home: '${resource.api_team.blue.id}',
      },
      'api_member.red_bob': { team: '${resource.api_team.red.name}', name: 'bob' },
    })
    expect(text).not.toContain('s3cret')
    expect(text).toContain('# token: { secret: "env:API_TEAM_RED_TOKEN" } would set it')
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('refers to declared resources, and omits these', async () => {
    const resources = 'resources: [{ type: api_team, name: r, spec: { name: red } }]'
    const { specs, managed, ...report } = await importing(
      { types: [{ type: 'api_member' }, { type: 'api_team' }] },
      { resources },
    )
    expect(report).toMatchObject(quiet)
    expect(managed).toBe(1)
    expect(Object.keys(specs)).not.toContain('api_team.red')
    expect(specs['api_member.red_bob']).toEqual({ team: '${resource.api_team.r.name}', name: 'bob' })
  })

  it('names the unknown parts, and what would show them', async () => {
    const { unlisted } = await importing()
    expect(unlisted).toEqual([
      expect.objectContaining({ type: 'api_note', fix: expect.stringContaining('--where room=...') }),
      expect.objectContaining({
        type: 'api_setting',
        fix: expect.stringMatching(/discover.*import api_setting name=/),
      }),
    ])
  })

  it.each<[string, Partial<ImportRequest>, readonly string[]]>([
    ['one that is named', { types: [{ type: 'api_setting', identity: { name: 'size' } }] }, ['api_setting.size']],
    ['those of a place', { types: [{ type: 'api_note' }], where: { room: 'a' } }, ['api_note.a_one']],
    ['those with a value', { types: [{ type: 'api_member' }], where: { role: 'writer' } }, ['api_member.red_ann']],
    ['of all types that have the attribute', { where: { role: 'writer' } }, ['api_member.red_ann']],
  ])('takes %s', async (_, wish, addresses) => {
    const { specs, ...report } = await importing(wish)
    expect(report).toMatchObject(quiet)
    expect(Object.keys(specs)).toEqual(addresses)
  })

  it.each<[string, string, object]>([
    ['a list', '/teams', { unlisted: [{ type: 'api_team', detail: expect.stringContaining('500') }], resources: [] }],
    [
      'an object',
      '/teams/red',
      { unread: [{ identity: { name: 'red' }, reason: 'server_error' }], resources: [{ name: 'blue' }] },
    ],
  ])('reports an object that cannot be read: %s', async (_, failing, expected) => {
    expect(await importing({ types: [{ type: 'api_team' }] }, { failing })).toMatchObject(expected)
  })

  it('takes over what its type does not adopt, so that a plan is empty', async () => {
    const strict = document.replaceAll(
      '    serverId: { id: id }\n',
      '    serverId: { id: id }\n    lifecycle: { adopt: false }\n',
    )
    const types = ['api_team', 'api_member'].map((type) => ({ type }))
    const report = await importing({ types }, { document: strict })
    expect(report).toMatchObject({ ...quiet, resources: [{}, {}, {}, {}] })
    expect(parse(report.text).import).toEqual([
      { to: 'api_team.red', id: { id: '7' } },
      { to: 'api_team.blue', id: { id: '8' } },
    ])
  })

  it('reports a missing object', async () => {
    const types = [{ type: 'api_setting', identity: { name: 'none' } }]
    expect(await importing({ types })).toMatchObject({ unread: [{ reason: 'absent' }], resources: [], text: '' })
  })

  it.each<[Partial<ImportRequest>, string]>([
    [{ types: [{ type: 'api_taem' }] }, 'api_team'],
    [{ provider: 'apo' }, 'api'],
    [{ where: { rome: 'a' } }, 'no type has the attribute rome'],
    [{ types: [{ type: 'api_note', identity: { name: 'x' } }] }, 'needs room=...'],
    [{ types: [{ type: 'api_setting', identity: { value: 'x' } }] }, 'is not identified by value'],
  ])('refuses %j', async (wish, message) => {
    await expect(importing(wish)).rejects.toThrow(message)
  })

  it('reports an object that changes between two reads', async () => {
    let count = 0
    const text = 'workspace: acme\nproviders: { api: { source: rest, definition: ./api.yaml } }\n'
    const send = async () => {
      count += 1
      return { status: 200, headers: {}, body: { name: 'size', value: `v${count}` } }
    }
    const { deps } = testDeps({ bundle: yaml(text, { 'api.yaml': document }), transport: () => ({ send }) })
    const types = [{ type: 'api_setting', identity: { name: 'size' } }]
    expect(await importObjects({ workspace: 'acme', types, where: {} }, deps)).toMatchObject({
      differing: [{ address: 'api_setting.size', paths: ['value'] }],
    })
  })
})

describe('a document for an import', () => {
  it.each([
    ['type: api_team }', 'type: api_none }', 'this document has no type "api_none"'],
    ['attribute: id }', 'attribute: ids }', 'api_team has no "ids"'],
  ])('is refused where its %s is %s', async (from, to, message) => {
    const text = 'workspace: acme\nproviders: { api: { source: rest, definition: ./api.yaml } }\n'
    const { deps } = testDeps({ bundle: yaml(text, { 'api.yaml': document.replace(from, to) }) })
    await expect(importObjects({ workspace: 'acme', types: [], where: {} }, deps)).rejects.toMatchObject({
      payload: { issues: [{ message, line: expect.any(Number) }] },
    })
  })
})

describe('files of this machine', () => {
  it('are written as they are', async () => {
    const machine = new URL('../../../../examples/host/machine', import.meta.url).pathname
    const text = `workspace: acme\nproviders: { host: { source: host, with: { root: "${machine}" } } }\n`
    const { deps } = testDeps({ bundle: yaml(text) })
    const types = [{ type: 'host_file', identity: { path: `${machine}/motd` } }]
    const report = await importObjects({ workspace: 'acme', types, where: {} }, deps)
    const content = readFileSync(`${machine}/motd`, 'utf8')
    expect(report).toMatchObject({ ...quiet, resources: [{ name: 'motd', spec: { path: 'motd', content } }] })
  })
})
