import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../core/engine/schema/json.ts'
import { getApply, listApplies } from '../../../../../core/engine/state/applies/applies.ts'
import { requestApply } from '../../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../../core/engine/workflows/apply/run-apply.ts'
import { verifyLedger } from '../../../../../core/engine/workflows/records/verify-ledger.ts'
import { renderCommands } from '../../../../../core/pages/render/plain/render-commands.ts'
import { lawStep } from '../../../../builders/laws.ts'
import { long } from '../../../../builders/long.ts'
import { type SlowOptions, slowResource, startSlow } from '../../../../builders/servers/slow-things.ts'
import { driveThings } from '../../../../builders/servers/things-api.ts'
import { withCrash } from '../../../../builders/time/crash-point.ts'
import { actor, handingOverIn } from '../../../../builders/workspaces/workspace.ts'

const workspace = 'things'

const open = async (
  options: SlowOptions = {},
  specs: Record<string, JsonObject> = { a: { name: 'a', size: 1 } },
  wait?: string,
) => {
  const slow = await startSlow(options)
  const drive = driveThings(slow, slowResource(wait), specs)
  const digest = async () => {
    const { plan } = await drive.check()
    return plan?.digests.commands ?? ''
  }
  const all = async () => drive.apply(await digest())
  const request = async () => {
    const { id } = await requestApply(
      { workspace, mode: 'execute', digest: await digest(), reason: 'r', actor },
      drive.deps,
    )
    return id
  }
  return { slow, ...drive, all, request, [Symbol.asyncDispose]: () => slow[Symbol.asyncDispose]() }
}

const statuses = (outcomes: readonly { readonly status: string }[]) => outcomes.map(({ status }) => status)

describe('a command whose request was only accepted', () => {
  it('is done when the state of the object says so, and is planned no more', async () => {
    await using it = await open()
    const applied = await it.all()
    expect(applied).toMatchObject({ status: 'succeeded' })
    expect(it.slow.writes()).toEqual(['POST /things'])
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    it.want({ a: { name: 'a', size: 2 } })
    expect(await it.all()).toMatchObject({ status: 'succeeded' })
    it.want({})
    expect(await it.all()).toMatchObject({ status: 'succeeded' })
    expect(it.slow.writes()).toEqual(['POST /things', 'PATCH /things/t-1', 'DELETE /things/t-1'])
    expect(it.slow.things.size).toBe(0)
    const kinds = (await it.ledger()).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'waiting')).toHaveLength(3)
    expect(await verifyLedger({ workspace }, it.deps)).toMatchObject({ ok: true })
  })

  it('is approved together with the way of waiting, which is shown', async () => {
    await using it = await open()
    const { plan } = await it.check()
    const text = renderCommands(plan?.commands ?? [], { width: 300 })
    expect(text).toContain('waits until state is OK, at most 1 min')
    expect(it.slow.writes()).toEqual([])
    expect(await it.apply(plan?.digests.commands ?? '', 'check')).toMatchObject({ status: 'succeeded' })
    expect(it.slow.writes()).toEqual([])
  })

  it('fails with its reason when it fails later, and its dependents are skipped', async () => {
    await using it = await open({ ends: 'ERRED' }, { a: { name: 'a' }, b: { name: '${resource.api_thing.a.id}' } })
    const applied = await it.all()
    expect(statuses(applied.outcomes)).toEqual(['failed', 'skipped'])
    expect(applied.error?.message).toContain('it is ERRED: no quota')
    expect(it.slow.writes()).toEqual(['POST /things'])
    const { plan } = await it.check()
    expect(plan?.unchecked).toMatchObject([{ address: 'api_thing.a', reason: 'erred' }, {}])
  })

  it('fails where an answer contains the sign of a failure, whatever its state is', async () => {
    const wait =
      'wait: { poll: retrieve, state: state, ok: [OK], failed: [{ place: reason, exists: true }], message: reason, intervalSeconds: 1 }'
    await using it = await open({ ends: 'ERRED' }, undefined, wait)
    const applied = await it.all()
    expect(statuses(applied.outcomes)).toEqual(['failed'])
    expect(applied.error?.message).toContain('it failed: no quota')
  })

  it('is unknown when it takes too long, and is not sent again', async () => {
    await using it = await open({ reads: 1_000 })
    const applied = await it.all()
    expect(applied.outcomes).toMatchObject([{ status: 'unknown', detail: expect.stringContaining('it is CREATING') }])
    expect(applied.error?.message).toMatch(/^api_thing\.a#1 is still running: /)
    const { plan, run } = await it.check()
    expect(run.status).toBe('incomplete')
    expect(plan?.unchecked).toMatchObject([{ reason: 'busy', detail: expect.stringContaining('CREATING') }])
    expect(plan?.commands).toEqual([])
  })

  it('is polled through failures of the target', async () => {
    await using it = await open({ faults: [500, 403, 404] })
    expect(await it.all()).toMatchObject({ status: 'succeeded' })
    expect(it.slow.writes()).toEqual(['POST /things'])
  })

  it('is polled at its Location', async () => {
    const wait = 'wait: { poll: { location: true }, intervalSeconds: 1 }'
    await using it = await open({ location: '', reads: 3 }, undefined, wait)
    expect(await it.all()).toMatchObject({ status: 'succeeded' })
    expect(it.slow.log.filter((line) => line === 'GET /operations/t-1').length).toBeGreaterThan(1)
  })

  it('stores no secret of a Location, and says that no other worker can continue without it', async () => {
    const wait = 'wait: { poll: { location: true }, intervalSeconds: 1, timeoutSeconds: 20 }'
    await using it = await open({ location: '?access_token=c4n4ry', reads: 100 }, undefined, wait)
    const apply = await it.request()
    let asked = 0
    await runApply({ workspace, applyId: apply, shouldStop: () => ++asked > 4 }, it.deps)
    expect(it.slow.log.at(-1)).toContain('c4n4ry')
    const { outcomes } = await runApply({ workspace, applyId: apply }, it.deps)
    expect(outcomes).toMatchObject([{ status: 'unknown', detail: expect.stringContaining('not stored') }])
    expect(JSON.stringify(await it.ledger())).not.toContain('c4n4ry')
    expect(it.slow.writes()).toEqual(['POST /things'])
  })

  it('is found by its keys where no answer had its id', async () => {
    await using slow = await startSlow({ reads: 4 })
    const silent = slowResource().replace(', produces: { id: id }', '')
    const { check, apply } = driveThings(slow, silent, { a: { name: 'a', size: 1 } })
    const digest = (await check()).plan?.digests.commands ?? ''
    expect(await apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(slow.log).toContain('GET /things/t-1')
  })

  it('is not waited for where its operation says so', async () => {
    await using slow = await startSlow()
    const hasty = slowResource().replace('path: /things, produces', 'path: /things, wait: none, produces')
    const { check } = driveThings(slow, hasty, { a: { name: 'a' } })
    expect((await check()).plan?.commands.map(({ wait }) => wait)).toEqual([undefined])
  })

  it('can be deleted in a state of error', async () => {
    await using it = await open()
    await it.all()
    it.want({ a: { name: 'a', size: 2 } })
    it.slow.behaviour.ends = 'ERRED'
    expect(await it.all()).toMatchObject({ status: 'failed' })
    expect((await it.check()).plan?.unchecked).toMatchObject([{ reason: 'erred' }])
    it.want({})
    expect(await it.all()).toMatchObject({ status: 'succeeded' })
    expect(it.slow.things.size).toBe(0)
  })
})

describe.each([
  ['one worker', 1_000_000],
  ['several workers', 20_000],
])('an object that is still being made when %s has waited long enough, and that nothing shows', (_, ms) => {
  const wanted = { a: { name: 'a', size: 1 } }
  const waited = async () => {
    const wait = 'wait: { poll: { location: true }, intervalSeconds: 1, timeoutSeconds: 60 }'
    const it = await open({ reads: 1_000, hidden: true, location: '' }, wanted, wait)
    const applyId = await it.request()
    const run = () => runApply({ workspace, applyId }, handingOverIn(ms, it.deps))
    while ((await run()).status === 'queued');
    expect((await getApply(it.deps.store, workspace, applyId)).outcomes).toMatchObject([{ running: true }])
    const { plan } = await it.check()
    expect(plan).toMatchObject({ commands: [], unchecked: [{ address: 'api_thing.a', reason: 'ambiguous' }] })
    expect(plan.unchecked[0]?.detail).toContain('was still at work on it when the apply ended')
    return it
  }

  it('is found when it comes', async () => {
    await using it = await waited()
    for (const thing of it.slow.things.values()) Object.assign(thing, { state: 'OK', left: 0 })
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    expect(it.slow.writes()).toEqual(['POST /things'])
  })

  it('is made again once a person says that nothing will come', async () => {
    await using it = await waited()
    it.slow.things.clear()
    it.want(wanted, { gone: [{ address: 'api_thing.a', reason: 'the order was cancelled' }] })
    it.slow.behaviour.hidden = false
    it.slow.behaviour.reads = 2
    expect(await it.all()).toMatchObject({ status: 'succeeded' })
    expect(it.slow.writes()).toEqual(['POST /things', 'POST /things'])
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('is left alone once its resource is given up', async () => {
    await using it = await waited()
    it.want({}, { removed: [{ address: 'api_thing.a', reason: 'not needed' }] })
    expect((await it.check()).plan).toMatchObject({ commands: [], unchecked: [] })
  })
})

describe('a worker that ends while it waits', () => {
  it('hands over, and the write is never sent again', long, async () => {
    await using it = await open(
      { reads: 30 },
      { a: { name: 'a', size: 1 }, b: { name: 'b${resource.api_thing.a.id}' } },
    )
    const apply = await it.request()
    let invocations = 0
    for (;;) {
      invocations += 1
      const { status } = await runApply({ workspace, applyId: apply }, handingOverIn(5_000, it.deps))
      if (status !== 'queued') break
      expect(it.queued.apply).toHaveLength(invocations + 1)
    }
    expect(await getApply(it.deps.store, workspace, apply)).toMatchObject({ status: 'succeeded' })
    expect(invocations).toBeGreaterThan(3)
    expect(it.slow.writes()).toEqual(['POST /things', 'POST /things'])
    expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
  })

  it('is continued after it was stopped by hand and requested again', async () => {
    await using it = await open({ reads: 10 })
    const apply = await it.request()
    let asked = 0
    const stopped = await runApply({ workspace, applyId: apply, shouldStop: () => ++asked > 4 }, it.deps)
    expect(stopped).toMatchObject({ status: 'running', outcomes: [] })
    expect(await runApply({ workspace, applyId: apply }, it.deps)).toMatchObject({ status: 'succeeded' })
    expect(it.slow.writes()).toEqual(['POST /things'])
  })

  describe.each([
    ['seen while it is made', false],
    ['hidden until it is there', true],
  ])('an object whose id no answer had is found: %s', (_, hidden) => {
    const silent = slowResource().replace(', produces: { id: id }', '')
    const stoppedAfter = async (asks: number, behaviour: SlowOptions) => {
      const slow = await startSlow({ ...behaviour, hidden })
      const drive = driveThings(slow, silent, { a: { name: 'a', size: 1 } })
      const { digest } = await drive.check()
      const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'r', actor }, drive.deps)
      let asked = 0
      await runApply({ workspace, applyId: id, shouldStop: () => ++asked > asks }, drive.deps)
      const end = () => runApply({ workspace, applyId: id }, drive.deps)
      return { slow, ...drive, end, [Symbol.asyncDispose]: () => slow[Symbol.asyncDispose]() }
    }

    it.each([2, 3, 4, 6])('by its keys, after the worker was stopped at question %s', async (asks) => {
      await using it = await stoppedAfter(asks, { reads: 8 })
      // What nobody can ask for goes on by itself.
      if (hidden) for (const each of it.slow.things.values()) Object.assign(each, { state: 'OK', left: 0 })
      expect(await it.end()).toMatchObject({ status: 'succeeded', outcomes: [{ status: 'succeeded' }] })
      expect(it.slow.writes()).toEqual(['POST /things'])
      expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
    })

    it('or the apply explains why it cannot be found, and sends nothing twice', long, async () => {
      await using it = await stoppedAfter(3, { reads: 1_000 })
      it.slow.things.clear()
      const { outcomes } = await it.end()
      expect(outcomes).toMatchObject([{ status: 'unknown', detail: expect.stringContaining('no value at "/ids/id"') }])
      expect(it.slow.writes()).toEqual(['POST /things'])
    })
  })

  it('reports what failed while nobody looked', async () => {
    await using it = await open(
      { reads: 10, ends: 'ERRED' },
      { a: { name: 'a' }, b: { name: '${resource.api_thing.a.id}' } },
    )
    const apply = await it.request()
    let asked = 0
    await runApply({ workspace, applyId: apply, shouldStop: () => ++asked > 4 }, it.deps)
    const ended = await runApply({ workspace, applyId: apply }, it.deps)
    expect(statuses(ended.outcomes)).toEqual(['failed', 'skipped'])
    expect(ended.outcomes[0]?.detail).toContain('no quota')
    expect(it.slow.writes()).toEqual(['POST /things'])
  })

  it('does not send again what timed out for an earlier worker', long, async () => {
    await using it = await open({ reads: 1_000, hidden: true }, { a: { name: 'a' }, z: { name: 'z' } })
    const apply = await it.request()
    for (let n = 0; n < 60; n += 1) {
      const { status } = await runApply({ workspace, applyId: apply }, handingOverIn(20_000, it.deps))
      if (status !== 'queued') break
    }
    expect(it.slow.writes()).toEqual(['POST /things', 'POST /things'])
  })

  const never = (): Promise<never> => new Promise(() => {})
  it('may die at any write to the store', async () => {
    let deaths = 0
    for (const when of ['before', 'after'] as const) {
      for (let n = 1; ; n += lawStep(7)) {
        await using it = await open(
          { reads: 4 },
          { a: { name: 'a', size: 1 }, b: { name: 'b${resource.api_thing.a.id}' } },
        )
        const apply = await it.request()
        const died = Promise.withResolvers<'died'>()
        const deps = withCrash(it.deps, { at: 'store', n, when }, () => {
          died.resolve('died')
          return never()
        })
        if ((await Promise.race([died.promise, runApply({ workspace, applyId: apply }, deps)])) !== 'died') break
        deaths += 1
        await runApply({ workspace, applyId: apply, patient: true }, it.deps)
        // What was sent without a note of its answer is looked at when it is done.
        for (const thing of it.slow.things.values()) Object.assign(thing, { state: 'OK', left: 0 })
        await it.all()
        expect([...it.slow.things.values()].map(({ name }) => name)).toEqual(['a', 'bt-1'])
        expect(await it.check()).toMatchObject({ run: { status: 'in_sync' } })
        expect(it.slow.writes()).toEqual(['POST /things', 'POST /things'])
        const { items } = await listApplies(it.deps.store, workspace, { limit: 10 })
        for (const { status } of items) expect(['succeeded', 'failed', 'refused']).toContain(status)
      }
    }
    expect(deaths).toBeGreaterThan(20 / lawStep(7))
  })
})
