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
