import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '#core'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import { hasEnded } from '../../../../core/engine/schema/stored/records.ts'
import { listApplies } from '../../../../core/engine/state/applies/applies.ts'
import { acquireLock, releaseLock } from '../../../../core/engine/state/applies/lock.ts'
import { listUnfinished } from '../../../../core/engine/state/applies/unfinished-applies.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { resendApplies } from '../../../../core/engine/workflows/apply/resend-applies.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { openRecords } from '../../../../core/engine/workflows/records/open-records.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { applyHandler } from '../../../../functions/apply.ts'
import { lambdaContext } from '../../../builders/aws/api-event.ts'
import { sqsEvent, testDelivery } from '../../../builders/aws/sqs-event.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const minute = 60_000
const workspace = 'acme'

let folder: ReturnType<typeof temporaryFolder>
let world: ReturnType<typeof testDeps>
let deps: Deps
let digest: string

const start = async () => {
  const bundle = yaml(
    `workspace: acme\nproviders:\n  files: { source: host, with: { root: ${folder.path} } }\nresources:\n  - { type: host_file, name: motd, spec: { path: motd, content: right } }\n`,
  )
  writeFileSync(join(folder.path, 'motd'), 'wrong')
  world = testDeps({ bundle })
  deps = world.deps
  await putWorkspace({ bundle, actor }, deps)
  const { run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  digest = run.digests?.commands ?? ''
}
beforeEach(async () => {
  folder = temporaryFolder()
  await start()
})
afterEach(() => folder.remove())

const request = (more: { idempotencyKey?: string; own?: boolean } = {}, queue: Partial<Deps['queue']> = {}) =>
  requestApply(
    { workspace, mode: 'execute', digest, reason: 'repair', actor, ...more },
    { ...deps, queue: { ...deps.queue, ...queue } },
  )
const down: Deps['queue']['apply'] = async () =>
  Promise.reject(new AppError('QUEUE_UNAVAILABLE', { queue: 'applies', detail: 'time-out' }))
const applies = async () => (await listApplies(deps.store, workspace, { limit: 50 })).items
const described = async (id: string) => (await openRecords(deps.store, workspace)).apply(id)
const motd = () => readFileSync(join(folder.path, 'motd'), 'utf8')
const intact = async () =>
  expect(await (await openRecords(deps.store, workspace)).verifyLedger()).toMatchObject({ ok: true })
const tick = () => resendApplies(deps)
/** What is queued, worked off. */
const work = async () => {
  for (const { applyId } of world.queued.apply.splice(0)) await runApply({ workspace, applyId, patient: true }, deps)
}

describe('an apply whose message is lost', () => {
  it('is queued again, as its record says, and then done once', async () => {
    const { id } = await request()
    world.queued.apply.length = 0
    expect(await tick()).toEqual({ resent: [], stranded: [], failures: [], left: 0 })
    world.clock.forward(2 * minute)
    expect((await Promise.all([tick(), tick()])).flatMap(({ resent }) => resent)).toMatchObject([{ applyId: id }])
    expect(world.queued.apply).toEqual([{ workspace, applyId: id }])
    expect(await described(id)).toMatchObject({ status: 'queued', resent: 1 })
    await work()
    expect(await described(id)).toMatchObject({ status: 'succeeded' })
    expect(motd()).toBe('right')
    expect((await listUnfinished(deps.store)).items).toEqual([])
    world.clock.forward(60 * minute)
    expect(await tick()).toEqual({ resent: [], stranded: [], failures: [], left: 0 })
    await intact()
  })
  it('that is lost each time ends with its reason, in its record and in the ledger', async () => {
    const { id } = await request()
    let stranded = 0
    for (let passed = 0; passed < 180 && stranded === 0; passed += 1) {
      world.clock.forward(minute)
      stranded += (await tick()).stranded.length
    }
    expect(world.queued.apply.splice(0)).toHaveLength(6)
    expect(await described(id)).toMatchObject({ status: 'failed', error: { code: 'APPLY_STRANDED' } })
    expect((await listUnfinished(deps.store)).items).toEqual([])
    expect(motd()).toBe('wrong')
    await intact()
    // Whatever comes in later finds that it has ended.
    await runApply({ workspace, applyId: id }, deps)
    expect(motd()).toBe('wrong')
  })
  it('waits behind another worker on the workspace, and that wait is not counted as a loss', async () => {
    const { id } = await request()
    world.queued.apply.length = 0
    const held = await acquireLock(deps.store, {
      workspace,
      holder: 'another',
      leaseMs: 59 * minute,
      now: deps.clock.now(),
    })
    for (let passed = 0; passed < 30; passed += 1) {
      world.clock.forward(minute)
      expect(await tick()).toEqual({ resent: [], stranded: [], failures: [], left: 0 })
    }
    await releaseLock(deps.store, held)
    world.clock.forward(2 * minute)
    expect(await tick()).toMatchObject({ resent: [{ applyId: id, resent: 0 }] })
  })
  it('stays where the queue refuses it again, and that refusal is not counted as a loss', async () => {
    const { id } = await request()
    const refusing = { ...deps, queue: { ...deps.queue, apply: down } }
    for (let passed = 0; passed < 30; passed += 1) {
      world.clock.forward(2 * minute)
      expect(await resendApplies(refusing)).toMatchObject({ failures: [{ applyId: id }], stranded: [] })
    }
    expect(await described(id)).not.toHaveProperty('resent')
    world.clock.forward(2 * minute)
    expect(await tick()).toMatchObject({ resent: [{ applyId: id }] })
  })
  it('is left for later, and reported, where the time is over', async () => {
    const { id } = await request()
    world.queued.apply.length = 0
    world.clock.forward(2 * minute)
    const over = { deadline: deps.clock.now() }
    expect(await resendApplies(deps, over)).toEqual({ resent: [], stranded: [], failures: [], left: 1 })
    expect(world.queued.apply).toEqual([])
    expect(await tick()).toMatchObject({ resent: [{ applyId: id }], left: 0 })
  })
  it('is left to its user where a user works on it directly', async () => {
    await request({ own: true })
    expect(world.queued.apply).toEqual([])
    world.clock.forward(24 * 60 * minute)
    expect(await tick()).toEqual({ resent: [], stranded: [], failures: [], left: 0 })
  })
})

describe('an apply that the queue refuses', () => {
  it.each([undefined, 'key-1'])(
    'leaves nothing behind, and can be requested again (key %s)',
    async (idempotencyKey) => {
      const key = idempotencyKey === undefined ? {} : { idempotencyKey }
      await expect(request(key, { apply: down })).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE', status: 503 })
      expect(await applies()).toEqual([])
      expect((await listUnfinished(deps.store)).items).toEqual([])
      const { id } = await request(key)
      expect((await applies()).map((one) => one.id)).toEqual([id])
      expect(world.queued.apply).toEqual([{ workspace, applyId: id }])
    },
  )
  it('leaves an accepted apply with the same key as it was', async () => {
    const { id } = await request({ idempotencyKey: 'k' })
    await expect(request({ idempotencyKey: 'k' }, { apply: down })).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' })
    expect((await applies()).map((one) => one.id)).toEqual([id])
    expect(await request({ idempotencyKey: 'k' })).toMatchObject({ id })
    expect(await applies()).toHaveLength(1)
  })
  it('is continued where the queue had taken the message and a worker has begun', async () => {
    const lostAnswer: Deps['queue']['apply'] = async (message) => {
      await runApply({ ...message }, deps)
      return down(message)
    }
    expect(await request({}, { apply: lostAnswer })).toMatchObject({ status: 'succeeded' })
  })
  it('does not exist where the queue had taken the message: a worker finds none, and blocks nobody', async () => {
    const lostAnswer: Deps['queue']['apply'] = async (message) => {
      world.queued.apply.push(message)
      return down(message)
    }
    await expect(request({}, { apply: lostAnswer })).rejects.toMatchObject({ code: 'QUEUE_UNAVAILABLE' })
    const [body] = world.queued.apply
    const answer = await applyHandler(async () => deps, testDelivery().delivery)(
      sqsEvent([{ body, group: workspace }]),
      lambdaContext(600_000),
    )
    expect(answer).toEqual({ batchItemFailures: [] })
    expect(motd()).toBe('wrong')
  })
})

describe('whatever the queue does', () => {
  const fate = fc.constantFrom('taken', 'refused', 'lost', 'answer lost')
  it('each accepted apply ends once, and each refused one never existed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fate, { maxLength: 8 }), fc.integer({ min: 1, max: 3 }), async (fates, retries) => {
        await start()
        let calls = 0
        const messages: string[] = []
        const apply: Deps['queue']['apply'] = async (message) => {
          const now = fates[calls] ?? 'taken'
          calls += 1
          if (now === 'taken' || now === 'answer lost') messages.push(message.applyId)
          if (now === 'refused' || now === 'answer lost') await down(message)
        }
        const world = { ...deps, queue: { ...deps.queue, apply } }
        let answered: string | undefined
        for (let left = retries; left > 0 && answered === undefined; left -= 1) {
          answered = await request({ idempotencyKey: 'k' }, { apply }).then(
            ({ id }) => id,
            () => undefined,
          )
        }
        // Longer than the pauses between all attempts together: 126 minutes.
        for (let passed = 0; passed < 140; passed += 1) {
          for (const id of messages.splice(0)) {
            await runApply({ workspace, applyId: id, patient: true }, deps).catch((error: unknown) => {
              if (!(error instanceof AppError && error.code === 'APPLY_NOT_FOUND')) throw error
            })
          }

          for (let seconds = 0; seconds < 12; seconds += 1) await deps.clock.sleep(5_000)
          await resendApplies(world)
        }
        const all = await applies()
        expect(all.map(({ id }) => id)).toEqual(answered === undefined ? [] : [answered])
        expect(all.every((one) => hasEnded(one))).toBe(true)
        expect((await listUnfinished(deps.store)).items).toEqual([])
        await intact()
      }),
      lawRuns(40),
    )
  })
})
