import { expect } from 'vitest'
import { slowResource, startSlow } from '../../builders/servers/slow-things.ts'
import { driveThings } from '../../builders/servers/things-api.ts'
import { prove } from '../prove.ts'
import { aDocument, aListedType, aThing, aType, aWorld, judge, lists } from '../world.ts'
import { aWaldurProject } from './project.ts'
import { traps } from './traps.ts'

const listed = aDocument({ thing: aListedType('size: { type: number }') })

const all = `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }
  rules: { method: GET, path: "/things/{name}/tags" }
  setRules: { method: PUT, path: "/things/{name}/rules" }
identity: { keys: [name] }
lookup: { retrieve: true }
parts:
  - { name: main, read: retrieve, attributes: { name: { in: path, required: true }, size: { type: number, computed: true } } }
  - name: rules
    read: rules
    onCreate: after
    collection: { field: tags, key: [id], element: { id: {} }, write: { op: setRules, body: "{all}" } }
`

prove(traps, {
  'create of something slow': async () => {
    await using slow = await startSlow()
    const drive = driveThings(slow, slowResource(), { a: { name: 'a', size: 1 } })
    const { plan, digest } = await drive.check()
    const apply = await drive.apply(digest, 'check')
    expect([apply.status, slow.writes()]).toEqual(['succeeded', []])
    expect(plan.commands).toMatchObject([
      { action: 'create', request: { method: 'POST', body: { name: 'a', size: 1 } }, wait: [{ ok: ['OK'] }] },
    ])
    const logged = (await drive.ledger()).filter(({ kind }) => kind === 'logged')
    expect(logged).toMatchObject([{ command: { request: { method: 'POST', body: { name: 'a', size: 1 } } } }])
  },
  'empty list as a body': async () => {
    const live = { a: { size: 1 }, 'a/tags/x': { id: 'x' } }
    await using world = await aWorld({
      document: aDocument({ thing: all }),
      resources: [aThing('a', { tags: [] })],
      live,
      server: { route: lists },
    })
    const { plan } = await world.checkAndApply()
    expect(plan.commands).toMatchObject([{ request: { method: 'PUT', body: [] } }])
    expect(world.server.writes()).toMatchObject([{ url: '/things/a/rules', body: '[]' }])
  },
  'one name in two scopes': async () => {
    const document = aDocument({
      project: aListedType('size: {}', '', 'projects'),
      thing: aListedType('project: {}'),
      user: aType(
        'project: { ref: { type: api_project, emit: id } }\nthing: { ref: { type: api_thing, emit: id, scope: { project: "{refs.project.id}" } } }',
        '',
        'users',
      ),
    })
    const user = (name: string, project: string) => ({ type: 'api_user', name, spec: { name, project, thing: 'net' } })
    const live = { 1: { id: '1', name: 'net', project: 'P' }, 2: { id: '2', name: 'net', project: 'Q' } }
    await using world = await aWorld({
      document,
      resources: [user('u', 'p'), user('v', 'q')],
      live,
      server: { route: lists },
    })
    for (const name of ['p', 'q']) {
      const id = name.toUpperCase()
      world.server.state.set(`/projects/${id}`, JSON.stringify({ id, name, size: '' }))
    }
    await world.checkAndApply()
    const sent = ['u', 'v'].map((name) => world.server.state.get(`/users/${name}`))
    expect(sent).toEqual(['{"project":"P","thing":"1"}', '{"project":"Q","thing":"2"}'])
  },
  'composite key with two matches': async () => {
    const document = listed
      .replace('keys: [name]', 'keys: [name, size]')
      .replace('match: [name]', 'match: [name, size]')
    const live = {
      1: { id: '1', name: 'a', size: 1 },
      2: { id: '2', name: 'a', size: 1 },
      3: { id: '3', name: 'a', size: 2 },
    }
    await using world = await aWorld({
      document,
      resources: [aThing('a', { size: 1 }), { ...aThing('a', { size: 2 }), name: 'other' }],
      live,
      server: { route: lists },
    })
    const { plan } = await world.check()
    expect(plan.unchecked).toMatchObject([
      { address: 'api_thing.a', reason: 'ambiguous', detail: expect.stringContaining('2') },
    ])
  },
  'a filter that the server ignores': async () => {
    const document = listed.replace('list: {}', 'list: { query: { name_exact: "{name}" } }')
    const live = { 1: { id: '1', name: 'first', size: 1 } }
    await using world = await aWorld({
      document,
      resources: [aThing('a', { size: 1 })],
      live,
      server: { route: lists },
    })
    const { plan } = await world.check()
    expect(plan.changes).toMatchObject([{ address: 'api_thing.a', action: 'create' }])
    expect(world.server.received[0]?.url).toBe('/things?name_exact=a')
  },
  'state in another spelling': async () => {
    await using slow = await startSlow({ ends: 'ERRED' })
    const wait =
      'wait: { poll: retrieve, state: state, ok: [Ok], error: [Erred], message: reason, intervalSeconds: 1, timeoutSeconds: 60 }'
    const drive = driveThings(slow, slowResource(wait), { a: { name: 'a', size: 1 } })
    const { outcomes } = await drive.apply((await drive.check()).digest)
    expect(outcomes).toMatchObject([{ status: 'failed', detail: expect.stringContaining('no quota') }])
  },
  'not found, forbidden, failed': async () => {
    const found = async (status: number) => {
      const server = { route: () => ({ status, body: '{}' }) }
      await using world = await aWorld({ resources: [aThing('a', { size: 1 })], server })
      const { changes, unchecked } = (await world.check()).plan
      return [...changes.map(({ action }) => action), ...unchecked.map(({ reason }) => reason)]
    }
    expect(await found(404)).toEqual(['create'])
    expect([await found(401), await found(403), await found(500)]).toEqual([
      ['unauthorised'],
      ['forbidden'],
      ['server_error'],
    ])
  },
  'second page of a search': async () => {
    const document = listed.replace(
      'baseUrl: "{with.baseUrl}"',
      'baseUrl: "{with.baseUrl}", pagination: { style: page, param: page, size: { param: size, value: 2 }, shortEnds: true }',
    )
    const items = ['a', 'b', 'c'].map((name) => ({ id: name, name, size: 1 }))
    const server: NonNullable<Parameters<typeof aWorld>[0]['server']> = {
      route: ({ method, url }) => {
        const { pathname, searchParams } = new URL(url, 'http://x')
        const first = (Number(searchParams.get('page') ?? 1) - 1) * 2
        if (method !== 'GET' || pathname !== '/things') return undefined
        return { status: 200, body: JSON.stringify(items.slice(first, first + 2)) }
      },
    }
    const live = Object.fromEntries(items.map((item) => [item.id, item]))
    await using world = await aWorld({ document, resources: [aThing('c', { size: 1 })], live, server })
    expect((await world.check()).plan).toMatchObject({ inSync: true, changes: [] })
  },
  'clearing an attribute': async () => {
    await using world = await aWaldurProject({ endDate: null }, { end_date: '2027-01-31' })
    const { digest } = await world.check()
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(world.waldur.written()).toMatchObject([[expect.stringMatching(/^PATCH /), { end_date: null }]])
    const { action, stored } = await judge({
      attributes: 'a: { leftOut: true }',
      desired: { a: null },
      live: { a: 'x' },
    })
    expect([action, stored]).toEqual(['update', {}])
  },
  'attribute that only an action moves': async () => {
    await using world = await aWaldurProject({ description: 'old' }, { description: 'old' })
    expect((await world.check()).plan.inSync).toBe(true)
    world.want([world.declared({ customer: 'Other', description: 'new' })])
    const { digest } = await world.check()
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(world.waldur.written().map(([line]) => line)).toEqual([
      expect.stringMatching(/^POST .*\/move_project\/$/),
      expect.stringMatching(/^PATCH \/projects\//),
    ])
    expect((await world.check()).plan.inSync).toBe(true)
  },
})
