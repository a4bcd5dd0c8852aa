import { describe, expect, it } from 'vitest'
import { getLedgerHead } from '../../../../core/engine/state/ledger.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { long } from '../../../builders/long.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aThing, aWorld } from '../../../semantics/world.ts'

const workspace = 'things'
const used = { status: 'refused', error: { code: 'APPROVAL_USED' } }

/** Two things that somebody changed outside. */
const drifted = async (settings = {}) => {
  const refusing = { all: false }
  const world = await aWorld({
    server: { route: ({ method }) => (method !== 'GET' && refusing.all ? { status: 400, body: '{}' } : undefined) },
    resources: [aThing('a', { size: 1 }), aThing('b', { size: 1 })],
    live: { a: { name: 'a', size: 1 }, b: { name: 'b', size: 1 } },
    settings,
  })
  await world.check()
  const drift = (...names: readonly string[]): void => {
    for (const name of names) world.put(name, { name, size: 2 })
    world.clock.forward(60_000)
  }
  const check = async () => {
    world.clock.forward(60_000)
    return world.check()
  }
  const approve = async (
    digest: string,
    further: { readonly targets?: readonly string[]; readonly runId?: string },
  ) => {
    const request = { workspace, mode: 'execute', digest, reason: 'test', actor, ...further } as const
    const { id } = await requestApply(request, world.deps)
    world.clock.forward(1_000)
    return runApply({ workspace, applyId: id }, world.deps)
  }
  const apply = (digest: string) => approve(digest, {})
  drift('a', 'b')
  const shown = await check()
  return { ...world, refusing, drift, check, apply, approve, shown }
}

describe('an approval', () => {
  it('ends with its apply: the same drift needs a new check', async () => {
    await using world = await drifted()
    const { digest, run } = world.shown
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    world.drift('a', 'b')
    expect(await world.apply(digest)).toMatchObject({
      ...used,
      error: { message: expect.stringContaining('has sent api_thing.a#1 since then') as string },
    })
    expect(await world.approve(digest, { runId: run.id })).toMatchObject(used)
    expect(world.sent()).toHaveLength(2)
    expect((await world.check()).digest).toBe(digest)
    expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
  })

  it('of a check that began before the commands were sent ends with them too', async () => {
    await using world = await drifted()
    const { digest, run } = world.shown
    const later = await world.check()
    expect(later.digest).toBe(digest)
    expect(await world.approve(digest, { runId: run.id })).toMatchObject({ status: 'succeeded' })
    world.drift('a', 'b')
    expect(await world.approve(digest, { runId: later.run.id })).toMatchObject(used)
    expect(world.sent()).toHaveLength(2)
  })

  it(
    'stops where a damaged entry may be the one that tells of its use, and not after a later check',
    long,
    async () => {
      await using world = await drifted()
      const { digest } = world.shown
      await world.apply(digest)
      world.drift('a', 'b')
      const last = await getLedgerHead(world.deps.store, workspace)
      const key = keys.entry(workspace, last.seq)
      await world.deps.store.write([{ kind: 'put', item: { ...key, body: 'garbage' } }])
      const refused = await world.apply(digest)
      expect(refused).toMatchObject({
        error: { code: 'LEDGER_UNREAD', hint: expect.stringContaining('15 minutes') as string },
      })
      expect(world.sent()).toHaveLength(2)
      world.clock.forward(60 * 60_000)
      await world.check()
      expect(await world.apply(digest)).toMatchObject({ status: 'succeeded' })
    },
  )

  it('of a part does not last longer than that of the whole', async () => {
    await using world = await drifted()
    const targets = ['api_thing.a']
    const { run, plan } = world.shown
    const { digests } = narrowPlan(plan, { targets })
    const approval = { targets, runId: run.id }
    expect(await world.approve(digests.commands, approval)).toMatchObject({ status: 'succeeded' })
    world.drift('a', 'b')
    expect(await world.approve(digests.commands, approval)).toMatchObject(used)
    expect(await world.apply(world.shown.digest)).toMatchObject(used)
  })

  it('of another part of the same plan is not used', async () => {
    await using world = await drifted()
    for (const target of ['api_thing.a', 'api_thing.b']) {
      const approval = { targets: [target], runId: world.shown.run.id }
      const { digests } = narrowPlan(world.shown.plan, approval)
      expect(await world.approve(digests.commands, approval)).toMatchObject({ status: 'succeeded' })
    }
  })

  it('whose commands failed can be used again', async () => {
    await using world = await drifted()
    world.refusing.all = true
    expect(await world.apply(world.shown.digest)).toMatchObject({ status: 'failed' })
    world.refusing.all = false
    expect(await world.apply(world.shown.digest)).toMatchObject({ status: 'succeeded' })
  })

  it('is not used by check mode', async () => {
    await using world = await drifted()
    const { id } = await requestApply(
      { workspace, mode: 'check', digest: world.shown.digest, reason: 'test', actor },
      world.deps,
    )
    world.clock.forward(1_000)
    expect(await runApply({ workspace, applyId: id }, world.deps)).toMatchObject({ status: 'succeeded', mode: 'check' })
    world.clock.forward(1_000)
    expect(await world.apply(world.shown.digest)).toMatchObject({ status: 'succeeded' })
  })

  it('lasts where the policy allows standing approvals', async () => {
    await using world = await drifted({ policy: { standingApprovals: true } })
    expect(await world.apply(world.shown.digest)).toMatchObject({ status: 'succeeded' })
    world.drift('a', 'b')
    expect(await world.apply(world.shown.digest)).toMatchObject({ status: 'succeeded' })
  })
})
