import { expect, it } from 'vitest'
import { markSent, oldestUndelivered, outboxWrites } from '../../../core/engine/state/outbox.ts'
import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import { describeWorkspace, listWorkspaces } from '../../../core/engine/state/workspaces/list-workspaces.ts'
import { saveWorkspace } from '../../../core/engine/state/workspaces/save-workspace.ts'
import { renderWorkspaces } from '../../../core/pages/render/plain/render-runs.ts'
import { testClock } from '../../builders/time/stores.ts'
import { aBundle, anAlert, aWorkspace } from '../../builders/values/records.ts'

it('a workspace reports since when each of its alerts waits, until they are handed over', async () => {
  const store = memoryStore(testClock())
  for (const id of ['one', 'one-more', 'two']) await saveWorkspace(store, aWorkspace({ id }), aBundle())
  const late = anAlert(1, { workspace: 'one', at: '2026-11-21T09:00:00.000Z' })
  const early = anAlert(2, { workspace: 'one', at: '2026-11-21T08:00:00.000Z' })
  const other = anAlert(3, { workspace: 'two', at: '2026-11-21T07:00:00.000Z' })
  await store.write(outboxWrites([late, early, other]))
  const said = async () =>
    Object.fromEntries((await listWorkspaces(store, { limit: 9 })).items.map((one) => [one.id, one.undeliveredSince]))

  expect(await said()).toEqual({ one: early.at, 'one-more': undefined, two: other.at })
  expect((await describeWorkspace(store, 'one')).undeliveredSince).toBe(early.at)
  expect(await oldestUndelivered(store)).toBe(other.at)
  expect(renderWorkspaces([await describeWorkspace(store, 'one')])).toContain(
    'alerts undelivered since 2026-11-21 08:00:00Z',
  )

  for (const alert of [early, late]) await markSent(store, alert)
  expect(await said()).toEqual({ one: undefined, 'one-more': undefined, two: other.at })
})
