import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* Maps whose keys are ids of objects that the same plan creates. */
const documentOf = (method: string, write: string, facts = 'type: map, element: {}') => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_user:
    operations:
      list: { method: GET, path: /users }
      retrieve: { method: GET, path: "/users/{id}" }
      create: { method: POST, path: /users, produces: { id: id } }
      delete: { method: DELETE, path: "/users/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts: [{ name: main, read: retrieve, attributes: { name: { required: true, immutable: true } } }]
  api_team:
    operations:
      retrieve: { method: GET, path: "/teams/{name}" }
      create: { method: PUT, path: "/teams/{name}" }
      update: { method: ${method}, path: "/teams/{name}" }
      delete: { method: DELETE, path: "/teams/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, ${write} }
        attributes: { name: { required: true, immutable: true }, members: { ${facts} } }
`

const aServer = async () => {
  const users: { id: string; name: string }[] = []
  const server = await startThings({
    route: ({ method, url, body }) => {
      if (!url.startsWith('/users')) return undefined
      const ok = (value: unknown) => ({ status: 200, body: JSON.stringify(value) })
      const id = url.split('/')[2]
      if (method === 'POST') {
        const { name } = JSON.parse(body) as { name: string }
        return ok(users[users.push({ id: `u${users.length + 1}`, name }) - 1])
      }
      const one = users.find((each) => each.id === id)
      return id === undefined ? ok(users) : one === undefined ? { status: 404, body: '{}' } : ok(one)
    },
  })
  return Object.assign(server, { users })
}

const user = (name: string): JsonObject => ({ type: 'api_user', name, spec: { name } })
const team = (members: JsonObject): JsonObject => ({ type: 'api_team', name: 'team', spec: { name: 'team', members } })
const resources = [
  user('ada'),
  user('bob'),
  team({ known: 'guest', '${resource.api_user.ada.id}': 'admin', 'n-${resource.api_user.bob.id}': 'member' }),
]
const members = { known: 'guest', u1: 'admin', 'n-u2': 'member' }

const ways: readonly [string, string, string][] = [
  ['changed', 'PATCH', 'send: changed'],
  ['full', 'PUT', 'send: full'],
  ['object', 'PUT', 'send: object'],
  ['mergePatch', 'PATCH', 'send: mergePatch'],
  ['jsonPatch', 'PATCH', 'send: jsonPatch'],
]

describe('keys of a map that are ids which the same plan makes', () => {
  eachOf(it, 3)(ways)('are sent at the first apply, into what is there: %s', async (_, method, write) => {
    await using server = await aServer()
    server.state.set('/teams/team', '{"name":"team","own":1,"members":{"old":"admin","known":"guest"}}')
    const drive = driveDocument(server, documentOf(method, write), resources)
    const { digest, plan } = await drive.check()
    expect(plan.unchecked).toEqual([])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/teams/team') ?? '')).toEqual({ name: 'team', own: 1, members })
    expect((await drive.check()).plan.inSync).toBe(true)
    expect(server.writes()).toHaveLength(3)
  })

  it.each(ways)('are sent with a new object: %s', async (_, method, write) => {
    await using server = await aServer()
    const drive = driveDocument(server, documentOf(method, write), resources)
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/teams/team') ?? '')).toEqual({ name: 'team', members })
    expect((await drive.check()).plan.inSync).toBe(true)
  })
})

const taken = team({ u1: 'guest', '${resource.api_user.ada.id}': 'admin' })

describe('a key that the same plan makes', () => {
  it('is sent as the key of a pair', async () => {
    await using server = await aServer()
    const facts = 'type: map, element: {}, pairs: { key: user, value: role }'
    const drive = driveDocument(server, documentOf('PUT', 'send: full', facts), resources)
    server.state.set('/teams/team', '{"name":"team","members":[{"user":"known","role":"guest","own":1}]}')
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/teams/team') ?? '')).toEqual({
      name: 'team',
      members: [
        { user: 'known', role: 'guest', own: 1 },
        { user: 'u1', role: 'admin' },
        { user: 'n-u2', role: 'member' },
      ],
    })
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('is shown by what makes it, beside what goes', async () => {
    await using server = await aServer()
    server.state.set('/teams/team', '{"name":"team","members":{"old":"admin","known":"guest"}}')
    const { plan } = await driveDocument(server, documentOf('PATCH', 'send: jsonPatch'), resources).check()
    const change = plan.changes.find(({ address }) => address === 'api_team.team')
    expect(change?.causes.map(({ path }) => path.join(' / '))).toEqual([
      'members / (known after apply: api_user.ada /id)',
      'members / n-(known after apply: api_user.bob /id)',
      'members / old',
    ])
  })

  it('overwrites no other key: the apply stops before it', async () => {
    await using server = await aServer()
    server.state.set('/teams/team', '{"name":"team","members":{}}')
    const drive = driveDocument(server, documentOf('PUT', 'send: full'), [user('ada'), taken])
    expect(await drive.apply((await drive.check()).digest)).not.toMatchObject({ status: 'succeeded' })
    expect(server.state.get('/teams/team')).toBe('{"name":"team","members":{}}')
  })

  it('is refused in a text that is JSON', async () => {
    await using server = await aServer()
    server.state.set('/teams/team', '{"name":"team","members":"{}"}')
    const drive = driveDocument(server, documentOf('PUT', 'send: full', 'type: any, as: json'), resources)
    const { plan } = await drive.check()
    expect(JSON.stringify(plan)).toContain('cannot be a part of a text')
    expect(plan.commands.map(({ address }) => address)).toEqual(['api_user.ada', 'api_user.bob'])
  })

  it('is not what a target or a file only writes like one', async () => {
    await using server = await aServer()
    const like = '(known after apply: api_user.ada /id)'
    server.state.set(
      '/teams/team',
      JSON.stringify({ name: 'team', members: { [like]: 'x', old: 'y' }, own: { [like]: 1 } }),
    )
    const wanted = { ...team({ [like]: 'x', new: 'z' }), dependsOn: ['api_user.ada'] }
    const drive = driveDocument(server, documentOf('PUT', 'send: full'), [user('ada'), wanted])
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/teams/team') ?? '')).toEqual({
      name: 'team',
      members: { [like]: 'x', new: 'z' },
      own: { [like]: 1 },
    })
  })
})
