import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { long } from '../../../builders/long.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aListedType, aThing, aWorld, lists, taggedType } from '../../../semantics/world.ts'

/** A world where an apply can be undone. */
const world = async (options: Parameters<typeof aWorld>[0]) => {
  const own = await aWorld(options)
  const dump = (): readonly (readonly [string, string])[] => [...own.server.state].toSorted()
  /** Checks and applies; what is returned undoes that. */
  const applied = async () => {
    own.clock.forward(60_000)
    const { apply } = await own.checkAndApply()
    own.clock.forward(60_000)
    return apply
  }
  const plan = (applyId: string) => planUndoOf({ workspace: 'things', applyId, trigger: 'cli', actor }, own.deps)
  const undo = async (applyId: string) => {
    const planned = await plan(applyId)
    own.clock.forward(1_000)
    return { ...planned, apply: await own.apply(planned.plan.digests.commands) }
  }
  return { ...own, dump, applied, planned: plan, undo }
}

const thing = (name: string, size: number): JsonObject => aThing(name, { size })

describe('the undo of an apply', () => {
  it(
    'brings back former values and removes what was created, and the next check shows the same changes again',
    long,
    async () => {
      await using site = await world({
        resources: [thing('a', 2), thing('b', 1)],
        live: { a: { name: 'a', size: 1, note: 'of somebody' } },
      })
      const before = site.dump()
      const first = (await site.check()).plan
      const { id } = await site.applied()
      const { plan, run, apply } = await site.undo(id)
      expect(plan).toMatchObject({ undoes: id, inSync: false, counts: { delete: 1, update: 1, commands: 2 } })
      expect(plan.notes).toMatchObject([{ message: expect.stringContaining('configuration still says') as string }])
      expect(run).toMatchObject({ undoes: id, status: 'changes' })
      expect(apply).toMatchObject({ status: 'succeeded', undoes: id, runId: run.id })
      expect(site.dump()).toEqual(before)
      const again = (await site.check()).plan
      expect(again.commands).toEqual(first.commands)
      expect(again.drift).toEqual([])
    },
  )

  it('destroys nothing of which others have changed since what the configuration does not declare', async () => {
    const text = aListedType('size: { type: number }\ntext: { default: "" }')
    await using site = await world({
      document: aDocument({ thing: text }),
      server: { route: lists },
      resources: [thing('a', 1), thing('b', 1)],
    })
    const { id } = await site.applied()
    const path = site.server.writes()[0]?.method === 'POST' ? [...site.server.state.keys()][0] : undefined
    const made = JSON.parse(site.server.state.get(String(path)) ?? '{}') as JsonObject
    site.server.state.set(String(path), JSON.stringify({ ...made, text: 'theirs' }))
    const { plan } = await site.planned(id)
    const changes = plan.changes.map(({ address, blocked }) => [address, blocked?.detail])
    expect(new Map(changes as [string, string | undefined][]).get(`api_thing.${String(made['name'])}`)).toMatch(
      /: text$/,
    )
    expect(changes.filter(([, detail]) => detail === undefined)).toHaveLength(1)
  })

  const settings = `
operations:
  retrieve: { method: GET, path: /things/settings }
  update: { method: PUT, path: /things/settings }
lookup: { retrieve: true }
lifecycle: { single: true }
parts: [{ name: main, read: retrieve, write: { op: update, send: object }, attributes: { size: { type: number } } }]
`
  const settingsOfThing = `
operations:
  retrieve: { method: GET, path: "/things/{thing}/settings" }
  update: { method: PUT, path: "/things/{thing}/settings" }
identity: { keys: [thing] }
lookup: { retrieve: true }
lifecycle: { single: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: object }
    attributes:
      thing: { in: path, required: true, immutable: true }
      size: { type: number }
`

  it('brings back settings, which no id or key proves', async () => {
    await using site = await world({
      document: aDocument({ setting: settings }),
      resources: [{ type: 'api_setting', name: 's', spec: { size: 2 } }],
      live: { settings: { size: 1, other: 'x' } },
    })
    const { id } = await site.applied()
    expect((await site.undo(id)).apply).toMatchObject({ status: 'succeeded' })
    expect(site.bodyOf('settings')).toEqual({ size: 1, other: 'x' })
  })

  it('does not bring back settings of a thing that others made again', async () => {
    const document = aDocument({
      thing: aListedType('size: { type: number }\ncreated: { computed: true, immutable: true }'),
      setting: settingsOfThing,
    })
    await using site = await world({
      document,
      server: { route: lists },
      resources: [
        thing('a', 1),
        { type: 'api_setting', name: 's', spec: { thing: '${resource.api_thing.a.id}', size: 2 } },
      ],
      live: { 1: { id: '1', name: 'a', size: 1, created: 'then' }, '1/settings': { size: 1 } },
    })
    const { id } = await site.applied()
    expect(site.bodyOf('1/settings')).toEqual({ size: 2 })
    site.put('1', { id: '1', name: 'a', size: 1, created: 'now' })
    const { plan } = await site.undo(id)
    expect(plan.changes).toMatchObject([{ blocked: { reason: 'not_undone' } }])
    expect(site.bodyOf('1/settings')).toEqual({ size: 2 })
  })

  it('goes to the object that an update has made anew under another id', async () => {
    /** As Alertmanager: a change ends an object and makes another one; an id that ended makes one more. */
    const route: typeof lists = (request, state) => {
      if (request.method !== 'POST') return lists(request, state)
      const { id: former, ...rest } = JSON.parse(request.body) as { readonly id?: string }
      const id = `${state.size + 10 + request.body.length}`
      if (former !== undefined) state.delete(`/things/${former}`)
      state.set(`/things/${id}`, JSON.stringify({ id, ...rest }))
      return { status: 200, body: JSON.stringify({ given: id }) }
    }
    const type = `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
  create: { method: POST, path: /things, produces: { id: given } }
  update: { method: POST, path: /things, body: { id: "{id}", "...": "{fields}" }, produces: { id: given } }
  delete: { method: DELETE, path: "/things/{id}" }
identity: { keys: [name] }
serverId: { id: id }
lookup: { list: {}, match: [name] }
parts: [{ name: main, read: retrieve, write: { op: update, send: full }, attributes: { name: {}, size: { type: number } } }]
`
    await using site = await world({
      document: aDocument({ thing: type }),
      server: { route },
      resources: [thing('a', 22)],
      live: { 1: { id: '1', name: 'a', size: 1 } },
    })
    const { id } = await site.applied()
    const [made] = site.dump()
    expect(made?.[1]).toContain('"size":22')
    const undone = await site.undo(id)
    expect(undone.apply).toMatchObject({ status: 'succeeded' })
    expect(site.dump().map(([, text]) => JSON.parse(text) as Json)).toEqual([
      { id: expect.any(String) as string, name: 'a', size: 1 },
    ])
    expect((await site.check()).plan.changes).toMatchObject([{ action: 'update' }])
  })

  it('creates again what was deleted, and the next check deletes it again', long, async () => {
    await using site = await world({ resources: [thing('a', 1), thing('b', 1)] })
    await site.applied()
    const before = site.dump()
    site.want([thing('a', 1)])
    const { id } = await site.applied()
    expect(site.sent().at(-1)).toBe('DELETE /things/b')
    expect((await site.undo(id)).apply).toMatchObject({ status: 'succeeded' })
    expect(site.dump()).toEqual(before)
    expect((await site.check()).plan.changes).toMatchObject([{ address: 'api_thing.b', action: 'delete' }])
  })

  it('sends nothing for what has moved since, and names what moved', async () => {
    await using site = await world({
      resources: [thing('a', 2), thing('b', 2)],
      live: { a: { name: 'a', size: 1 }, b: { name: 'b', size: 1 } },
    })
    const { id } = await site.applied()
    site.put('a', { name: 'a', size: 3 })
    const { plan, apply } = await site.undo(id)
    expect(plan.changes).toMatchObject([
      {},
      {
        address: 'api_thing.a',
        blocked: { reason: 'not_undone', detail: 'it has moved since the apply: size' },
      },
    ])
    expect(apply.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'blocked'])
    expect([site.bodyOf('a'), site.bodyOf('b')]).toMatchObject([{ size: 3 }, { size: 1 }])
  })

  it('sends nothing for what a later apply has changed, and names that apply', async () => {
    await using site = await world({ resources: [thing('a', 2)], live: { a: { name: 'a', size: 1 } } })
    const { id } = await site.applied()
    site.want([thing('a', 3)])
    const later = await site.applied()
    const { plan } = await site.planned(id)
    expect(plan.commands).toEqual([])
    expect(plan.changes[0]?.blocked?.detail).toContain(`apply ${later.id} of`)
  })

  it('is refused if an object moves between the plan and the apply of the undo', async () => {
    await using site = await world({ resources: [thing('a', 2)], live: { a: { name: 'a', size: 1 } } })
    const { id } = await site.applied()
    const { plan } = await site.planned(id)
    site.put('a', { name: 'a', size: 3 })
    const writes = site.sent().length
    expect(await site.apply(plan.digests.commands)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(site.sent()).toHaveLength(writes)
  })

  it('is done once, and cannot be undone itself', async () => {
    await using site = await world({ resources: [thing('a', 2)], live: { a: { name: 'a', size: 1 } } })
    const { id } = await site.applied()
    const { apply, plan } = await site.undo(id)
    site.clock.forward(1_000)
    expect(await site.apply(plan.digests.commands)).toMatchObject({ status: 'refused' })
    expect((await site.planned(id)).plan).toMatchObject({ changes: [], commands: [] })
    await expect(site.planned(apply.id)).rejects.toMatchObject({ code: 'UNDO_IMPOSSIBLE' })
  })

  it('is sent once, if two people ask for it and approve it at the same time', async () => {
    await using site = await world({ resources: [thing('a', 2)], live: { a: { name: 'a', size: 1 } } })
    const { id } = await site.applied()
    const both = await Promise.all([site.planned(id), site.planned(id)])
    const [one, other] = both.map(({ plan }) => plan.digests.commands)
    expect(one).toBe(other)
    const writes = site.sent().length
    site.clock.forward(1_000)
    const ended = await Promise.allSettled(both.map(({ plan }) => site.apply(plan.digests.commands)))
    const statuses = ended.map((each) => (each.status === 'fulfilled' ? each.value.status : 'refused'))
    expect(statuses.toSorted()).toEqual(['refused', 'succeeded'])
    expect(site.sent()).toHaveLength(writes + 1)
    expect(site.bodyOf('a')).toMatchObject({ size: 1 })
  })

  it(
    'of elements brings back those that were removed and changed, and removes those that were added',
    long,
    async () => {
      const tags = (...all: readonly Json[]) => [aThing('a', { size: 1, tags: [...all] })]
      await using site = await world({
        document: aDocument({ thing: taggedType }),
        resources: tags({ id: 'x', color: 'red' }, { id: 'y', color: 'red' }),
        server: { route: tagRoute },
      })
      await site.applied()
      const before = site.dump()
      site.want(tags({ id: 'y', color: 'blue' }, { id: 'z', color: 'blue' }))
      const { id, status } = await site.applied()
      expect(status).toBe('succeeded')
      const { apply } = await site.undo(id)
      expect(apply).toMatchObject({ status: 'succeeded' })
      expect(site.dump()).toEqual(before)
    },
  )

  it('says of a deleted object with an id of the server that it gets another one', async () => {
    await using site = await world({
      document: aDocument({ thing: aListedType('size: { type: number }') }),
      resources: [thing('a', 1), thing('b', 1)],
      server: { route: listRoute },
    })
    await site.applied()
    site.want([thing('a', 1)])
    const { id } = await site.applied()
    const { plan, apply } = await site.undo(id)
    expect(plan.commands).toMatchObject([{ request: { method: 'POST' } }])
    expect(apply).toMatchObject({ status: 'succeeded' })
    expect((await site.check()).plan.changes).toMatchObject([{ address: 'api_thing.b', action: 'delete' }])
  })
})

const listRoute: NonNullable<NonNullable<Parameters<typeof aWorld>[0]['server']>['route']> = (
  { method, url },
  state,
) =>
  method === 'GET' && url.split('?')[0] === '/things'
    ? { status: 200, body: `[${[...state.values()].join(',')}]` }
    : undefined

const tagRoute: typeof listRoute = ({ method, url }, state) => {
  if (method !== 'GET' || !url.endsWith('/tags')) return undefined
  const tags = [...state].filter(([path]) => path.startsWith(`${url}/`)).map(([, text]) => text)
  return { status: 200, body: `{"tags":[${tags.join(',')}]}` }
}
