import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { checkProvider } from '../../../../core/tools/authoring/check-provider.ts'
import { long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* An API with a realm in every path: names are looked up in the realm that the resource itself names. */

const scoped = (scope: string): string => `
provider: { id: kc, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  kc_realm:
    operations:
      retrieve: { method: GET, path: "/realms/{name}" }
      create: { method: POST, path: /realms }
      delete: { method: DELETE, path: "/realms/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
  kc_group:
    operations:
      list: { method: GET, path: "/realms/{realm}/groups", absent: [404] }
      retrieve: { method: GET, path: "/realms/{realm}/groups/{id}" }
      create: { method: POST, path: "/realms/{realm}/groups", produces: { id: id } }
      delete: { method: DELETE, path: "/realms/{realm}/groups/{id}" }
    identity: { keys: [realm, name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, attributes: { realm: &realm { in: path, required: true, immutable: true, refersTo: { type: kc_realm, attribute: name } }, name: { immutable: true } } }]
  kc_member:
    operations:
      list: { method: GET, path: "/realms/{realm}/groups/{group}/members", absent: [404] }
      create: { method: POST, path: "/realms/{realm}/groups/{group}/members", produces: { id: id } }
      delete: { method: DELETE, path: "/realms/{realm}/groups/{group}/members/{id}" }
    identity: { keys: [realm, group, user] }
    serverId: { id: id }
    lookup: { list: {}, match: [user] }
    parts:
      - name: main
        read: list
        attributes:
          realm: *realm
          group: { in: path, required: true, immutable: true, ref: { type: kc_group, by: name, emit: id, scope: ${scope} } }
          user: { immutable: true }
`
const document = scoped('{ realm: "{realm}" }')

const start = async (resources: readonly JsonObject[]) => {
  let made = 0
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const isOne = url.split('/').length % 2 === 1
      if (isOne) return undefined
      const above = url.split('/').slice(0, -1).join('/')
      if (above !== '/realms' && above !== '' && !state.has(above)) return { status: 404, body: '{}' }
      if (method === 'GET') {
        const inside = [...state].filter(
          ([path]) => path.startsWith(`${url}/`) && !path.slice(url.length + 1).includes('/'),
        )
        return { status: 200, body: `[${inside.map(([, text]) => text).join(',')}]` }
      }
      made += 1
      const given = JSON.parse(body) as JsonObject
      const name = url === '/realms' ? String(given['name']) : `i${made}`
      const text = JSON.stringify({ ...given, ...(url === '/realms' ? {} : { id: name }) })
      state.set(`${url}/${name}`, text)
      return { status: 201, body: text }
    },
  })
  const drive = driveDocument(server, document, resources)
  return { ...drive, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const realm = (name: string): JsonObject => ({ type: 'kc_realm', name, spec: { name } })
const group = (of: string): JsonObject => ({
  type: 'kc_group',
  name: `${of}-admins`,
  spec: { realm: of, name: 'admins' },
})
const member = (of: string): JsonObject => ({
  type: 'kc_member',
  name: `${of}-ada`,
  spec: { realm: of, group: 'admins', user: 'ada' },
})
const all = (of: string): readonly JsonObject[] => [realm(of), group(of), member(of)]

describe('a reference that is searched in what the resource itself names', () => {
  it('finds the group of its own realm, from the first plan to the last', long, async () => {
    await using world = await start([...all('a'), ...all('b')])
    expect((await world.apply((await world.check()).digest)).status).toBe('succeeded')
    expect((await world.check()).plan.inSync).toBe(true)
    for (const of of ['a', 'b'])
      expect([...world.server.state.keys()].filter((path) => path.startsWith(`/realms/${of}/`))).toHaveLength(2)
    world.server.received.splice(0)
    world.want([...all('a'), realm('b'), group('b')])
    expect((await world.apply((await world.check()).digest)).status).toBe('succeeded')
    expect(world.server.writes().map(({ method, url }) => `${method} ${url.replaceAll(/i\d/g, 'i')}`)).toEqual([
      'DELETE /realms/b/groups/i/members/i',
    ])
    expect((await world.check()).plan.inSync).toBe(true)
  })

  it('searches nothing in a realm that has no such group', async () => {
    await using world = await start([realm('a'), group('a'), realm('b'), member('b')])
    await world.apply((await world.check()).digest)
    const { plan } = await world.check()
    expect(plan.unchecked.map(({ address, detail }) => `${address}: ${detail}`)).toEqual([
      expect.stringContaining('kc_member.b-ada: group: which kc_group is "admins"?'),
    ])
  })
})

it.each([
  ['{ realm: "{relm}" }', '{relm}'],
  ['{ realm: "{id}" }', '{id}'],
  ['{ realm: "{refs.nothing.name}" }', '{refs.nothing.name}'],
])('a scope of nothing is refused when the document is checked: %s', (scope, variable) => {
  const { findings } = checkProvider({ name: 'kc.yaml', text: scoped(scope) })
  expect(findings.map(({ message }) => message)).toContain(`"${variable}" is of no attribute`)
})
