import { expect, test } from 'vitest'
import type { Apply } from '../../../../core/engine/schema/stored/records.ts'
import { createApply } from '../../../../core/engine/state/applies/applies.ts'
import { saveRun } from '../../../../core/engine/state/runs/runs.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'
import { aCommand } from '../../../builders/values/commands.ts'
import { aBundle, aChange, anApply, aPlan, aRun, aWorkspace } from '../../../builders/values/records.ts'

const opened = async (changes: object) => {
  const parts = testDeps()
  const { store } = parts.deps
  const plan = aPlan([aChange('dns_zone.main')], [], { commands: [aCommand('dns_zone.main#1')] })
  const run = aRun(1, plan)
  await saveWorkspace(store, aWorkspace(), aBundle())
  await saveRun(store, { run, plan, advance: () => ({ episodes: [], alerts: [] }) })
  const apply = { ...anApply(1), runId: run.id, ...changes } as Apply
  await createApply(store, apply, { further: [] })
  const ask = (scope: string, id = apply.id) =>
    testApi(parts.deps)('POST', `/v1/workspaces/acme/applies/${id}/undo`, { scope })
  return { ask, parts, apply }
}

const done = { status: 'succeeded', outcomes: [{ command: 'dns_zone.main#1', status: 'succeeded' }] } as const

test('the undo of an apply is planned by the check function, for a caller with check', async () => {
  const { ask, parts, apply } = await opened(done)
  expect((await ask('read')).status).toBe(403)
  const answer = await ask('check')
  expect(answer).toMatchObject({ status: 202, json: { workspace: 'acme' } })
  expect(parts.checks).toMatchObject([{ workspace: 'acme', undo: apply.id, scheduledFor: answer.json['requestedAt'] }])
})

test.each([
  ['has not ended', { status: 'running' }],
  ['sent nothing, because its mode is check', { ...done, mode: 'check' }],
  ['is an undo', { ...done, undoes: '01JD0000000000000000000000' }],
  ['did none of its commands', { status: 'failed', outcomes: [{ command: 'dns_zone.main#1', status: 'failed' }] }],
  ['has no plan any more', { ...done, runId: '01JD0000000000000000000009' }],
] as const)('the undo of an apply that %s is refused, and nothing is queued', async (_, changes) => {
  const { ask, parts } = await opened(changes)
  expect(await ask('check')).toMatchObject({ status: 409, json: { code: 'UNDO_IMPOSSIBLE' } })
  expect(parts.checks).toEqual([])
})

test('the undo of an unknown apply is refused', async () => {
  const { ask } = await opened(done)
  expect(await ask('check', '01JD0000000000000000000000')).toMatchObject({ status: 404 })
})
