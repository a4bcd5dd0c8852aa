import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { yaml } from '../../../builders/workspaces/workspace.ts'

/* A DELETE is sent and gets no answer, and no check sees what it left before others make an object of that name. */

const types = {
  name: '',
  made: 'made: { computed: true, immutable: true }, ',
}

const documentOf = (more: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_key:
    operations:
      retrieve: { method: GET, path: "/keys/{name}" }
      create: { method: PUT, path: "/keys/{name}", body: "{fields}" }
      update: { method: PUT, path: "/keys/{name}", body: "{fields}" }
      delete: { method: DELETE, path: "/keys/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: replace, replace: { order: deleteFirst } }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: full }
        attributes:
          { name: { required: true, in: path }, ${more}size: { type: number, immutable: true }, text: { default: "" } }
`

type Ours = 'left' | 'absent' | 'replaced'
interface How {
  readonly more?: string
  readonly ours?: JsonObject
  /** Whether the server did what it did not answer. */
  readonly isDone?: boolean
}

const start = async (way: Ours, { more = types.name, ours = { text: 'a' }, isDone = true }: How = {}) => {
  let isDown = false
  let made = 0
  let deletes = 0
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      if (isDown) return { status: 500, body: '{}' }
      if (method === 'PUT') {
        made += 1
        state.set(url, JSON.stringify({ name: 'k', made: `t${made}`, ...(JSON.parse(body) as JsonObject) }))
        return { status: 200, body: state.get(url) ?? '' }
      }
      if (method !== 'DELETE') return undefined
      deletes += 1
      if (deletes > 1) return undefined
      isDown = true
      if (isDone) state.delete(url)
      return { status: 504, body: '{}' }
    },
  })
  const key = { type: 'api_key', name: 'k', spec: { name: 'k', ...ours } }
  const drive = driveDocument(server, documentOf(more), [key])
  const want = (resources: readonly JsonObject[], entries: JsonObject = {}): void => {
    const providers = { api: { source: 'rest', definition: './api.provider.yaml', with: { baseUrl: server.url } } }
    const whole = { workspace: 'things', providers, resources: resources as Json, ...entries }
    drive.current.bundle = yaml(JSON.stringify(whole), { 'api.provider.yaml': documentOf(more) })
  }
  const apply = async () => drive.apply((await drive.check()).digest)
  await apply()
  const gone = { ...key, absent: true }
  const next = { left: [], absent: [gone], replaced: [{ ...key, spec: { ...key.spec, size: 2 } }] }[way]
  want(next)
  await apply()
  isDown = false
  const put = (object: JsonObject): void => {
    made += 1
    server.state.set('/keys/k', JSON.stringify({ name: 'k', made: `t${made}`, ...object }))
  }
  const look = async () => {
    const { plan } = await drive.check()
    const changes = plan.changes.map(
      ({ action, address, blocked }) => `${action} ${address}${blocked === undefined ? '' : ` ${blocked.reason}`}`,
    )
    return { changes, told: plan.unchecked.map(({ detail }) => detail).join(), plan }
  }
  return {
    key,
    gone,
    next,
    want,
    apply,
    look,
    put,
    state: server.state,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const isGone = { gone: [{ address: 'api_key.k', reason: 'it was done' }] }
const removed = { removed: [{ address: 'api_key.k', reason: 'not ours' }] }
const words = /a delete of it was sent and got no answer.*another object.* gone/

describe('an object of the same name, after a delete without an answer', () => {
  it.each([
    ['left', { size: 1 }],
    ['absent', { size: 1 }],
    ['replaced', { size: 1 }],
  ] as const)('is not destroyed where the resource was %s', async (way, ours) => {
    await using world = await start(way, { ours: { text: 'a', ...ours } })
    world.put({ text: 'theirs', size: 1 })
    for (const _time of [1, 2]) {
      expect(await world.look()).toMatchObject({ changes: [], told: expect.stringMatching(words) })
      await world.apply()
    }
    expect(world.state.get('/keys/k')).toContain('theirs')
  })

  it('is not known by what all objects of its name have', async () => {
    await using world = await start('left', { ours: {} })
    world.put({ text: '' })
    expect(await world.look()).toMatchObject({ changes: [], told: expect.stringMatching(words) })
  })

  it('is another one by its time of creation', async () => {
    await using world = await start('left', { more: types.made })
    world.put({ text: 'a' })
    expect(await world.look()).toMatchObject({ changes: [], told: '' })
    expect((await world.look()).plan.inSync).toBe(true)
  })
})

describe('the doubt after a delete without an answer', () => {
  it.each([
    ['all that was recorded', types.name],
    ['its time of creation', types.made],
  ])('does not keep what is proven by %s from being deleted', async (what, more) => {
    const isByTime = more === types.made
    await using world = await start('left', { more, isDone: false })
    if (isByTime) world.state.set('/keys/k', JSON.stringify({ name: 'k', made: 't1', text: 'changed' }))
    expect([what, (await world.look()).changes]).toEqual([what, ['delete api_key.k']])
    await world.apply()
    expect(world.state.size).toBe(0)
    expect((await world.look()).plan.inSync).toBe(true)
  })

  it('ends where nothing is found', async () => {
    await using world = await start('left')
    expect((await world.look()).plan.inSync).toBe(true)
    world.put({ text: 'theirs' })
    world.want([world.gone])
    expect((await world.look()).changes).toEqual(['delete api_key.k'])
  })

  it('ends where a person says what the object of its name is', async () => {
    await using world = await start('left')
    world.put({ text: 'theirs' })
    await world.look()
    world.want([world.key])
    expect((await world.look()).told).toMatch(/under import/)
    world.want([world.key], { import: [{ to: 'api_key.k', id: { name: 'k' } }] })
    expect((await world.look()).changes).toEqual(['update api_key.k'])
    world.want([world.key])
    expect((await world.look()).changes).toEqual(['update api_key.k'])
  })

  eachOf(
    it,
    1,
  )([
    ['leaves it', [], removed, []],
    ['leaves it, because it is gone', [], isGone, []],
    ['has it deleted', 'gone', isGone, ['delete api_key.k']],
    ['adopts it', 'key', isGone, ['update api_key.k']],
  ] as const)('ends where a person %s', async (_, resources, entries, changes) => {
    await using world = await start('left')
    world.put({ text: 'theirs' })
    await world.look()
    world.want(typeof resources === 'string' ? [world[resources]] : resources, entries)
    expect(await world.look()).toMatchObject({ changes, told: '' })
    await world.apply()
    world.want(typeof resources === 'string' ? [world[resources]] : resources)
    expect((await world.look()).plan.inSync).toBe(true)
  })
})
