import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { hasEnded } from '../../../../core/engine/schema/stored/records.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { lawStep } from '../../../builders/laws.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { untilDeath } from '../../../builders/time/crash-point.ts'
import { actor, movableClock } from '../../../builders/workspaces/workspace.ts'

/* A target refuses to delete what is in use: what is replaced with it goes first, and comes back after it. */

const aType = (place: string, keys: string, attributes: string): string => `
    operations:
      list: { method: GET, path: "/${place}" }
      retrieve: { method: GET, path: "/${place}/{id}" }
      create: { method: POST, path: "/${place}", produces: { id: id } }
      update: { method: PATCH, path: "/${place}/{id}" }
      delete: { method: DELETE, path: "/${place}/{id}" }
    identity: { keys: [${keys}] }
    lookup: { list: {}, match: [${keys}] }
    serverId: { id: id }
    lifecycle: { onImmutable: replace }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, ${attributes} } }]`

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_box:${aType('boxes', 'name', 'kind: { immutable: true }')}
  api_item:${aType('items', 'name', 'of: {}')}
  api_seal:${aType('seals', 'name', 'of: { immutable: true }')}
  api_record:${aType('records', 'of, name', 'of: { immutable: true, refersTo: { type: api_box, attribute: id } }')}
`
const box = (kind: string): JsonObject => ({ type: 'api_box', name: 'b', spec: { name: 'b', kind } })
const inside = (type: string, name: string, address = 'api_box.b'): JsonObject => ({
  type: `api_${type}`,
  name,
  spec: { name, of: `\${resource.${address}.id}` },
})

const open = async (more: readonly JsonObject[], clock = movableClock()) => {
  let last = 0
  const bodies = (state: ReadonlyMap<string, string>) =>
    [...state.values()].map((text) => JSON.parse(text) as JsonObject)
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const [path = ''] = url.split('?')
      const [, place = '', id] = path.split('/')
      if (method === 'GET' && id === undefined)
        return {
          status: 200,
          body: `[${[...state].flatMap(([each, text]) => (each.startsWith(`/${place}/`) ? [text] : []))}]`,
        }
      if (method === 'DELETE' && bodies(state).some(({ of }) => of === id))
        return { status: 409, body: '{"error":"in use"}' }
      if (method !== 'POST') return undefined
      last += 1
      const made = JSON.stringify({ id: String(last), ...(JSON.parse(body) as JsonObject) })
      state.set(`/${place}/${last}`, made)
      return { status: 201, body: made }
    },
  })
  const drive = driveDocument(server, document, [box('a'), ...more], { clock })
  expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
  drive.want([box('b'), ...more])
  server.received.splice(0)
  const sent = () => server.writes().map(({ method, url }) => `${method} ${url}`)
  return { ...drive, server, sent, bodies: () => bodies(server.state) }
}

describe('a replacement of what something else needs', () => {
  it.each(['seal', 'record'])('replaces a %s that needs it with it: deleted before, created after', async (type) => {
    const world = await open([inside(type, 'x')])
    await using _ = world.server
    const { plan, digest } = await world.check()
    expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      'replace api_box.b',
      `replace api_${type}.x`,
    ])
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(world.sent()).toEqual([`DELETE /${type}s/2`, 'DELETE /boxes/1', 'POST /boxes', `POST /${type}s`])
    expect(world.bodies()).toEqual([
      { id: '3', name: 'b', kind: 'b' },
      { id: '4', name: 'x', of: '3' },
    ])
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('does so at every depth', async () => {
    const world = await open([inside('record', 'x'), inside('seal', 'y', 'api_record.x')])
    await using _ = world.server
    expect(await world.apply((await world.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(world.sent()).toEqual([
      'DELETE /seals/3',
      'DELETE /records/2',
      'DELETE /boxes/1',
      'POST /boxes',
      'POST /records',
      'POST /seals',
    ])
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('has all of it in an apply of a part, or nothing', async () => {
    const world = await open([inside('record', 'x')])
    await using _ = world.server
    const { plan } = await world.check()
    for (const target of ['api_box.b', 'api_record.x'])
      expect(narrowPlan(plan, { targets: [target] }).commands).toEqual(plan.commands)
    expect(() => narrowPlan(plan, { exclude: ['api_record.x'] })).toThrow(
      expect.objectContaining({ code: 'TARGET_EXCLUDED' }),
    )
  })

  it('deletes first what leaves the configuration', async () => {
    const world = await open([inside('item', 'x')])
    await using _ = world.server
    world.want([box('b')])
    const { plan, digest } = await world.check()
    expect(plan.notes).toBeUndefined()
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(world.sent()).toEqual(['DELETE /items/2', 'DELETE /boxes/1', 'POST /boxes'])
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it.each(['intent', 'attempt', 'send', 'result'] as const)('comes to its end if a worker dies at %s', async (at) => {
    for (let n = 1; ; n += lawStep(3)) {
      const clock = movableClock()
      const world = await open([inside('record', 'x')], clock)
      await using _ = world.server
      const { digest } = await world.check()
      const { id } = await requestApply(
        { workspace: 'things', mode: 'execute', digest, reason: 'test', actor },
        world.deps,
      )
      const run = { workspace: 'things', applyId: id, patient: true }
      const end = await untilDeath(world.deps, { at, when: 'after', n }, (deps) => runApply(run, deps))
      if (end !== 'died') return expect(n).toBeGreaterThan(3)
      clock.forward(61_000)
      expect(hasEnded(await runApply(run, world.deps))).toBe(true)
      for (let again = 0; again < 3; again += 1) await world.apply((await world.check()).digest)
      const { plan } = await world.check()
      // A create without an answer may have made one more object, and that is said.
      expect(plan.inSync || plan.unchecked.length > 0).toBe(true)
      expect(world.bodies().filter(({ kind }) => kind === 'a')).toEqual([])
    }
  })

  it('says of one that stays that the target may refuse it, and how to go another way', async () => {
    const world = await open([inside('item', 'x')])
    await using _ = world.server
    const { plan, digest } = await world.check()
    expect(plan.notes).toMatchObject([
      {
        level: 'warning',
        value: 'api_box.b',
        message: expect.stringMatching(
          /^api_box.b is deleted while api_item.x still needs it: the target may refuse that/,
        ),
      },
    ])
    expect(await world.apply(digest)).toMatchObject({ status: 'failed' })
    expect(world.sent()).toEqual(['DELETE /boxes/1'])
  })
})
