import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Transport } from '../../../../core/engine/transport/transport.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { eachOf } from '../../../builders/long.ts'
import { meteredStore } from '../../../builders/time/metered-store.ts'
import { anAnswer } from '../../../builders/values/transports.ts'
import { actor, movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* What a check costs in the store: it is paid each hour, for each workspace. */

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
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: { immutable: true }, size: { type: number }, note: {} } }
`
const note = 'a text of some length that nobody reads'

/** A workspace of 50 resources, of which some have another size. */
const open = async () => {
  const names = Array.from({ length: 50 }, (_, n) => `t${n}`)
  const resources = names.map((name) => ({ type: 'api_thing', name, spec: { name, size: 1, note } }))
  const drifted = { count: 0 }
  const send: Transport['send'] = async ({ url }) => {
    const name = url.split('/').at(-1) ?? ''
    return anAnswer(200, { name, size: Number(name.slice(1)) < drifted.count ? 2 : 1, note })
  }
  const clock = movableClock()
  const { store, take } = meteredStore(memoryStore(clock))
  const providers = { api: { source: 'rest', definition: './api.yaml' } }
  const bundle = yaml(JSON.stringify({ workspace: 'one', schedule: 'rate(1 hour)', providers, resources }), {
    'api.yaml': document,
  })
  const { deps } = testDeps({ clock, store, bundle, transport: () => ({ send }) })
  await putWorkspace({ bundle, actor }, deps)
  const check = async () => {
    clock.forward(3_600_000)
    take()
    await checkWorkspace(
      { workspace: 'one', trigger: 'schedule', actor, scheduledFor: clock.now().toISOString() },
      deps,
    )
    return take()
  }
  await check()
  return { check, drifted }
}

describe('a check of 50 resources uses the promised units', () => {
  eachOf(it, 1)([0, 1, 50])('with %i known drifts and no new ones', async (count) => {
    const { check, drifted } = await open()
    drifted.count = count
    const first = await check()
    const again = await check()
    // Without commands there is nothing to approve, and no pointer to it.
    const put = ['RUN', 'SCHED', ...(count === 0 ? [] : ['DIGEST']), 'META']
    expect(again).toEqual({ written: 2 * put.length + 2, read: again.read, put })
    // With commands, the pointer is read before it is written.
    expect(again.read).toBeLessThanOrEqual(count === 0 ? 19 : 20)
    expect(await check()).toEqual(again)
    expect(first.written).toBeLessThanOrEqual(count === 0 ? 10 : count === 1 ? 28 : 80)
  })
})
