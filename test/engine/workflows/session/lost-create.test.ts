import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* The answer to a create is lost, and no check sees what it made before the configuration changes. */

const documentOf = (generated: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_zone:
    operations:
      list: { method: GET, path: /zones }
      retrieve: { method: GET, path: "/zones/{id}" }
      create: { method: POST, path: /zones, produces: { id: id } }
      update: { method: PATCH, path: "/zones/{id}" }
      delete: { method: DELETE, path: "/zones/{id}" }
    identity: { keys: [name]${generated} }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, ttl: { type: number } } }]
`

const start = async (spec: JsonObject, { many = 1, generated = '' } = {}) => {
  let made = 0
  let isDown = false
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      if (url !== '/zones') return undefined
      if (method === 'GET' && isDown) return { status: 500, body: '{}' }
      if (method === 'GET') return { status: 200, body: `[${[...state.values()].join(',')}]` }
      isDown = true
      for (let each = 0; each < many; each += 1) {
        made += 1
        const own = { name: `made${made}`, ...(JSON.parse(body) as JsonObject), id: String(made) }
        state.set(`/zones/${made}`, JSON.stringify(own))
      }
      return { status: 504, body: '{}' }
    },
  })
  const zone = { type: 'api_zone', name: 'a', spec }
  const drive = driveDocument(server, documentOf(generated), [zone])
  const want = (resources: readonly JsonObject[], more: JsonObject = {}): void => {
    const providers = { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: server.url } } }
    const whole = { workspace: 'things', providers, resources: resources as Json, ...more }
    drive.current.bundle = yaml(JSON.stringify(whole), { 'api.provider.yaml': documentOf(generated) })
  }
  await drive.apply((await drive.check()).digest)
  isDown = false
  const look = async () => {
    const { plan } = await drive.check()
    const changes = plan.changes.map(({ action, address }) => `${action} ${address}`)
    return { changes, told: plan.unchecked.map(({ detail }) => detail).join(), plan }
  }
  return { zone, want, look, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const id1 = { import: [{ to: 'api_zone.a', id: { id: '1' } }] }
const removed = { removed: [{ address: 'api_zone.a', reason: 'not ours' }] }

describe('what left the configuration after its create got no answer', () => {
  it.each([
    ['one object of its name', { many: 1 }, /what was sent has name: shared; to leave it alone, list it under removed/],
    ['several of its name', { many: 2 }, /\(id 1, id 2\); they have name: shared.*name that one under import.*removed/],
  ])('is told with its name and the ways out where there is %s', async (_, how, words) => {
    await using world = await start({ name: 'shared', ttl: 1 }, how)
    world.want([])
    for (const _time of [1, 2])
      expect(await world.look()).toMatchObject({ changes: [], told: expect.stringMatching(words) })
    world.want([{ ...world.zone, absent: true }], id1)
    expect((await world.look()).changes).toEqual(['delete api_zone.a'])
    world.want([], removed)
    expect((await world.look()).plan.inSync).toBe(true)
  })
})

describe('what gets another name after its create got no answer', () => {
  it('is not made a second time, and the name that was sent leads to it', async () => {
    await using world = await start({ name: 'old', ttl: 1 })
    const called = (name: string) => [{ ...world.zone, spec: { name, ttl: 1 } }]
    world.want(called('new'))
    for (const _time of [1, 2])
      expect(await world.look()).toMatchObject({
        changes: [],
        told: expect.stringMatching(/what was sent has name: old;/),
      })
    world.want(called('old'))
    expect((await world.look()).plan.inSync).toBe(true)
    world.want(called('new'))
    expect((await world.look()).changes).toEqual(['update api_zone.a'])
    await using other = await start({ name: 'old', ttl: 1 })
    other.want(called('new'), id1)
    expect((await other.look()).changes).toEqual(['update api_zone.a'])
  })
})

describe('a create without an answer, of what only the server names', () => {
  const nameless = { generated: ', generated: [name]' }

  it('makes no further object, until somebody says what became of it', async () => {
    await using world = await start({ ttl: 1 }, nameless)
    for (const _time of [1, 2]) {
      const { changes, told } = await world.look()
      expect([changes, told]).toEqual([[], expect.stringMatching(/without name, .* under import; .* under gone/)])
    }
    world.want([world.zone], { gone: [{ address: 'api_zone.a', reason: 'nothing was made' }] })
    expect((await world.look()).changes).toEqual(['create api_zone.a'])
    world.want([world.zone], id1)
    expect((await world.look()).plan.inSync).toBe(true)
    world.want([world.zone])
    expect((await world.look()).plan.inSync).toBe(true)
  })

  it('is not forgotten in silence with a resource that leaves the configuration', async () => {
    await using world = await start({ ttl: 1 }, nameless)
    world.want([])
    for (const _time of [1, 2])
      expect((await world.look()).told).toMatch(/look in the target .* by hand, or declare it again .* under removed$/)
    world.want([], removed)
    expect((await world.look()).plan.inSync).toBe(true)
  })
})
