import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Deps } from '#core'
import { verify } from '../../../../core/engine/ledger/verify.ts'
import { listApplies } from '../../../../core/engine/state/applies/applies.ts'
import { listUnfinished } from '../../../../core/engine/state/applies/unfinished-applies.ts'
import { readLedger, readWholeLedger } from '../../../../core/engine/state/ledger.ts'
import { loadEpisodes } from '../../../../core/engine/state/outbox.ts'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { takeCheck } from '../../../../core/engine/workflows/check/take-check.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const workspace = 'acme'
const minute = 60_000
let folder: ReturnType<typeof temporaryFolder>
let world: ReturnType<typeof testDeps>

/** Each file that it names is one resource. */
const bundle = (...files: readonly string[]) =>
  yaml(
    `workspace: acme\nschedule: rate(15 minutes)\nproviders:\n  files: { source: host, with: { root: ${folder.path} } }\nresources:\n${files
      .map((path) => `  - { type: host_file, name: ${path}, spec: { path: ${path}, content: right } }\n`)
      .join('')}`,
  )
const former = () => bundle('one', 'two')
const latter = () => bundle('three')
const wish = { workspace, actor, reason: 'it moves' }
const tick = () => enqueueDue({}, world.deps)
const remove = () => removeWorkspace(wish, world.deps)
const reuse = async () => {
  world.current.bundle = latter()
  await putWorkspace({ bundle: latter(), actor, reuse: { reason: 'another one' } }, world.deps)
}
/** Removed, and its name given to another one. */
const replace = async () => {
  world.clock.forward(minute)
  await remove()
  world.clock.forward(minute)
  await reuse()
}
/** What happens while the next check reads. */
const meanwhile = (work: () => Promise<void>): Deps => {
  let isDone = false
  const load: Deps['config']['load'] = async () => {
    const read = world.current.bundle
    if (!isDone) {
      isDone = true
      await work()
    }
    return read
  }
  return { ...world.deps, config: { load } }
}
const check = (deps: Deps = world.deps) => checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
const addresses = async () =>
  (await loadRecorded(world.deps.store, workspace)).resources.map(({ address }) => address).sort()
const open = async () =>
  (await loadEpisodes(world.deps.store, workspace)).filter(({ episode }) => episode.status === 'open')
const runs = async () => (await listRuns(world.deps.store, workspace, { limit: 50 })).items

beforeEach(async () => {
  folder = temporaryFolder()
  for (const name of ['one', 'two', 'three']) writeFileSync(join(folder.path, name), 'right')
  world = testDeps({ bundle: former() })
  await putWorkspace({ bundle: former(), actor }, world.deps)
})
afterEach(async () => {
  expect(await verify(readWholeLedger(world.deps.store, workspace), { workspace })).toMatchObject({ ok: true })
  folder.remove()
})

describe('a check that is under way', () => {
  const told = [
    ['in sync, with nothing recorded before', async () => {}],
    ['in sync, with a record as old as the new one', async () => void (await check())],
    ['drifted', async () => writeFileSync(join(folder.path, 'one'), 'wrong')],
  ] as const
  it.each(told)('stores, records and reports nothing while its workspace is removed: %s', async (_, prepare) => {
    await prepare()
    const earlier = (await runs()).length
    const ended = await check(meanwhile(remove)).catch(({ code }) => code)
    expect(ended).toBe('WORKSPACE_REMOVED')
    expect(await addresses()).toEqual([])
    expect(await open()).toEqual([])
    expect(await runs()).toHaveLength(earlier)
  })
  it.each(told)('touches nothing of a new workspace that reuses the name: %s', async (_, prepare) => {
    await prepare()
    const earlier = (await runs()).length
    const as = async () => {
      await replace()
      await check()
    }
    await expect(check(meanwhile(as))).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
    expect(await addresses()).toEqual(['host_file.three'])
    expect(await open()).toEqual([])
    expect(await runs()).toHaveLength(earlier + 1)
  })
})

describe('a message of the former workspace', () => {
  it('is dropped where its name was reused, and the check of the new one stays pending', async () => {
    await tick()
    const [old] = world.queued.check.splice(0)
    await replace()
    await tick()
    const before = await getWorkspace(world.deps.store, workspace)
    expect(old && (await takeCheck(old, world.deps))).toEqual({ kind: 'dropped', why: 'removed' })
    expect(await getWorkspace(world.deps.store, workspace)).toEqual(before)
    for (const message of world.queued.check.splice(0)) {
      expect(await takeCheck(message, world.deps)).toMatchObject({ kind: 'checked' })
    }
    expect(await runs()).toHaveLength(1)
  })
})

describe('an apply of the former workspace', () => {
  const request = { workspace, mode: 'execute' as const, reason: 'repair', actor, idempotencyKey: 'nightly' }
  const drift = async () => {
    writeFileSync(join(folder.path, 'one'), 'wrong')
    return (await check()).run.digests?.commands ?? ''
  }
  it('that is requested while it is removed ends with that reason, whoever was first', async () => {
    const digest = await drift()
    const { store } = world.deps
    let isAsked = false
    // Right before the transaction that removes it.
    const between: Deps['store'] = {
      ...store,
      write: async (writes) => {
        const buries = writes.some((write) => write.kind === 'put' && write.item.sk === 'REMOVED')
        if (buries && !isAsked) {
          isAsked = true
          await requestApply({ ...request, digest }, world.deps)
        }
        return store.write(writes)
      },
    }
    await removeWorkspace(wish, { ...world.deps, store: between })
    const { items } = await listApplies(store, workspace, { limit: 5 })
    expect(items).toMatchObject([{ status: 'refused', error: { code: 'WORKSPACE_REMOVED' } }])
    expect((await listUnfinished(store)).items).toEqual([])
    await expect(requestApply({ ...request, digest }, world.deps)).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
  })
  it('is no answer to a request of the new one, and no approval for it', async () => {
    const digest = await drift()
    const { id } = await requestApply({ ...request, digest }, world.deps)
    await runApply({ workspace, applyId: id }, world.deps)
    await replace()
    world.current.bundle = former()
    await putWorkspace({ bundle: former(), actor }, world.deps)
    await expect(requestApply({ ...request, digest }, world.deps)).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' })
    expect(await drift()).toBe(digest)
    const again = await requestApply({ ...request, digest }, world.deps)
    expect(again.id).not.toBe(id)
    expect(again.status).toBe('queued')
  })
})

describe('a name that is reused', () => {
  it('names in the ledger who reused it, when and why', async () => {
    await replace()
    const entries = (await Array.fromAsync(readLedger(world.deps.store, workspace))).map(({ kind, actor: by }) => [
      kind,
      by.subject,
    ])
    expect(entries).toEqual([
      ['removed', actor.subject],
      ['reused', actor.subject],
    ])
  })
})
