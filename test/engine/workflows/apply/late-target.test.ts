import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

/* A target that answers a write at once and shows it later, as replicas and caches do. */

const documentOf = (reads: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }${reads} }
resources:
  api_box:
    operations:
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: PUT, path: "/boxes/{name}" }
      update: { method: PATCH, path: "/boxes/{name}" }
      delete: { method: DELETE, path: "/boxes/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, size: { type: number }, pin: { writeOnly: true } } }]
`
const box = (more: JsonObject): JsonObject => ({ type: 'api_box', name: 'b', spec: { name: 'b', ...more } })
const path = '/boxes/b'

/** Reads show what was written `lateMs` ago; without it, each write at once. */
const open = async (reads = '') => {
  const clock = movableClock()
  const late = { ms: 0, ignores: false }
  const past: { readonly until: number; readonly text: string | undefined }[] = []
  let asked = 0
  const server = await startThings({
    route: ({ method }, state) => {
      if (method !== 'GET') {
        past.push({ until: clock.monotonic() + late.ms, text: state.get(path) })
        return late.ignores ? { status: 200, body: state.get(path) ?? '{}' } : undefined
      }
      asked += 1
      const shown = past.find(({ until }) => clock.monotonic() < until)
      if (shown === undefined) return undefined
      return shown.text === undefined ? { status: 404, body: '{}' } : { status: 200, body: shown.text }
    },
  })
  const drive = driveDocument(server, documentOf(reads), [box({ size: 1 })], { clock })
  expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
  const converge = async () => {
    asked = 0
    const from = clock.monotonic()
    const { status } = await drive.apply((await drive.check()).digest)
    return { status, asked, seconds: (clock.monotonic() - from) / 1_000 }
  }
  return { ...drive, server, clock, late, converge }
}

const crewDocument = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_boat:
    operations:
      retrieve: { method: GET, path: "/boats/{name}" }
      create: { method: PUT, path: "/boats/{name}" }
      crew: { method: GET, path: "/boats/{name}/crew" }
      add: { method: PUT, path: "/boats/{name}/crew/{el.user}", body: none }
      drop: { method: DELETE, path: "/boats/{name}/crew/{el.user}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - { name: main, read: retrieve, attributes: { name: { in: path } } }
      - name: crew
        read: { op: crew, list: { as: crew } }
        onCreate: after
        collection: { field: crew, key: [user], element: { user: {} }, write: { each: { create: add, remove: drop } } }
`

/** A boat whose crew is shown `lateMs` after each write; `others` adds somebody at the first write. */
const sail = async (lateMs: number, others?: string) => {
  const clock = movableClock()
  const shown = [{ from: 0, crew: ['ann'] }]
  const server = await startThings({
    route: ({ method, url }, state) => {
      const [, user] = /^\/boats\/b\/crew\/(\w+)$/.exec(url) ?? []
      const crew = shown.findLast(({ from }) => from <= clock.monotonic())?.crew ?? []
      if (method === 'GET' && url.endsWith('/crew'))
        return { status: 200, body: JSON.stringify(crew.map((each) => ({ user: each }))) }
      if (user === undefined) return undefined
      const last = shown.at(-1)?.crew ?? []
      const next = method === 'PUT' ? [...last, user] : last.filter((each) => each !== user)
      const both = others === undefined || last.includes(others) ? next : [...next, others]
      shown.push({ from: clock.monotonic() + lateMs, crew: both })
      return { status: 200, body: state.get('/boats/b') ?? '{}' }
    },
  })
  server.state.set('/boats/b', '{"name":"b"}')
  const crew = ['ann', 'bob', 'cat'].map((user) => ({ user }))
  const boat = { type: 'api_boat', name: 'b', spec: { name: 'b', crew } }
  const drive = driveDocument(server, crewDocument, [boat], { clock })
  const { status, error } = await drive.apply((await drive.check()).digest)
  return {
    status,
    code: error?.code,
    crew: shown.at(-1)?.crew,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe('several commands for one object of a target that shows a write later', () => {
  it('are each sent once the one before is shown', async () => {
    await using told = await sail(3_000)
    expect(told).toMatchObject({ status: 'succeeded', crew: ['ann', 'bob', 'cat'] })
  })

  it('do not take the change of others for their own', async () => {
    await using told = await sail(3_000, 'eve')
    expect(told).toMatchObject({ status: 'failed', crew: ['ann', 'bob', 'eve'] })
  })

  it('are not sent where it takes longer than the document says', async () => {
    await using told = await sail(40_000)
    expect(told).toMatchObject({ status: 'failed', crew: ['ann', 'bob'] })
  })
})

describe('a target that shows a write later', () => {
  it.each<[string, JsonObject[]]>([
    ['a change', [box({ size: 2 })]],
    ['a delete', []],
  ])('is read again with growing pauses until it shows %s', async (_, wanted) => {
    const world = await open()
    await using _server = world.server
    world.want(wanted)
    world.late.ms = 9_000
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('shows a create late too', async () => {
    const world = await open()
    await using _ = world.server
    world.want([])
    await world.converge()
    world.want([box({ size: 3 })])
    world.late.ms = 9_000
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
  })

  it('is waited for as long as its document says, and not longer', async () => {
    const world = await open(', reads: { lag: 4 }')
    await using _ = world.server
    world.want([box({ size: 2 })])
    world.late.ignores = true
    const { status, seconds } = await world.converge()
    expect([status, seconds]).toEqual(['not_converged', 4])
  })

  it.each([
    ['shows each write at once by its document', ', reads: { lag: 0 }', { size: 2 }, true],
    ['takes a value that nobody can read', '', { size: 1, pin: 'p' }, false],
  ])('is not waited for where it %s', async (_, reads, spec, ignores) => {
    const world = await open(reads)
    await using _server = world.server
    world.want([box(spec)])
    world.late.ignores = ignores
    expect((await world.converge()).seconds).toBe(0)
  })

  it('tells no change by somebody when it shows at last what the apply sent', async () => {
    const world = await open()
    await using _ = world.server
    world.want([box({ size: 2 })])
    world.late.ms = 60_000
    expect(await world.converge()).toMatchObject({ status: 'not_converged' })
    expect((await world.check()).plan.drift).toEqual([])
    world.clock.forward(60_000)
    const { plan } = await world.check()
    expect([plan.inSync, plan.drift]).toEqual([true, []])
    world.server.state.set(path, '{"name":"b","size":1}')
    expect((await world.check()).plan.drift).toHaveLength(1)
  })

  it('tells another value as what somebody changed', async () => {
    const world = await open()
    await using _ = world.server
    world.want([box({ size: 2 })])
    world.late.ms = 60_000
    await world.converge()
    world.clock.forward(60_000)
    world.server.state.set(path, '{"name":"b","size":7}')
    expect((await world.check()).plan.drift).toHaveLength(1)
  })
})
