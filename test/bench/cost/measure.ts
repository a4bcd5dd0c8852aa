import { keyOf, writeBytes } from '../../../core/engine/state/store/limits.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import { saveWorkspace } from '../../../core/engine/state/workspaces/save-workspace.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { resendApplies } from '../../../core/engine/workflows/apply/resend-applies.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { deliverLeftovers } from '../../../core/engine/workflows/check/deliver-alerts.ts'
import type { Deps } from '../../../core/engine/workflows/deps.ts'
import { enqueueDue } from '../../../core/engine/workflows/schedule/enqueue-due.ts'
import { createOverdueWatch, oldestWaitSeconds } from '../../../core/engine/workflows/schedule/find-overdue.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { aSilentHost, things, workspaceOf } from '../../builders/servers/silent-host.ts'
import { meteredStore } from '../../builders/time/metered-store.ts'
import { aBundle, aWorkspace } from '../../builders/values/records.ts'
import { anAnswer } from '../../builders/values/transports.ts'
import { actor, movableClock, testDeps, yaml } from '../../builders/workspaces/workspace.ts'
import type { Counted, Fleet, Measured } from './bill.ts'

/* What the work of a fleet asks of the store and of its targets: counted while it runs. */

const none: Counted = { read: 0, written: 0, stored: 0, added: 0, asked: 0, waited: 0 }

/** A store that counts, and what it counted since the last call. */
const counting = (inner: Store) => {
  const metered = meteredStore(inner)
  const counted = { stored: 0, added: 0 }
  const one = <Result>(result: Promise<Result>): Promise<Result> => {
    counted.stored += 1
    return result
  }
  const store: Store = {
    get: (key) => one(metered.store.get(key)),
    query: (query) => one(metered.store.query(query)),
    write: (writes) => {
      const further = writes.filter((write) => write.kind === 'put' && keyOf(write).sk !== 'META')
      counted.added += further.reduce((sum, write) => sum + writeBytes(write), 0)
      return one(metered.store.write(writes))
    },
  }
  const take = (): Counted => {
    const { read, written } = metered.take()
    const taken = { ...none, read, written, ...counted }
    Object.assign(counted, { stored: 0, added: 0 })
    return taken
  }
  return { store, take }
}

const document = `
provider: { id: things, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { immutable: true }, size: { type: number }, note: {} } }]
`
const note = 'a text of some length that nobody reads'

/** A check that finds what the check before found. */
const countCheck = async ({ resources, drift }: Fleet): Promise<Counted> => {
  const clock = movableClock()
  const { store, take } = counting(memoryStore(clock))
  let asked = 0
  const send: Transport['send'] = async ({ url }) => {
    asked += 1
    const name = url.split('/').at(-1) ?? ''
    return anAnswer(200, { name, size: Number(name.slice(1)) < Math.round(resources * drift) ? 2 : 1, note })
  }
  const declared = Array.from({ length: resources }, (_, n) => ({
    type: 'api_thing',
    name: `t${n}`,
    spec: { name: `t${n}`, size: 1, note },
  }))
  const providers = { api: { source: 'rest', definition: './api.yaml' } }
  const about = { workspace: 'one', schedule: 'rate(1 hour)', providers, resources: declared }
  const bundle = yaml(JSON.stringify(about), { 'api.yaml': document })
  const { deps } = testDeps({ clock, store, bundle, transport: () => ({ send }) })
  await putWorkspace({ bundle, actor }, deps)
  const check = async (): Promise<Counted> => {
    clock.forward(3_600_000)
    take()
    asked = 0
    const scheduledFor = clock.now().toISOString()
    await checkWorkspace({ workspace: 'one', trigger: 'schedule', actor, scheduledFor }, deps)
    return { ...take(), asked }
  }
  for (let before = 0; before < 3; before += 1) await check()
  return check()
}

/** A check whose target accepts requests and never answers, when the check before met the same. */
const countHangingCheck = async ({ resources, concurrency }: Fleet): Promise<Counted> => {
  const clock = movableClock()
  const atOnce = Math.min(4, concurrency)
  await using host = await aSilentHost(clock, () => false, atOnce)
  const { store, take } = counting(memoryStore(clock))
  const bundle = workspaceOf({ things: host.url }, things('all', resources), { schedule: 'rate(1 hour)' })
  const { deps } = testDeps({ clock, store, bundle, wire: host.wire })
  const check = async (): Promise<Counted> => {
    clock.forward(3_600_000)
    const before = clock.monotonic()
    take()
    const scheduledFor = clock.now().toISOString()
    await checkWorkspace({ workspace: 'many', trigger: 'schedule', actor, scheduledFor }, deps)
    return { ...take(), waited: (clock.monotonic() - before) / 1000 }
  }
  await check()
  return await check()
}

const minus = (left: Counted, right: Counted, by: number): Counted =>
  Object.fromEntries(
    Object.entries(left).map(([name, value]) => [name, (value - right[name as keyof Counted]) / by]),
  ) as unknown as Counted

/** Workspaces in the sample from which the part of each is taken. */
const sample = 32

const countSchedule = async () => {
  const clock = movableClock()
  const { store, take } = counting(memoryStore(clock))
  const { deps } = testDeps({ clock, store })
  const tick = async (): Promise<Counted> => {
    take()
    await enqueueDue({}, deps)
    await resendApplies(deps)
    await deliverLeftovers(deps)
    return take()
  }
  /** A call of an hour: each of its calls reads another part of all workspaces. */
  const watch = async (given: Deps): Promise<Counted> => {
    const findOverdue = createOverdueWatch()
    await findOverdue({ marginMs: 1_800_000 }, given)
    take()
    for (let call = 0; call < 12; call += 1) {
      await findOverdue({ marginMs: 1_800_000 }, given)
      await oldestWaitSeconds(given)
    }
    return minus(take(), none, 12)
  }
  const idle = { tick: await tick(), watch: await watch(deps) }
  const nextCheckAt = new Date(clock.now().getTime() + 1_000).toISOString()
  for (let n = 0; n < sample; n += 1) {
    await saveWorkspace(store, aWorkspace({ id: `w${n}`, schedule: 'rate(1 hour)', nextCheckAt }), aBundle())
  }
  clock.forward(2_000)
  const busy = { tick: await tick(), watch: await watch(deps) }
  return {
    tick: idle.tick,
    due: minus(busy.tick, idle.tick, sample),
    watch: idle.watch,
    watched: minus(busy.watch, idle.watch, sample),
  }
}

export const measure = async (fleet: Fleet): Promise<Measured> => ({
  check: await countCheck(fleet),
  hangingCheck: fleet.hanging > 0 ? await countHangingCheck(fleet) : none,
  ...(await countSchedule()),
})
