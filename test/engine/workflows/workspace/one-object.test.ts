import { describe, expect, it } from 'vitest'
import { eachOf } from '../../../builders/long.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { oneStore } from '../../../builders/workspaces/one-store.ts'

/* Two workspaces of one deployment may describe one server in different ways. What they both manage is known by its URL. */

interface DocumentForm {
  readonly base?: string
  readonly path?: string
  readonly more?: string
  readonly list?: string
  readonly create?: string
  readonly object?: string
}

interface OtherWay
  extends Partial<Pick<Parameters<ReturnType<typeof oneStore>['put']>[1], 'more' | 'preview' | 'files'>> {
  readonly form?: DocumentForm
  readonly given?: Readonly<Record<string, string>>
}

/** Documents of zones at /acme/v1/zones, and of records that are in a zone by their path or by a value. */
const documentOf = ({
  base = '{with.baseUrl}',
  path = '/acme/v1',
  more = '',
  list = '',
  create = '',
  object = '',
}: DocumentForm): string => `
provider: { id: api, baseUrl: "${base}", with: { baseUrl: {}, tenant: {} }${more} }
resources:
  api_zone:
    operations:
      list: { method: GET, path: "${path}/zones"${list} }
      retrieve: { method: GET, path: "${path}/zones/{id}"${object} }
      create: { method: POST, path: "${path}/zones"${create}, produces: { id: id } }
      update: { method: PATCH, path: "${path}/zones/{id}" }
      delete: { method: DELETE, path: "${path}/zones/{id}"${object} }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, ttl: { type: number } } }]
  api_record:
    operations:
      retrieve: { method: GET, path: "${path}/zones/{zone}/records/{name}" }
      create: { method: PUT, path: "${path}/zones/{zone}/records/{name}" }
      delete: { method: DELETE, path: "${path}/zones/{zone}/records/{name}" }
    identity: { keys: [zone, name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: create }
        attributes: { zone: { in: path, refersTo: { type: api_zone, attribute: id } }, name: { in: path }, ttl: { type: number } }
  api_disk:
    operations:
      list: { method: GET, path: "${path}/disks" }
      retrieve: { method: GET, path: "${path}/disks/{id}" }
      create: { method: POST, path: "${path}/disks", produces: { id: id } }
      delete: { method: DELETE, path: "${path}/disks/{id}" }
    identity: { keys: [zone, name] }
    serverId: { id: id }
    lookup: { list: {}, match: [zone, name] }
    parts:
      - name: main
        read: retrieve
        write: { op: create }
        attributes: { zone: { refersTo: { type: api_zone, attribute: id }, immutable: true }, name: {} }
`

const start = async () => {
  const server = await startThings({
    route: ({ method, url }, state) => {
      const path = url.split('?')[0] ?? ''
      if (method !== 'GET' || !/\/(zones|disks)$/.test(path)) return undefined
      const own = [...state].filter(([key]) => key.startsWith(`${path}/`) && !key.includes('/records/'))
      return { status: 200, body: `[${own.map(([, text]) => text).join(',')}]` }
    },
  })
  const store = oneStore()
  const put = (workspace: string, resources: string, { form = {}, given = {}, ...rest }: OtherWay = {}) =>
    store.put(workspace, {
      document: documentOf(form),
      given: { baseUrl: server.url, tenant: 'acme', ...given },
      resources,
      ...rest,
    })
  return { ...store, server, put, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

type World = Awaited<ReturnType<typeof start>>

const zone = (name: string): string => `{ type: api_zone, name: ${name}, spec: { name: shared, ttl: 1 } }`

/** Both manage it, and one of them lets go. */
const play = async (world: World, one: OtherWay, other: (url: string) => OtherWay) => {
  const theirs = other(world.server.url)
  await world.put('wa', zone('a'), one)
  await world.apply('wa')
  await world.put('wb', zone('b'), theirs)
  const { notes, error } = await world.check('wb')
  await world.put('wb', '', { ...theirs, more: 'orphans: delete' })
  const { changes } = await world.check('wb')
  return { notes: notes.filter((note) => note.includes('same object')), error, changes }
}

const header = ', headers: { X-Tenant: "{with.tenant}" }'

describe('an object that two workspaces manage', () => {
  eachOf(
    it,
    5,
  )<[string, OtherWay, (url: string) => OtherWay]>([
    [
      'with a part of the path in the base URL',
      {},
      (url) => ({ given: { baseUrl: `${url}/acme/v1` }, form: { path: '' } }),
    ],
    ['with all of the path in the base URL', {}, (url) => ({ form: { base: `${url}/acme`, path: '/v1' } })],
    ['with a slash at the end', {}, (url) => ({ given: { baseUrl: `${url}/` } })],
    ['in upper case', {}, (url) => ({ given: { baseUrl: url.replace('http://127.0.0.1', 'HTTP://LOCALHOST') } })],
    ['with a tenant that is a setting in the path', {}, () => ({ form: { path: '/{with.tenant}/v1' } })],
    [
      'with a tenant that is a setting in the base URL',
      {},
      () => ({ form: { base: '{with.baseUrl}/{with.tenant}/v1', path: '' } }),
    ],
    [
      'with a setting that only a create has',
      { form: { create: ', query: { label: "{with.tenant}" }' } },
      () => ({ form: { create: ', query: { label: "{with.tenant}" }' }, given: { tenant: 'other' } }),
    ],
    [
      'with another filter of a list',
      { form: { list: ', query: { label: "{with.tenant}" }' } },
      () => ({ form: { list: ', query: { label: "{with.tenant}" }' }, given: { tenant: 'other' } }),
    ],
    ['with a tenant that only one of them names', { form: { more: header } }, () => ({})],
    [
      'with a tenant that one of them writes into the document',
      { form: { more: header } },
      () => ({ form: { more: ', headers: { X-Tenant: acme }' } }),
    ],
  ])('is told and stays where one of them describes the server %s', async (_, one, other) => {
    await using world = await start()
    expect(await play(world, one, other)).toEqual({
      notes: [expect.stringContaining('the same object as api_zone.a of the workspace wa')],
      error: undefined,
      changes: ['held api_zone.b'],
    })
  })

  it.each<[string, DocumentForm]>([
    ['a header', { more: header }],
    ['the query of its requests', { object: ', query: { tenant: "{with.tenant}" }' }],
  ])('is two where both name a tenant in %s, and not the same one', async (_, form) => {
    await using world = await start()
    const found = await play(world, { form }, () => ({ form, given: { tenant: 'other' } }))
    expect(found).toEqual({ notes: [], error: undefined, changes: ['delete api_zone.b'] })
  })
})

describe('a container in which another workspace has an object', () => {
  it.each([
    ['as the path says', '{ type: api_record, name: r, spec: { zone: "1", name: www, ttl: 1 } }', 'api_record.r'],
    ['as only a value says', '{ type: api_disk, name: d, spec: { zone: "1", name: www } }', 'api_disk.d'],
  ])('is not deleted as long as that one declares it, %s', async (_, inner, address) => {
    await using world = await start()
    await world.put('wa', zone('a'))
    await world.apply('wa')
    const form = { base: '{with.baseUrl}/acme', path: '/v1' }
    await world.put('wb', inner, { form })
    await world.apply('wb')
    expect((await world.check('wb')).notes).toEqual([])
    await world.put('wa', '', { more: 'orphans: delete' })
    const { changes, details } = await world.check('wa')
    expect({ changes, details }).toEqual({
      changes: ['held api_zone.a'],
      details: [expect.stringContaining(`wb manages ${address}, which is in it`)],
    })
    await world.put('wb', '', { form, more: `removed: [{ address: ${address}, reason: over }]` })
    await world.check('wb')
    expect((await world.check('wa')).changes).toEqual(['delete api_zone.a'])
  })

  it('is not deleted as long as a preview has something in it', async () => {
    await using world = await start()
    await world.put('wa', zone('a'))
    await world.apply('wa')
    const inner = '{ type: api_record, name: r, spec: { zone: "1", name: www, ttl: 1 } }'
    await world.put('wb', inner)
    await world.put('wb', inner, {
      preview: { branch: 'x', overlay: 'plumbline.preview.yaml' },
      files: {
        'plumbline.preview.yaml': 'rename: [{ address: "api_record.*", attribute: name, to: "${value}-${slug}" }]',
      },
    })
    await world.apply('wb--x')
    expect([...world.server.state.keys()]).toContain('/acme/v1/zones/1/records/www-x')
    await world.put('wa', '', { more: 'orphans: delete' })
    const { changes, details } = await world.check('wa')
    expect([changes, details]).toEqual([['held api_zone.a'], [expect.stringContaining('wb--x manages api_record.r')]])
  })
})
