import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { driveDocument, startThings, type ThingsOptions } from '../../../builders/servers/things-api.ts'

/* A reference to an object of the same plan, by its name. */

const document = (emit = 'id', scope = '{ team: "{refs.team.id}" }') => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_team:
    operations:
      list: { method: GET, path: /teams }
      create: { method: POST, path: /teams, produces: { id: id } }
      update: { method: PATCH, path: "/teams/{id}" }
      delete: { method: DELETE, path: "/teams/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { onImmutable: replace }
    parts:
      - name: main
        read: list
        write: { op: update }
        attributes:
          name: {}
          region: { immutable: true }
          owner: { ref: { type: api_thing, emit: id } }
  api_project:
    operations:
      list: { method: GET, path: /projects, query: { team: "{refs.team.id}" } }
      create: { method: POST, path: /projects }
      delete: { method: DELETE, path: "/projects/{id}" }
    identity: { keys: [team, name] }
    lookup: { list: {}, match: [team, name] }
    serverId: { id: id }
    parts:
      - name: main
        read: list
        attributes:
          team: { immutable: true, ref: { type: api_team, emit: ${emit} } }
          name: { immutable: true }
  api_thing:
    operations:
      list: { method: GET, path: /things }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts:
      - name: main
        read: list
        write: { op: update }
        attributes:
          name: {}
          team: { ref: { type: api_team, emit: ${emit} } }
          teams: { type: set, element: { ref: { type: api_team, emit: ${emit} } } }
          project: { ref: { type: api_project, emit: id, by: name, scope: ${scope} } }
`

/** Lists collections; ids, slugs and URLs are the server's own. */
const aServer = (options: ThingsOptions = {}) => {
  let made = 40
  return startThings({
    ...options,
    route: ({ method, url, body }, state) => {
      const { pathname, searchParams } = new URL(url, 'http://x')
      if (!/^\/\w+$/.test(pathname)) return undefined
      if (method === 'POST') {
        made += 1
        const path = `${pathname}/${made}`
        const object = { id: made, slug: `s-${made}`, self: { href: path }, ...(JSON.parse(body) as JsonObject) }
        state.set(path, JSON.stringify(object))
        return { status: 201, body: JSON.stringify({ id: made }) }
      }
      const all = [...state].filter(([path]) => path.startsWith(`${pathname}/`)).map(([, text]) => JSON.parse(text))
      const team = searchParams.get('team')
      return { status: 200, body: JSON.stringify(all.filter((each) => team === null || String(each.team) === team)) }
    },
  })
}

const team = (label: string, more: JsonObject = {}) => ({
  type: 'api_team',
  name: label,
  spec: { name: 'Team A', region: 'eu', ...more },
})
const thing = (spec: JsonObject) => ({ type: 'api_thing', name: 'one', spec: { name: 'one', ...spec } })
const project = (label: string, spec: JsonObject) => ({ type: 'api_project', name: label, spec })

const stored = (server: { readonly state: ReadonlyMap<string, string> }, kind: string): JsonObject[] =>
  [...server.state].filter(([path]) => path.startsWith(`/${kind}/`)).map(([, text]) => JSON.parse(text) as JsonObject)

describe('the name of an object that the same plan creates', () => {
  eachOf(
    it,
    2,
  )([
    ['id', 41],
    ['slug', 's-41'],
    ['self.href', '/teams/41'],
    ['name', 'Team A'],
  ])('is sent as the %s that the object gets', async (emit, expected) => {
    await using server = await aServer()
    const wanted = [thing({ team: 'Team A', teams: ['Team A'] }), team('a')]
    const it = driveDocument(server, document(emit), wanted)
    const { plan, digest } = await it.check()
    expect(plan.unchecked).toEqual([])
    expect(plan.commands.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['api_team.a#1', []],
      ['api_thing.one#1', ['api_team.a#1']],
    ])
    expect(await it.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(stored(server, 'things')).toMatchObject([{ team: expected, teams: [expected] }])
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    it.want([])
    const left = await it.check()
    expect(left.plan.changes.map(({ address }) => address)).toEqual(['api_thing.one', 'api_team.a'])
    expect(await it.apply(left.digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.size).toBe(0)
  })

  it('is found within a scope that the same plan creates', async () => {
    await using server = await aServer()
    const wanted = [
      thing({ team: 'Team A', project: 'web' }),
      project('web', { team: 'Team A', name: 'web' }),
      team('a'),
    ]
    const it = driveDocument(server, document(), wanted)
    const { plan, digest } = await it.check()
    expect(plan.unchecked).toEqual([])
    expect(await it.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(stored(server, 'projects')).toMatchObject([{ id: 42, team: 41, name: 'web' }])
    expect(stored(server, 'things')).toMatchObject([{ team: 41, project: 42 }])
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('means the object within the scope, where both scopes are known', async () => {
    await using server = await aServer()
    server.state.set('/teams/1', JSON.stringify({ id: 1, name: 'Team A', region: 'eu' }))
    server.state.set('/teams/2', JSON.stringify({ id: 2, name: 'Team B', region: 'eu' }))
    const wanted = [
      project('other', { team: 'Team B', name: 'web' }),
      project('web', { team: 'Team A', name: 'web' }),
      thing({ team: 'Team A', project: 'web' }),
    ]
    const it = driveDocument(server, document(), wanted)
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    const mine = stored(server, 'projects').find((each) => each['team'] === 1)
    expect(stored(server, 'things')).toMatchObject([{ team: 1, project: mine?.['id'] }])
  })

  it.each([
    [
      'of two that are declared',
      [
        team('a'),
        { ...team('b'), spec: { name: 'Team B', region: 'eu' } },
        project('web', { team: 'Team A', name: 'web' }),
        project('other', { team: 'Team B', name: 'web' }),
      ],
      { project: 'web' },
      /api_project\.web and api_project\.other/,
    ],
    [
      'within a scope that cannot be compared',
      [team('a'), project('web', { team: 'Team A', name: 'web' })],
      { project: 'web' },
      /whether api_project\.web is within level, team is unknown/,
    ],
  ])('is never guessed: %s', async (_, declared, spec, detail) => {
    await using server = await aServer()
    const it = driveDocument(server, document('id', '{ level: "1", team: "" }'), [...declared, thing(spec)])
    const { plan } = await it.check()
    expect(plan.unchecked).toContainEqual(
      expect.objectContaining({ address: 'api_thing.one', detail: expect.stringMatching(detail) }),
    )
    expect(plan.commands.filter(({ address }) => address === 'api_thing.one')).toEqual([])
  })

  it('is not found where the object must not exist, or is of another provider', async () => {
    await using server = await aServer()
    const it = driveDocument(server, document(), [{ ...team('a'), absent: true }, thing({ team: 'Team A' })])
    expect((await it.check()).plan.unchecked).toMatchObject([{ address: 'api_thing.one', reason: 'unresolved' }])
  })

  it('does not order two resources that would wait for each other', async () => {
    await using server = await aServer()
    const it = driveDocument(server, document(), [team('a', { owner: 'one' }), thing({ team: 'Team A' })])
    const { plan } = await it.check()
    expect(plan.unchecked).toMatchObject([
      { address: 'api_team.a', reason: 'unresolved' },
      { address: 'api_thing.one', reason: 'unresolved' },
    ])
    server.state.set('/teams/1', JSON.stringify({ id: 1, name: 'Team A', region: 'eu', owner: 2 }))
    server.state.set('/things/2', JSON.stringify({ id: 2, name: 'one', team: 1 }))
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })
})

describe('the name of an object that changes', () => {
  const both = (name: string, region = 'eu') => [{ ...team('a'), spec: { name, region } }, thing({ team: name })]

  it('means the object that gets the name', long, async () => {
    await using server = await aServer()
    const it = driveDocument(server, document(), both('Team A'))
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    it.want(both('Team B'))
    const { plan, digest } = await it.check()
    expect(plan.unchecked).toEqual([])
    expect(plan.changes).toMatchObject([{ address: 'api_team.a', action: 'update' }])
    expect(await it.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('means the object that replaces the former one', long, async () => {
    await using server = await aServer()
    const it = driveDocument(server, document(), both('Team A'))
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    it.want(both('Team A', 'us'))
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    const [made] = stored(server, 'teams')
    expect(made).toMatchObject({ region: 'us' })
    expect(stored(server, 'things')).toMatchObject([{ team: made?.['id'] }])
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })
})
