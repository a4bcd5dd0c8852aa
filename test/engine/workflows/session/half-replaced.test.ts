import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* The former object of a replacement is deleted, its successor is not made, and others make an object of that name. */

const types = { name: '', made: 'made: { computed: true, immutable: true }, ' }

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

const key = { type: 'api_key', name: 'k', spec: { name: 'k', size: 1, text: 'a' } }
const next = { ...key, spec: { ...key.spec, size: 2 } }
const isGone = { gone: [{ address: 'api_key.k', reason: 'it is' }] }

/** `refusal`: how the create of the successor is answered; `isMade`: although it is made. */
const start = async (refusal: number, { more = types.name, isMade = false } = {}) => {
  let isBroken = false
  let made = 0
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      if (method !== 'PUT') return undefined
      made += 1
      if (!isBroken || isMade)
        state.set(url, JSON.stringify({ made: `t${made}`, ...(JSON.parse(body) as JsonObject), name: 'k' }))
      return isBroken ? { status: refusal, body: '{}' } : { status: 200, body: state.get(url) ?? '' }
    },
  })
  const drive = driveDocument(server, documentOf(more), [key])
  const apply = async () => drive.apply((await drive.check()).digest)
  await apply()
  drive.want([next])
  isBroken = true
  await apply()
  isBroken = false
  const look = async () => {
    const { plan } = await drive.check()
    const changes = plan.changes.map(({ action, blocked }) => [
      action,
      ...(blocked === undefined ? [] : [blocked.reason]),
    ])
    return { changes, plan }
  }
  return {
    ...drive,
    apply,
    look,
    put: (object: JsonObject) => server.state.set('/keys/k', JSON.stringify({ name: 'k', made: 'theirs', ...object })),
    there: () => server.state.get('/keys/k'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const ways = [422, 503].flatMap((refusal) => Object.values(types).map((more) => [refusal, more] as const))

describe('an object of the name of one that was deleted to be replaced', () => {
  eachOf(it, 1)(ways)('is not replaced, where the create was answered with %s (%s)', async (refusal, more) => {
    await using world = await start(refusal, { more })
    for (const theirs of [
      { size: 1, text: 'a' },
      { size: 3, text: 'theirs' },
    ]) {
      world.put(theirs)
      for (const _time of [1, 2]) {
        expect((await world.look()).changes).toEqual([['replace', 'made_again']])
        await world.apply()
      }
      expect(JSON.parse(world.there() ?? '')).toMatchObject(theirs)
    }
    world.want([next], isGone)
    expect((await world.look()).changes).toEqual([['replace']])
  })

  eachOf(it, 1)(ways)('is not deleted with its resource, after %s (%s)', async (refusal, more) => {
    await using world = await start(refusal, { more })
    world.put({ size: 1, text: 'a' })
    await world.look()
    world.want([])
    expect((await world.look()).changes).toEqual([])
    await world.apply()
    expect(world.there()).toContain('theirs')
    // What a create without an answer made is a question as long as something is there.
    expect((await world.look()).plan.inSync).toBe(refusal === 422)
  })

  eachOf(it, 2)(ways)('is made again where there is none, without drift, after %s (%s)', async (refusal, more) => {
    await using world = await start(refusal, { more })
    const { changes, plan } = await world.look()
    expect([changes, plan.drift]).toEqual([[['create']], []])
    await world.apply()
    expect((await world.look()).plan.inSync).toBe(true)
  })

  it('is what a create without an answer made, if nothing contradicts it', async () => {
    await using world = await start(503, { isMade: true })
    expect((await world.look()).plan.inSync).toBe(true)
  })
})
