import { beforeEach, expect, test } from 'vitest'
import type { Grade } from '../../../../core/engine/schema/command.ts'
import { saveRun } from '../../../../core/engine/state/runs/runs.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { type TestDeps, testApi, testDeps } from '../../../builders/aws/api.ts'
import { aCommand } from '../../../builders/values/commands.ts'
import { aBundle, aChange, aPlan, aRun, aWorkspace } from '../../../builders/values/records.ts'

/* Who may approve what cannot be undone. */

let parts: TestDeps
const grades: readonly Grade[] = ['reversible', 'lossy', 'irreversible', 'unknown']
const addresses = grades.map((grade) => `dns_zone.${grade}`)
const commands = grades.map((grade) => aCommand(`dns_zone.${grade}#1`, { grade }))
const plan = aPlan(
  addresses.map((address) => aChange(address)),
  [],
  { commands },
)

beforeEach(async () => {
  parts = testDeps()
  await saveWorkspace(parts.deps.store, aWorkspace(), aBundle())
  const advance = () => ({ episodes: [], alerts: [] })
  await saveRun(parts.deps.store, { run: aRun(1, plan), plan, advance })
})

const approve = (scope: string, mode: 'check' | 'execute', targets?: readonly string[]) => {
  const digest = (targets === undefined ? plan : narrowPlan(plan, { targets })).digests.commands
  const body = JSON.stringify({ mode, digest, reason: 'r', ...(targets && { targets }) })
  const headers = { 'content-type': 'application/json' }
  return testApi(parts.deps)('POST', '/v1/workspaces/acme/apply', { scope, body, headers })
}

test('a caller with apply alone is told which commands need more, and nothing is stored', async () => {
  const answer = await approve('apply', 'execute')
  expect(answer).toMatchObject({ status: 403, json: { code: 'SCOPE_MISSING' } })
  expect(answer.json['detail']).toContain('"irreversible"')
  expect(answer.json['detail']).toContain('dns_zone.irreversible#1 (irreversible), dns_zone.unknown#1 (unknown)')
  expect(parts.applies).toEqual([])
})

test.each<readonly [string, string, 'check' | 'execute', readonly string[] | undefined, number]>([
  ['all of it with the right for that', 'apply irreversible', 'execute', undefined, 202],
  ['all of it with the right for that in this workspace', 'apply irreversible:acme', 'execute', undefined, 202],
  ['nothing with the right for another workspace', 'apply irreversible:beta', 'execute', undefined, 403],
  ['nothing with that right alone', 'irreversible', 'execute', undefined, 403],
  ['all of it in check mode, which sends nothing', 'apply', 'check', undefined, 202],
  ['a part that can be undone', 'apply', 'execute', ['dns_zone.reversible', 'dns_zone.lossy'], 202],
  ['no part with something else in it', 'apply', 'execute', ['dns_zone.lossy', 'dns_zone.unknown'], 403],
])('approves %s', async (_, scope, mode, targets, status) => {
  expect((await approve(scope, mode, targets)).status).toBe(status)
})
