import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* An API that encloses whatever it answers, and leaves an empty list out. */

const documentOf = (facts: string, reads = '') => `
provider:
  id: api
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {} }
  envelope: { answer: result.payload, body: { input: "{fields}" } }
  sight: { read: { method: GET, path: /me }, sees: [{ place: staff, is: [true] }] }
  me: { read: { method: GET, path: /me }, as: { id: id } }
  ${reads}
resources:
  api_group:
    operations:
      list: { method: GET, path: /groups, query: { owner: "{me.id}" } }
      retrieve: { method: GET, path: "/groups/{id}" }
      create: { method: POST, path: /groups, produces: { id: id } }
      delete: { method: DELETE, path: "/groups/{id}" }
      add: { method: PUT, path: "/groups/{id}/members/{key.user}" }
      remove: { method: DELETE, path: "/groups/{id}/members/{key.user}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: { items: items }, match: [name], follow: retrieve }
    discover: { items: items }
    parts:
      - { name: main, read: retrieve, attributes: { name: { immutable: true } } }
      - name: members
        read: retrieve
        onCreate: after
        collection:
          field: members
          key: [user]
          ${facts}
          element: { user: {}, level: { type: number, immutable: true } }
          write: { each: { create: add, remove: remove } }
`

interface Group extends JsonObject {
  readonly id: number
  readonly name: string
  readonly members?: JsonObject[]
}

const startGroups = async (document: string, isStaff = true) => {
  const groups: Group[] = [{ id: 1, name: 'other' }]
  const answer = (payload: Json, status = 200) => ({ status, body: JSON.stringify({ result: { payload } }) })
  const server = await startThings({
    route: ({ method, url, body }) => {
      const input = body === '' ? {} : (JSON.parse(body) as { input: JsonObject }).input
      if (url === '/me') return answer({ id: 'u1', staff: isStaff })
      if (method === 'GET' && url === '/groups?owner=u1') return answer({ items: groups })
      if (method === 'POST') {
        groups.push({ id: 10 + groups.length, name: 'x', ...input })
        return answer(groups.at(-1) ?? null, 201)
      }
      const [, id, user] = /^\/groups\/(\d+)(?:\/members\/(\w+))?$/.exec(url) ?? []
      const at = groups.findIndex((group) => group.id === Number(id))
      const group = groups[at]
      if (group === undefined) return answer(null, 404)
      if (method === 'GET') return answer(group)
      const { members = [], ...rest } = group
      const others = members.filter((member) => member['user'] !== user)
      const next = method === 'PUT' ? [...others, input] : others
      groups[at] = next.length === 0 ? rest : { ...rest, members: next }
      return answer({})
    },
  })
  const drive = driveDocument(
    server,
    document,
    [{ type: 'api_group', name: 'ops', spec: { name: 'ops', members: [{ user: 'alice', level: 1 }] } }],
    {},
    { unmanaged: 'report' },
  )
  return { ...drive, server, groups, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('an envelope', () => {
  it('is around all answers: who the caller is and what it sees, ids of a create, lists and what they show', async () => {
    await using world = await startGroups(documentOf('default: []'))
    const { digest, plan } = await world.check()
    expect(plan.unmanaged?.map(({ identity }) => identity)).toEqual([{ name: 'other' }])
    expect((await world.apply(digest)).status).toBe('succeeded')
    expect(world.server.lines()).toEqual([
      ['POST /groups', { input: { name: 'ops' } }],
      ['PUT /groups/11/members/alice', { input: { user: 'alice', level: 1 } }],
    ])
    expect((await world.check()).plan.inSync).toBe(true)
  })

  it('is around what tells that the caller sees too little', async () => {
    await using world = await startGroups(documentOf('default: []'), false)
    const { plan } = await world.check()
    expect([plan.changes, plan.unchecked.map(({ reason }) => reason)]).toEqual([[], ['out_of_sight']])
  })
})

describe('a collection whose empty list is left out', () => {
  it.each([
    ['a default', documentOf('default: []')],
    ['a fact of its own', documentOf('leftOut: true')],
    ['a fact of the API', documentOf('', 'reads: { leftOut: true }')],
  ])('is empty, also where it was not before: %s', async (_, document) => {
    await using world = await startGroups(document)
    await world.apply((await world.check()).digest)
    world.groups[1] = { id: 11, name: 'ops' }
    const { plan, digest } = await world.check()
    expect(plan.commands.map(({ request: { method } }) => method)).toEqual(['PUT'])
    expect((await world.apply(digest)).status).toBe('succeeded')
    expect((await world.check()).plan.inSync).toBe(true)
  })

  it('is unknown where the document does not say so', async () => {
    await using world = await startGroups(documentOf(''))
    world.groups.push({ id: 2, name: 'ops' })
    const { plan } = await world.check()
    expect([plan.changes, plan.unchecked.map(({ reason }) => reason)]).toEqual([[], ['bad_body']])
  })
})
