import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* A resource that only changes its address keeps its record: what the record does not prove is not taken by its name. */

const document = `provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_box:
    operations:
      list: { method: GET, path: /boxes }
      retrieve: { method: GET, path: "/boxes/{id}" }
      create: { method: POST, path: /boxes, produces: { id: id } }
      update: { method: PATCH, path: "/boxes/{id}" }
      delete: { method: DELETE, path: "/boxes/{id}" }
    identity: { keys: [name] }
    serverId: { id: id }
    lookup: { list: {}, match: [name] }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true }, note: {} } }]
`

const box = (address: string, name: string, note = 'ours'): JsonObject => ({
  type: 'api_box',
  name: address,
  spec: { name, note },
})

const start = async (resources: readonly JsonObject[] = [box('p', 'tea'), box('q', 'moss'), box('r', 'fern')]) => {
  let made = 100
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      if (url !== '/boxes') return undefined
      if (method === 'GET') return { status: 200, body: `[${[...state.values()].join(',')}]` }
      made += 1
      const text = JSON.stringify({ ...(JSON.parse(body) as JsonObject), id: made })
      state.set(`/boxes/${made}`, text)
      return { status: 201, body: text }
    },
  })
  const drive = driveDocument(server, document, resources)
  const want = (now: readonly JsonObject[], more: JsonObject = {}): void => {
    const providers = { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: server.url } } }
    drive.current.bundle = yaml(JSON.stringify({ workspace: 'things', providers, resources: now as Json, ...more }), {
      'api.provider.yaml': document,
    })
  }
  const look = async () => {
    const { plan } = await drive.check()
    return {
      plan,
      changes: plan.changes.map(({ action, address, blocked }) => `${blocked?.reason ?? action} ${address}`),
      drift: plan.drift.map(({ kind, address }) => `${kind} ${address}`),
      unchecked: plan.unchecked.map(({ reason, address }) => `${reason} ${address}`),
    }
  }
  expect((await drive.apply((await drive.check()).digest)).status).toBe('succeeded')
  expect((await look()).plan.inSync).toBe(true)
  const remake = (note: string, name = 'tea'): void => {
    server.state.delete('/boxes/101')
    server.state.set('/boxes/104', JSON.stringify({ name, note, id: 104 }))
  }
  return { ...drive, server, want, look, remake, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const rest = [box('q', 'moss'), box('r', 'fern')]

it.each(['ours', 'theirs'])('made again by others at the same time: nothing is taken (note: %s)', async (note) => {
  await using world = await start()
  world.remake(note)
  world.want([box('pnew', 'tea'), ...rest])
  for (const _time of [1, 2]) {
    const { changes, drift } = await world.look()
    expect([changes, drift]).toEqual([['made_again api_box.pnew'], ['deleted api_box.pnew']])
  }
  world.want(rest)
  expect((await world.look()).changes).toEqual([])
  expect(world.server.state.has('/boxes/104')).toBe(true)
})

it('made again and taken over by an import, or by saying that the former one is gone', long, async () => {
  await using world = await start()
  world.remake('ours')
  world.want([box('pnew', 'tea'), ...rest], { import: [{ to: 'api_box.pnew', id: { id: '104' } }] })
  expect((await world.look()).plan.inSync).toBe(true)
  await using other = await start()
  other.remake('ours')
  other.want([box('pnew', 'tea'), ...rest], { gone: [{ address: 'api_box.p', reason: 'by mistake' }] })
  expect((await other.look()).plan.inSync).toBe(true)
})

it('released under its former address: what has the name is found as if for the first time', async () => {
  await using world = await start()
  world.remake('ours')
  world.want([box('pnew', 'tea'), ...rest], { removed: [{ address: 'api_box.p', reason: 'given away' }] })
  expect((await world.look()).plan.inSync).toBe(true)
})

it('the same object: it keeps its record, and no request is sent', async () => {
  await using world = await start()
  world.want([box('pnew', 'tea', 'other'), ...rest])
  const { changes, plan } = await world.look()
  expect(changes).toEqual(['update api_box.pnew'])
  expect(plan.moved).toEqual([{ from: 'api_box.p', to: 'api_box.pnew' }])
  world.want(rest)
  expect((await world.look()).changes).toEqual(['delete api_box.pnew'])
})

it('gone: it is told as gone, once, and made again under the new address', async () => {
  await using world = await start()
  world.server.state.delete('/boxes/101')
  world.want([box('pnew', 'tea'), box('q', 'moss')])
  const { changes, drift, unchecked } = await world.look()
  expect([changes, drift, unchecked]).toEqual([
    ['create api_box.pnew', 'delete api_box.r'],
    ['deleted api_box.pnew'],
    [],
  ])
})

it('renamed by others, who made another one under its name: it is told, and neither is touched', async () => {
  await using world = await start()
  world.server.state.set('/boxes/101', JSON.stringify({ name: 'former', note: 'ours', id: 101 }))
  world.server.state.set('/boxes/104', JSON.stringify({ name: 'tea', note: 'theirs', id: 104 }))
  world.want([box('pnew', 'tea'), ...rest])
  const { changes, unchecked } = await world.look()
  expect([changes, unchecked]).toEqual([[], ['ambiguous api_box.pnew']])
})

it('the former address has another object from now on: what others made under the name is not taken', async () => {
  await using world = await start()
  world.remake('theirs')
  world.want([box('p', 'ivy'), box('pnew', 'tea'), ...rest])
  expect((await world.look()).changes).toEqual(['create api_box.p', 'made_again api_box.pnew'])
})

it('the former address has the same object, which was renamed by hand: the name belongs to what has it now', async () => {
  await using world = await start()
  world.server.state.set('/boxes/101', JSON.stringify({ name: 'ivy', note: 'ours', id: 101 }))
  world.server.state.set('/boxes/104', JSON.stringify({ name: 'tea', note: 'ours', id: 104 }))
  world.want([box('p', 'ivy'), box('pnew', 'tea'), ...rest])
  expect((await world.look()).plan.inSync).toBe(true)
})
