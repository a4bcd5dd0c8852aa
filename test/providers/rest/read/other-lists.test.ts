import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

/* Lists that are not lists of the objects themselves: of texts, of other objects, and below a parent that only a request names. */

const documentOf = (resource: string) => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_thing:
${resource.replace(/^\n/, '').replaceAll(/^/gm, '    ')}
`

describe('a list of texts', () => {
  const tokens = (lookup: string) =>
    documentOf(`
operations:
  list: { method: GET, path: /tokens }
  create: { method: PUT, path: "/tokens/{name}", body: none }
  delete: { method: DELETE, path: "/tokens/{name}" }
identity: { keys: [name] }
lookup: { list: { ${lookup} }, match: [name] }
discover: { ${lookup} }
parts:
  - { name: main, read: list, attributes: { name: { in: path } } }
`)
  const specs = ['a', 'c'].map((name): JsonObject => ({ type: 'api_thing', name, spec: { name } }))

  const check = async (lookup: string, answer: Json) => {
    await using server = await startThings({
      route: ({ url, method }) =>
        url === '/tokens' && method === 'GET' ? { status: 200, body: JSON.stringify(answer) } : undefined,
    })
    const { plan } = await driveDocument(server, tokens(lookup), specs, {}, { unmanaged: 'report' }).check()
    return plan
  }

  it('has its objects, and those that nobody declares', async () => {
    const plan = await check('plain: name', ['a', 'b'])
    expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual(['create api_thing.c'])
    expect(plan.unmanaged?.map(({ identity }) => identity)).toEqual([{ name: 'b' }])
  })

  it.each<[string, Json, string]>([
    ['plain: name', ['a', { name: 'b' }], 'a list whose elements are not all texts or numbers'],
    ['plain: name', ['a', null], 'a list whose elements are not all texts or numbers'],
    ['', ['a'], 'a list whose elements are not all objects (`plain` is for lists of texts)'],
  ])('proves nothing where an item is of another kind: %s, %j', async (lookup, answer, words) => {
    const plan = await check(lookup, answer)
    expect(plan.changes).toEqual([])
    expect(plan.unchecked.map(({ reason }) => reason)).toEqual(['bad_body', 'bad_body', 'bad_body'])
    expect(plan.unchecked[0]?.detail).toContain(words)
  })
})

describe('objects below a parent that only requests name', () => {
  const records = documentOf(`
operations:
  search: { method: POST, effect: read, path: /search, body: { zone: "{zone}" } }
  retrieve: { method: GET, path: "/records/{id}" }
  create: { method: POST, path: /records, body: { zone: "{zone}", "...": "{fields}" }, produces: { id: id } }
  update: { method: PATCH, path: "/records/{id}" }
  delete: { method: DELETE, path: "/records/{id}" }
identity: { keys: [zone, name] }
serverId: { id: id }
lookup: { list: { op: search, items: hits }, match: [name], at: { name: doc.name }, ids: { id: doc.id }, follow: retrieve }
discover: { op: search, items: hits, at: { name: doc.name }, ids: { id: doc.id }, where: { kind: record }, whereNot: { doc.archived: true } }
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes: { zone: { in: path }, name: { immutable: true }, value: {} }
`)

  it('are found, made and listed within it', async () => {
    const all: Record<string, JsonObject[]> = {
      z1: [
        { id: 1, name: 'www', value: 'a' },
        { id: 2, name: 'old', value: 'x', archived: true },
        { id: 3, name: 'mail', value: 'm' },
      ],
      z2: [{ id: 4, name: 'www', value: 'b' }],
    }
    await using server = await startThings({
      route: ({ method, url, body }) => {
        const asked = body === '' ? {} : (JSON.parse(body) as { zone?: string })
        const there = Object.values(all).flat()
        if (url === '/search') {
          const hits = (all[asked.zone ?? ''] ?? []).map((doc) => ({ kind: doc['id'] === 3 ? 'alias' : 'record', doc }))
          return { status: 200, body: JSON.stringify({ hits }) }
        }
        if (method === 'POST') {
          const { zone = '', ...made } = asked
          all[zone]?.push({ id: 10, ...made })
          return { status: 201, body: JSON.stringify({ id: 10, ...made }) }
        }
        const found = there.find(({ id }) => url === `/records/${String(id)}`)
        if (found === undefined) return undefined
        if (method === 'PATCH') Object.assign(found, asked)
        return { status: 200, body: JSON.stringify(found) }
      },
    })
    const drive = driveDocument(
      server,
      records,
      [
        { type: 'api_thing', name: 'www', spec: { zone: 'z1', name: 'www', value: 'new' } },
        { type: 'api_thing', name: 'ftp', spec: { zone: 'z2', name: 'ftp', value: 'f' } },
      ],
      {},
      { unmanaged: 'report' },
    )
    const { digest, plan } = await drive.check()
    // What is archived, or of another kind, is none of them.
    expect(plan.unmanaged?.map(({ identity }) => identity)).toEqual([{ zone: 'z2', name: 'www' }])
    expect((await drive.apply(digest)).status).toBe('succeeded')
    expect(server.lines().filter(([line]) => line !== 'POST /search')).toEqual([
      ['POST /records', { zone: 'z2', name: 'ftp', value: 'f' }],
      ['PATCH /records/1', { value: 'new' }],
    ])
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it.each([
    ['an attribute that a body has', 'zone: { immutable: true }'],
    ['a variable that may be missing', 'zone: { in: path }'],
  ])('need a key that the list is asked for: %s', (what, zone) => {
    const text = records.replace('zone: { in: path }', zone)
    const asked = what.startsWith('a variable')
      ? text.replace('body: { zone: "{zone}" }', 'body: { zone: "{zone?}" }')
      : text
    const configured = configureText(asked, { baseUrl: 'http://api.test' })
    expect(configured.ok ? '' : configured.issues[0]?.message).toBe(
      'the identity key "zone" is neither matched nor in the path of the list',
    )
  })
})

describe('a filter with quotes', () => {
  const filtered = documentOf(`
operations:
  list: { method: GET, path: /things, query: { filter: "name eq '{name}'", raw: "{name}" }, escape: { "'": "''" } }
  search: { method: POST, effect: read, path: /search, escape: { "\\"": "\\\\\\"", "\\\\": "\\\\\\\\" }, body: { q: "name:\\"{name}\\"" } }
  create: { method: POST, path: /things }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
lifecycle: { preventDelete: true }
parts:
  - { name: main, read: list, attributes: { name: { immutable: true } } }
`)
  const name = `O'Neil "x" \\`

  it.each([
    ['in a query', filtered, '/things', `name eq 'O''Neil "x" \\'`, ''],
    [
      'in a body',
      filtered.replace('lookup: { list: {}', 'lookup: { list: { op: search }').replace('read: list', 'read: search'),
      '/search',
      null,
      JSON.stringify({ q: 'name:"O\'Neil \\"x\\" \\\\"' }),
    ],
  ])('has the name escaped %s', async (_, document, path, filter, body) => {
    await using server = await startThings({
      route: ({ url }) => (url.startsWith(path) ? { status: 200, body: JSON.stringify([{ name }]) } : undefined),
    })
    const drive = driveDocument(server, document, [{ type: 'api_thing', name: 'one', spec: { name } }])
    expect((await drive.check()).plan.inSync).toBe(true)
    const [asked] = server.received
    expect(asked?.body).toBe(body)
    const { searchParams } = new URL(asked?.url ?? '', server.url)
    expect([searchParams.get('filter'), searchParams.get('raw')]).toEqual([filter, filter && name])
  })
})
