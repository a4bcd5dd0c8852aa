import { describe, expect, it } from 'vitest'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* Whatever a reference was sent and shown as means the same object again. */

const teams = [
  { id: 7, slug: 'team-a', name: 'Team A', url: 'http://inside.test:8000/teams/7/', path: '/teams/7/' },
  { id: 8, slug: 'team-b', name: 'Team B', url: 'http://inside.test:8000/teams/8/', path: '/teams/8/' },
]

const document = (emit: string, team: string) => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resolvers:
  found: { list: { method: GET, path: /teams, query: { name: "{value}" } } }
resources:
  api_team:
    operations:
      list: { method: GET, path: /teams, query: { name: "{name}" } }
      all: { method: GET, path: /teams }
      byName: { method: GET, path: "/teams/by-name/{name}" }
    identity: { keys: [name] }
${team}
    lifecycle: { mode: reference }
    parts: [{ name: main, read: ${team.includes('byName') ? 'byName' : 'list'}, attributes: { name: {} } }]
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PUT, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: full }
        attributes:
          name: { in: path }
          team: { ref: { ${team.includes('resolver') ? 'resolver: found' : 'type: api_team'}, emit: ${emit} } }
`

const ways = {
  'a list by name': '    lookup: { list: {}, match: [name] }',
  'a read by name, and a list of all': '    lookup: { retrieve: byName }\n    discover: { op: all }',
  'a resolver': '    lookup: { list: {}, match: [name] } # resolver',
}

/** Filters by name, as servers do. */
const aServer = () =>
  startThings({
    route: ({ url }) => {
      const { pathname, searchParams } = new URL(url, 'http://x')
      if (!pathname.startsWith('/teams')) return undefined
      const named = pathname.split('/by-name/')[1]
      if (named !== undefined) {
        const team = teams.find(({ name }) => name === decodeURIComponent(named))
        return team === undefined ? { status: 404, body: '{}' } : { status: 200, body: JSON.stringify(team) }
      }
      const wanted = searchParams.get('name')
      return { status: 200, body: JSON.stringify(teams.filter(({ name }) => wanted === null || name === wanted)) }
    },
  })

describe.each(Object.entries(ways))('a reference that is found by %s', (_, team) => {
  eachOf(it, 2)(['id', 'slug', 'name', 'url', 'path'] as const)('recognises the %s that it wrote', async (emit) => {
    await using server = await aServer()
    const thing = (value: string) => [{ type: 'api_thing', name: 'one', spec: { name: 'one', team: value } }]
    const it = driveDocument(server, document(emit, team), thing('Team A'))
    const first = await it.check()
    expect(first.plan.unchecked).toEqual([])
    expect(await it.apply(first.digest)).toMatchObject({ status: 'succeeded' })
    const emitted = (JSON.parse(server.state.get('/things/one') ?? '{}') as { team: string }).team
    expect(String(emitted)).toBe(String(teams[0]?.[emit]))
    it.want(thing(String(emitted)))
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    it.want([])
    expect(await it.apply((await it.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.state.size).toBe(0)
    expect(server.received.every(({ headers }) => headers.host?.startsWith('127.0.0.1'))).toBe(true)
  })
})

describe('a reference', () => {
  it('stays unchecked for a URL of another host that no object shows', async () => {
    await using server = await aServer()
    const it = driveDocument(server, document('url', ways['a list by name']), [
      { type: 'api_thing', name: 'one', spec: { name: 'one', team: 'http://inside.test:8000/teams/9/' } },
    ])
    expect((await it.check()).plan.unchecked).toMatchObject([{ reason: 'unresolved' }])
  })
})
