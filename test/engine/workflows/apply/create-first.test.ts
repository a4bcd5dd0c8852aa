import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { hasEnded } from '../../../../core/engine/schema/stored/records.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { forgetRecords } from '../../../../core/engine/workflows/state/forget-records.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { lawStep } from '../../../builders/laws.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'
import { type CrashPoint, untilDeath } from '../../../builders/time/crash-point.ts'
import { actor, movableClock } from '../../../builders/workspaces/workspace.ts'

/* An object gets a successor: whoever points at it is changed in between, and only then the old one goes. */

/** Objects with ids of the server; one list for each kind. */
const aType = (place: string, attributes: string): string => `
    operations:
      list: { method: GET, path: /${place} }
      retrieve: { method: GET, path: "/${place}/{id}" }
      create: { method: POST, path: /${place}, produces: { id: id } }
      update: { method: PATCH, path: "/${place}/{id}" }
      delete: { method: DELETE, path: "/${place}/{id}" }
    identity: { keys: [name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { onImmutable: replace, replace: { order: createFirst } }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, ${attributes} } }]`

const document = `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_box:${aType('boxes', 'kind: { immutable: true }')}
  api_item:${aType('items', 'box: {}')}
  api_seal:${aType('seals', 'box: { immutable: true }')}
`

const box = (kind: string): JsonObject => ({ type: 'api_box', name: 'b', spec: { name: 'b', kind } })
const boxId = `\${resource.api_box.b.id}`
const item = (name: string): JsonObject => ({ type: 'api_item', name, spec: { name, box: boxId } })
const seal: JsonObject = { type: 'api_seal', name: 's', spec: { name: 's', box: boxId } }

const open = async (more: readonly JsonObject[]) => {
  let last = 0
  const dangling: string[] = []
  const server = await startThings({
    route: ({ method, url, body }, state) => {
      const [path = ''] = url.split('?')
      const isList = path.split('/').length === 2
      if (method === 'GET' && isList) {
        const found = [...state].filter(([each]) => each.startsWith(`${path}/`)).map(([, text]) => text)
        return { status: 200, body: `[${found.join(',')}]` }
      }
      if (method === 'DELETE') {
        const points = [...state.values()].some((text) => `/boxes/${(JSON.parse(text) as JsonObject)['box']}` === path)
        if (points) dangling.push(path)
      }
      if (method !== 'POST') return undefined
      last += 1
      const made = JSON.stringify({ id: String(last), ...(JSON.parse(body) as JsonObject) })
      state.set(`${path}/${last}`, made)
      return { status: 201, body: made }
    },
  })
  const clock = movableClock()
  const drive = driveDocument(server, document, [box('a'), ...more], { clock })
  const converge = async () => {
    const { digest, plan } = await drive.check()
    return plan.commands.length === 0 ? undefined : drive.apply(digest)
  }
  expect(await converge()).toMatchObject({ status: 'succeeded' })
  server.received.splice(0)
  drive.want([box('b'), ...more])
  // Independent objects get their ids in any order.
  const paths = new Map([...server.state].map(([path, text]) => [String(JSON.parse(text).name), path]))
  const first = (name: string): string => paths.get(name) ?? expect.unreachable(name)
  const all = () => [...server.state].map(([path, text]): JsonObject => ({ ...(JSON.parse(text) as JsonObject), path }))
  const sent = () => server.writes().map(({ method, url }) => `${method} ${url}`)
  return { ...drive, server, clock, converge, all, first, sent, dangling }
}

describe('a replacement that creates first', () => {
  it('deletes the old object when its dependents are changed', async () => {
    const world = await open([item('x'), item('y'), seal])
    await using _ = world.server
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
    const { first } = world
    const sent = world.sent()
    expect([sent.at(0), sent.at(-1)]).toEqual(['POST /boxes', `DELETE ${first('b')}`])
    const changes = ['POST /seals', `DELETE ${first('s')}`, `PATCH ${first('x')}`, `PATCH ${first('y')}`]
    expect(sent.slice(1, -1).toSorted()).toEqual(changes.toSorted())
    expect(sent.indexOf('POST /seals')).toBeLessThan(sent.indexOf(`DELETE ${first('s')}`))
    const made = world.all().find((each) => each['name'] === 'b')
    expect(made).toMatchObject({ kind: 'b' })
    const others = world.all().filter((each) => each['name'] !== 'b')
    expect(others.map((each) => each['box'])).toEqual(others.map(() => made?.['id']))
    expect(world.server.state.size).toBe(4)
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('keeps the old object if a dependent fails, and the next apply does the rest', long, async () => {
    const world = await open([item('x'), item('y'), seal])
    await using _ = world.server
    const { route } = world.server.behaviour
    world.server.behaviour.route = (request, state) =>
      request.method === 'PATCH' && request.url === world.first('y')
        ? { status: 422, body: '{}' }
        : route?.(request, state)
    const apply = await world.converge()
    expect(apply?.status).toBe('failed')
    expect(apply?.outcomes.find(({ command }) => command === 'api_box.b#2')).toMatchObject({
      status: 'skipped',
      because: 'api_item.y#1',
    })
    expect(world.sent()).not.toContain(`DELETE ${world.first('b')}`)
    const old = world.first('b').split('/').at(-1)
    expect(world.all().find((each) => each['path'] === world.first('b'))).toMatchObject({ kind: 'a' })
    expect(world.all().find((each) => each['path'] === world.first('y'))).toMatchObject({ box: old })
    expect(world.all().find((each) => each['path'] === world.first('x'))).not.toMatchObject({ box: old })
    world.server.behaviour.route = route!
    world.server.received.splice(0)
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
    expect((await world.check()).run.status).toBe('in_sync')
    expect(world.server.state.size).toBe(4)
  })

  /** Each create is answered by an error of a gateway; what it made is there or not. Others made one of its name before. */
  const openLost = async (isMade: boolean, other?: 'b' | 'c') => {
    const world = await open([item('x')])
    const old = world.first('b')
    if (other !== undefined) world.server.state.set('/boxes/90', JSON.stringify({ id: '90', name: 'b', kind: other }))
    const { route } = world.server.behaviour
    world.server.behaviour.route = (request, state) => {
      if (request.method !== 'POST') return route?.(request, state)
      if (isMade) route?.(request, state)
      return { status: 502, body: '{}' }
    }
    expect((await world.converge())?.status).toBe('failed')
    world.server.behaviour.route = route!
    world.server.received.splice(0)
    const look = async () => {
      const { plan } = await world.check()
      const { detail } = plan.unchecked.find(({ address }) => address === beside) ?? {}
      return { blocked: plan.changes.find(({ address }) => address === 'api_box.b')?.blocked, detail }
    }
    const made = world.all().find(({ kind, id }) => kind === 'b' && id !== '90')
    const name = (id: JsonObject[string] | undefined) => world.want([box('b'), item('x')], importOf(id))
    return { ...world, look, old, made, name }
  }
  const importOf = (id: JsonObject[string] | undefined): JsonObject => ({
    import: [{ to: 'api_box.b', id: { id: id ?? null } }],
  })
  const beside = 'api_box.b (object 2)'

  it('goes on with the object that its create made, if the answer was lost, once a person names it', long, async () => {
    const world = await openLost(true)
    await using _ = world.server
    expect((await world.look()).blocked?.detail).toMatch(/name the id of what it made under import/)
    expect(await world.converge()).toBeUndefined()
    world.name(world.made?.['id'])
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
    expect(world.sent()).toEqual([`PATCH ${world.first('x')}`, `DELETE ${world.old}`])
    expect(world.all().filter(({ name }) => name === 'b')).toEqual([world.made])
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('keeps its former object where others made what it would have made', async () => {
    const world = await openLost(false, 'b')
    await using _ = world.server
    for (const _time of [1, 2]) {
      expect((await world.look()).blocked).toMatchObject({ reason: 'unanswered' })
      await world.converge()
    }
    expect(world.sent()).toEqual([])
    expect(world.server.state.has(world.old)).toBe(true)
  })

  it('goes on with no object that is another one in what never changes, although it is named', async () => {
    const world = await openLost(true, 'c')
    await using _ = world.server
    world.name('90')
    expect(await world.converge()).toBeUndefined()
    expect(world.server.state.has(world.old)).toBe(true)
    world.name(world.made?.['id'])
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
    expect(world.sent()).toEqual([`PATCH ${world.first('x')}`, `DELETE ${world.old}`])
    expect((await world.check()).run.status).toBe('in_sync')
    expect(world.server.state.has('/boxes/90')).toBe(true)
  })

  it(
    'makes no other object if several may be the one that its create made, and goes on when one of them is named',
    long,
    async () => {
      const world = await openLost(true, 'b')
      await using _ = world.server
      const { blocked, detail } = await world.look()
      expect(blocked).toMatchObject({
        reason: 'unanswered',
        detail: expect.stringContaining('delete by hand what nobody needs'),
      })
      expect(detail).not.toContain('import')
      expect(detail).toContain('delete by hand what nobody needs')
      await world.converge()
      expect(world.sent()).toEqual([])
      world.name(world.made?.['id'])
      expect(await world.converge()).toMatchObject({ status: 'succeeded' })
      expect(world.server.state.has('/boxes/90')).toBe(true)
      world.server.state.delete('/boxes/90')
      expect((await world.check()).run.status).toBe('in_sync')
    },
  )

  it(
    'makes another object after the record of the create is forgotten, as what is told says, if what is there is of others',
    long,
    async () => {
      const world = await openLost(false, 'c')
      await using _ = world.server
      const { blocked, detail } = await world.look()
      for (const each of [blocked?.detail, detail]) expect(each).toContain(`plumbline state rm '${beside}'`)
      await world.converge()
      expect(world.sent()).toEqual([])
      await putWorkspace({ bundle: await world.deps.config.load('things'), actor }, world.deps)
      const forgotten = { workspace: 'things', addresses: [beside], reason: 'it is of others', actor }
      await forgetRecords(forgotten, world.deps)
      expect(await world.converge()).toMatchObject({ status: 'succeeded' })
      expect(world.sent().filter((each) => each.startsWith('POST'))).toHaveLength(1)
      expect((await world.check()).run.status).toBe('in_sync')
      expect(
        world
          .all()
          .flatMap(({ name, kind }) => (name === 'b' ? [kind] : []))
          .toSorted(),
      ).toEqual(['b', 'c'])
    },
  )

  /** The same objects under another address of the box. */
  const readdressed = (key: string | undefined): readonly JsonObject[] => {
    const moved: JsonObject = { ...box('b'), name: 'n', ...(key !== undefined && { forEach: [key] }) }
    const id = key === undefined ? 'resource.api_box.n.id' : `resource.api_box.n["${key}"].id`
    return [moved, { ...item('x'), spec: { name: 'x', box: `\${${id}}` } }]
  }
  const others = [
    ['and no entry says so', { to: 'api_box.n', key: undefined, moved: undefined }],
    ['by an entry of moved', { to: 'api_box.n', key: undefined, moved: [{ from: 'api_box.b', to: 'api_box.n' }] }],
    ['to one with a key', { to: 'api_box.n["k"]', key: 'k', moved: [{ from: 'api_box.b', to: 'api_box.n["k"]' }] }],
  ] as const

  eachOf(it, 1)(others)('makes no further object if its address changes after a lost answer, %s', async (_, one) => {
    const world = await openLost(true)
    await using _server = world.server
    const { to, key, moved } = one
    const want = (more: JsonObject) => world.want(readdressed(key), { ...(moved && { moved: [...moved] }), ...more })
    want({})
    for (const _time of [1, 2]) {
      const { plan } = await world.check()
      expect(plan.changes.find(({ address }) => address === to)?.blocked).toMatchObject({
        reason: 'unanswered',
        detail: expect.stringContaining(`plumbline state rm '${to} (object 2)'`),
      })
      await world.converge()
    }
    expect(world.sent()).toEqual([])
    want({ import: [{ to, id: { id: world.made?.['id'] ?? null } }] })
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
    expect(world.sent()).toEqual([`PATCH ${world.first('x')}`, `DELETE ${world.old}`])
    expect((await world.check()).run.status).toBe('in_sync')
  })

  eachOf(it, 1)(others)(
    'goes on at once if its address changes after a lost answer and a person names what it made, %s',
    async (_, one) => {
      const world = await openLost(true)
      await using _server = world.server
      const { to, key, moved } = one
      const named = { import: [{ to, id: { id: world.made?.['id'] ?? null } }] }
      world.want(readdressed(key), { ...(moved && { moved: [...moved] }), ...named })
      expect(await world.converge()).toMatchObject({ status: 'succeeded' })
      expect(world.sent()).toEqual([`PATCH ${world.first('x')}`, `DELETE ${world.old}`])
      expect((await world.check()).run.status).toBe('in_sync')
      const { resources } = await loadRecorded(world.deps.store, 'things')
      expect(resources.map(({ address }) => address)).toEqual([to, 'api_item.x'])
    },
  )

  eachOf(it, 1)(others)(
    'deletes its former object and not the newer one if a worker dies before that and its address changes, %s',
    async (_, one) => {
      const world = await open([item('x')])
      await using _server = world.server
      const { digest } = await world.check()
      const request = { workspace: 'things', mode: 'execute', digest, reason: 'test', actor } as const
      const { id } = await requestApply(request, world.deps)
      const run = { workspace: 'things', applyId: id, patient: true }
      const beforeDelete: CrashPoint = { at: 'send', when: 'before', n: 3 }
      expect(await untilDeath(world.deps, beforeDelete, (deps) => runApply(run, deps))).toBe('died')
      expect(world.sent()).toEqual(['POST /boxes', `PATCH ${world.first('x')}`])
      world.clock.forward(61_000)
      world.server.received.splice(0)
      const made = world.all().find(({ kind }) => kind === 'b')
      const { key, moved } = one
      world.want(readdressed(key), { ...(moved && { moved: [...moved] }) })
      expect(await world.converge()).toMatchObject({ status: 'succeeded' })
      expect(world.sent()).toEqual([`DELETE ${world.first('b')}`])
      expect(world.all().filter(({ name }) => name === 'b')).toEqual([made])
      expect((await world.check()).run.status).toBe('in_sync')
    },
  )

  eachOf(
    it,
    1,
  )([
    ['at once', false],
    ['after a check', true],
  ])('keeps the object that always matched if the configuration goes back %s', async (_, isSeen) => {
    const world = await open([item('x'), item('y')])
    await using _server = world.server
    const { route } = world.server.behaviour
    world.server.behaviour.route = (request, state) =>
      request.method === 'PATCH' && request.url === world.first('y')
        ? { status: 422, body: '{}' }
        : route?.(request, state)
    expect((await world.converge())?.status).toBe('failed')
    world.server.behaviour.route = route!
    if (isSeen) await world.check()
    const made = String(world.all().find((each) => each['kind'] === 'b')?.['path'])
    world.want([box('a'), item('x'), item('y')])
    world.server.received.splice(0)
    const { plan, digest } = await world.check()
    expect(plan.changes.map(({ action, address, reason }) => [action, address, reason])).toEqual([
      ['update', 'api_item.x', undefined],
      ['delete', 'api_box.b (object 2)', 'delete_because_former'],
    ])
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(world.sent()).toEqual([`PATCH ${world.first('x')}`, `DELETE ${made}`])
    expect(world.server.state.has(world.first('b'))).toBe(true)
    expect(world.dangling).toEqual([])
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('keeps the former object as long as it is not known what a dependent refers to', long, async () => {
    const world = await open([item('x'), item('y')])
    await using _server = world.server
    const { route } = world.server.behaviour
    const y = world.first('y')
    world.server.behaviour.route = (request, state) =>
      request.method === 'PATCH' && request.url === y ? { status: 422, body: '{}' } : route?.(request, state)
    expect((await world.converge())?.status).toBe('failed')
    world.server.behaviour.route = (request, state) =>
      request.method === 'GET' && request.url === y ? { status: 500, body: '{}' } : route?.(request, state)
    world.server.received.splice(0)
    const { plan } = await world.check()
    expect(plan.unchecked.map(({ address }) => address)).toEqual(['api_item.y'])
    expect(plan.changes).toMatchObject([{ address: 'api_box.b (object 2)', blocked: { reason: 'dependent_kept' } }])
    expect(plan.commands).toEqual([])
    world.server.behaviour.route = route!
    expect(await world.converge()).toMatchObject({ status: 'succeeded' })
    expect((await world.check()).run.status).toBe('in_sync')
  })

  it('keeps the old object if a dependent cannot be changed, and says why', async () => {
    const fixed = { ...seal, lifecycle: { onImmutable: 'report' } }
    const world = await open([item('x'), fixed])
    await using _ = world.server
    const { plan } = await world.check()
    expect(plan.commands).toEqual([])
    expect(plan.changes.map(({ address, blocked }) => [address, blocked?.reason])).toEqual([
      ['api_box.b', 'dependent_kept'],
      ['api_item.x', 'dependency_unknown'],
      ['api_seal.s', 'immutable'],
    ])
    expect(plan.changes[0]?.blocked?.detail).toContain('api_seal.s needs the old object and is not changed')
  })

  it('changes all dependents in an apply of a part, or keeps the old object', async () => {
    const world = await open([item('x'), item('y'), seal])
    await using _ = world.server
    const { plan } = await world.check()
    for (const target of ['api_box.b', 'api_item.x', 'api_seal.s']) {
      expect(narrowPlan(plan, { targets: [target] }).commands).toEqual(plan.commands)
    }
    expect(() => narrowPlan(plan, { exclude: ['api_item.x'] })).toThrow(
      expect.objectContaining({ code: 'TARGET_EXCLUDED' }),
    )
  })

  const moments = [
    { at: 'intent', when: 'after' },
    { at: 'attempt', when: 'after' },
    { at: 'send', when: 'before' },
    { at: 'send', when: 'after' },
    { at: 'result', when: 'after' },
  ] as const satisfies readonly Omit<CrashPoint, 'n'>[]
  it.each(moments)('deletes nothing that others still refer to if a worker dies $when $at', async (moment) => {
    for (let n = 1; ; n += lawStep(3)) {
      const world = await open([item('x'), seal])
      await using _ = world.server
      const { digest } = await world.check()
      const { id } = await requestApply(
        { workspace: 'things', mode: 'execute', digest, reason: 'test', actor },
        world.deps,
      )
      const run = { workspace: 'things', applyId: id, patient: true }
      const end = await untilDeath(world.deps, { ...moment, n }, (deps) => runApply(run, deps))
      if (end !== 'died') return expect(n).toBeGreaterThan(5)
      world.clock.forward(61_000)
      const ended = await runApply(run, world.deps)
      expect(hasEnded(ended)).toBe(true)
      for (let again = 0; again < 3; again += 1) await world.converge()
      expect(world.dangling).toEqual([])
      const isHeld = (await world.check()).plan.changes.some(({ blocked }) => blocked?.reason === 'unanswered')
      if (isHeld) {
        world.want([box('b'), item('x'), seal], importOf(world.all().find(({ kind }) => kind === 'b')?.['id']))
        for (let again = 0; again < 3; again += 1) await world.converge()
      }
      const { plan } = await world.check()
      // What it may need is kept, and that is said too.
      const kept = plan.changes.filter(({ action, blocked }) => action === 'delete' && blocked !== undefined)
      expect(plan.changes).toEqual(kept)
      for (const { address, detail } of plan.unchecked) expect(detail).toContain(`plumbline state rm '${address}'`)
      expect(kept.length).toBeLessThanOrEqual(plan.unchecked.length)
      expect(world.server.state.size).toBe(3 + plan.unchecked.length + kept.length)
      expect(world.server.state.has(world.first('b'))).toBe(kept.length === 1)
    }
  })
})
