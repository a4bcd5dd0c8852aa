import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'

/* Lists of texts, each of which is granted and revoked by a request of its own. */

const calls = `      grant: { method: PUT, path: "/groups/{name}/members/{el.user}", body: none }
      revoke: { method: DELETE, path: "/groups/{name}/members/{key.user}" }
`

const document = (facts: string, write = '{ each: { create: grant, remove: revoke } }') => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_group:
    operations:
      retrieve: { method: GET, path: "/groups/{name}" }
      create: { method: PUT, path: "/groups/{name}" }
      members: { method: GET, path: "/groups/{name}/members" }
      replace: { method: PUT, path: "/groups/{name}/members", body: "{all}" }
      change: { method: POST, path: "/groups/{name}/members", body: { add: "{upserts}", remove: "{removes}" } }
${write.includes('each') ? calls : ''}    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - { name: main, read: retrieve, attributes: { name: { required: true, immutable: true } } }
      - name: members
        read: { op: members, list: { as: members } }
        onCreate: after
        collection: { field: members, plain: true, element: { user: {} }, ${facts}write: ${write} }
`

interface Group {
  readonly members: Json
  readonly facts?: string
  readonly write?: string
  readonly there?: readonly Json[]
}

const startGroup = async ({ members, facts = '', write, there }: Group) => {
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const path = '/groups/ops/members'
      const now = JSON.parse(state.get(path) ?? '[]') as Json[]
      const keep = (next: readonly Json[]) => {
        state.set(path, JSON.stringify(next))
        return { status: 204 }
      }
      if (url === path && method === 'GET') return { status: 200, body: JSON.stringify(now) }
      if (url === path && method === 'POST') {
        const { add, remove } = JSON.parse(body) as { add: Json[]; remove: Json[] }
        return keep([...now.filter((each) => !remove.includes(each)), ...add])
      }
      if (!url.startsWith(`${path}/`)) return undefined
      const member = decodeURIComponent(url.slice(path.length + 1))
      const others = now.filter((each) => each !== member)
      return keep(method === 'PUT' ? [...others, member] : others)
    },
  })
  if (there !== undefined) {
    server.state.set('/groups/ops', '{"name":"ops"}')
    server.state.set('/groups/ops/members', JSON.stringify(there))
  }
  const resources = [{ type: 'api_group', name: 'ops', spec: { name: 'ops', members } }]
  const drive = driveDocument(server, document(facts, write), resources)
  const converge = async (): Promise<readonly (string | undefined)[]> => {
    const { digest, plan } = await drive.check()
    expect((await drive.apply(digest)).status).toBe('succeeded')
    expect((await drive.check()).plan.inSync).toBe(true)
    return plan.commands.map(({ grade }) => grade)
  }
  const now = () => JSON.parse(server.state.get('/groups/ops/members') ?? '[]') as Json
  return { ...drive, server, converge, now, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

describe('a list of texts', () => {
  it('is granted and revoked text by text, and nothing else is touched', async () => {
    await using group = await startGroup({ members: ['alice', 'x/y é'], there: ['bob', 'alice'] })
    expect(await group.converge()).toEqual(['reversible', 'reversible'])
    expect(group.server.lines()).toEqual([
      ['DELETE /groups/ops/members/bob'],
      ['PUT /groups/ops/members/x%2Fy%20%C3%A9'],
    ])
    expect(group.now()).toEqual(['alice', 'x/y é'])
  })

  it('is not read where the target answers objects: no request names one', async () => {
    await using group = await startGroup({ members: ['alice'], there: [{ user: 'bob' }] })
    const { plan } = await group.check()
    expect(plan.commands).toEqual([])
    expect(plan.unchecked).toMatchObject([{ reason: 'bad_body', detail: expect.stringContaining('without `plain`') }])
  })

  it('is granted right after the create of its object', async () => {
    await using group = await startGroup({ members: ['alice', 'bob'] })
    await group.converge()
    expect(group.now()).toEqual(['alice', 'bob'])
  })

  it('leaves those alone that are not declared, and sees that a declared one is gone', async () => {
    await using group = await startGroup({ members: ['alice', 'carol'], facts: 'manage: declared, ', there: ['bob'] })
    await group.converge()
    expect(group.now()).toEqual(['bob', 'alice', 'carol'])
    group.server.state.set('/groups/ops/members', '["zed","carol"]')
    expect(await group.converge()).toEqual(['reversible'])
    expect(group.now()).toEqual(['zed', 'carol', 'alice'])
  })

  it.each<[string, string, Json]>([
    ['as a whole', '{ op: replace, body: "{all}" }', ['bob', 'alice', 'carol']],
    ['by its changes', '{ op: change, body: { add: "{upserts}", remove: "{removes}" } }', ['bob', 'alice', 'carol']],
  ])('can be written %s', async (_, write, result) => {
    await using group = await startGroup({
      members: ['alice', 'carol'],
      facts: 'manage: declared, ',
      write,
      there: ['bob', 'alice'],
    })
    await group.converge()
    expect(group.server.lines()).toHaveLength(1)
    expect([...(group.now() as Json[])].toSorted()).toEqual([...(result as Json[])].toSorted())
  })
})

describe('provider check', () => {
  const messagesOf = (text: string): readonly string[] => {
    const configured = configureText(text, { baseUrl: 'http://api.test' })
    return configured.ok ? [] : configured.issues.map(({ message }) => message)
  }

  it.each([
    ['two attributes', document('').replace('{ user: {} }', '{ user: {}, level: {} }')],
    ['a key', document('key: [user], ')],
    ['a place', document('').replace('{ user: {} }', '{ user: { path: login } }')],
    ['ignored elements', document('ignore: [{ user: bot }], ')],
  ])('refuses plain elements with %s', (_, text) => {
    expect(messagesOf(text).join()).toMatch(/plain elements have one attribute/)
  })

  const member = (facts: string) =>
    document('').replace('name: { required: true, immutable: true } }', `name: { in: path }, tags: ${facts} }`)

  it.each([
    ['{ path: "" }', 'an empty place is all of the object around it, which is no string'],
    [
      '{ type: list, element: { type: object, attributes: { tag: { send: "" } } } }',
      'an empty place is all of the object around it, which is no string',
    ],
    ['{ type: set, computed: true, ignore: [{ tag: x }], element: {} }', '"tag" is not in element'],
  ])('refuses what could never hold: %s', (facts, message) => {
    expect(messagesOf(member(facts))).toContain(message)
  })

  it('refuses a change that is all of a body beside another one', () => {
    const text = document('').replace(
      'attributes: { name: { required: true, immutable: true } }',
      'write: { op: create }, attributes: { name: { in: path }, note: {}, size: { type: object, send: "" } }',
    )
    expect(messagesOf(text)).toEqual(['send: "" is all of the body, which has other attributes too'])
    expect(messagesOf(text.replace('note: {}, ', ''))).toEqual([])
  })
})
