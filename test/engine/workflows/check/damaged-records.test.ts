import { expect, it } from 'vitest'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import type { Key } from '../../../../core/engine/state/store/store.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { takeCheck } from '../../../../core/engine/workflows/check/take-check.ts'
import { aWorkspace } from '../../../builders/values/records.ts'
import { movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* A record of a workspace that is damaged: its check is a failed run with an alert, and never a silence that looks like the last run. */

const workspace = 'acme'
const bundle = yaml(`workspace: ${workspace}\nproviders: {}\nresources: []\n`)

const start = async () => {
  const clock = movableClock()
  const store = memoryStore(clock)
  const { deps, alerts } = testDeps({ clock, store, bundle })
  await saveWorkspace(store, aWorkspace({ id: workspace }), bundle)
  const check = async () => {
    clock.forward(60_000)
    return takeCheck({ workspace, scheduledFor: clock.now().toISOString() }, deps)
  }
  await check()
  return { store, deps, alerts, check }
}

const damaged: Readonly<Record<string, Key>> = {
  'recorded state': keys.state(workspace),
  'episode of drift': keys.episode(workspace, 'drift'),
  'episode of what is unchecked': keys.episode(workspace, 'unchecked'),
}

it.each(Object.entries(damaged))(
  'the check of a workspace whose %s is damaged is a failed run, and is told',
  async (_, key) => {
    const { store, deps, alerts, check } = await start()
    await store.write([{ kind: 'put', item: { ...key, body: 'garbage' } }])
    await check()
    const [newest] = (await listRuns(deps.store, workspace, { limit: 1 })).items
    expect(newest).toMatchObject({ status: 'failed', error: { code: 'STORE_CORRUPT' } })
    expect((await getWorkspace(deps.store, workspace)).lastRun).toMatchObject({
      status: 'failed',
      code: 'STORE_CORRUPT',
    })
    expect(alerts.at(-1)).toMatchObject({ workspace, about: 'unchecked', findings: [{ kind: 'unchecked' }] })
    // The damaged item is evidence: nothing has replaced it.
    await expect(store.get(key)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  },
)
