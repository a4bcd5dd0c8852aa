import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { keyOf } from '../../../../core/engine/state/store/limits.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Key, Store } from '../../../../core/engine/state/store/store.ts'
import type { Transport } from '../../../../core/engine/transport/transport.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { pauseWorkspace, resumeWorkspace } from '../../../../core/engine/workflows/workspace/manage-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { anAnswer } from '../../../builders/values/transports.ts'
import { actor, movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/*
 * Prints what a version stores of a workspace, one item to a line: `node test/engine/state/upgrade/fill-store.ts > FORMAT.jsonl` in a
 * checkout of that version. upgrade.test.ts goes on from there.
 */

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
const names = ['one', 'two', 'three']
export const note = 'a note that is long enough to be compressed by a version that compresses what it stores '.repeat(
  12,
)

const upgradeBundle = yaml(
  JSON.stringify({
    workspace: 'acme',
    schedule: 'rate(1 hour)',
    providers: { api: { source: 'rest', definition: './api.yaml' } },
    resources: names.map((name) => ({ type: 'api_thing', name, spec: { name, size: 1, note } })),
  }),
  { 'api.yaml': document },
)

/** A target that holds things by name. */
export const aTarget = (held: Map<string, JsonObject> = new Map()) => {
  const send: Transport['send'] = async ({ method, url, body }) => {
    const name = url.split('/').at(-1) ?? ''
    if (method === 'GET') return held.has(name) ? anAnswer(200, held.get(name)) : anAnswer(404, {})
    const given = body as JsonObject
    const next = { ...held.get(name), ...given }
    held.set(String(next['name']), next)
    return anAnswer(200, next)
  }
  return { held, send }
}

/** Bytes as Base64, in a member that no record has. */
const asText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { $base64: Buffer.from(value).toString('base64') } : value

const fill = async (): Promise<void> => {
  const clock = movableClock('2026-11-20T06:00:00.000Z')
  const inner = memoryStore(clock)
  const known = new Map<string, Key>()
  const store: Store = {
    ...inner,
    write: (writes) => {
      for (const write of writes) known.set(`${keyOf(write).pk} ${keyOf(write).sk}`, keyOf(write))
      return inner.write(writes)
    },
  }
  const { held, send } = aTarget()
  const { deps } = testDeps({ clock, store, bundle: upgradeBundle, transport: () => ({ send }) })
  const check = async (): Promise<string> => {
    clock.forward(3_600_000)
    const scheduledFor = clock.now().toISOString()
    await checkWorkspace({ workspace: 'acme', trigger: 'schedule', actor, scheduledFor }, deps)
    return (await listRuns(store, 'acme', { limit: 1 })).items[0]?.digests?.commands ?? ''
  }
  const apply = async (mode: 'check' | 'execute', digest: string) => {
    const { id } = await requestApply({ workspace: 'acme', mode, digest, reason: 'as asked', actor }, deps)
    await runApply({ workspace: 'acme', applyId: id, patient: true }, deps)
  }
  await putWorkspace({ bundle: upgradeBundle, actor }, deps)
  const first = await check()
  await apply('check', first)
  await apply('execute', first)
  await check()
  await pauseWorkspace({ workspace: 'acme', actor, reason: 'maintenance' }, deps)
  await resumeWorkspace({ workspace: 'acme', actor, reason: 'done' }, deps)
  held.set('two', { ...held.get('two'), size: 7 })
  const drift = await check()
  await check()
  // It waits in the queue while the new version is deployed.
  await requestApply({ workspace: 'acme', mode: 'execute', digest: drift, reason: 'before the update', actor }, deps)
  for (const key of known.values()) {
    const item = await inner.get(key)
    if (item !== undefined) process.stdout.write(`${JSON.stringify(item, asText)}\n`)
  }
}

if (import.meta.main) await fill()
