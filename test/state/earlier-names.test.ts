import { expect, it } from 'vitest'
import { hashOf } from '../../core/ledger/link.ts'
import { ledgerLine, verifyLines } from '../../core/ledger/verify.ts'
import { getApply, listApplies } from '../../core/state/applies/applies.ts'
import { appendLedger, exportLedger, getLedgerHead, queryLedger } from '../../core/state/ledger.ts'
import { pendingAlerts } from '../../core/state/outbox.ts'
import { getRun, listRuns } from '../../core/state/runs.ts'
import { keys } from '../../core/state/store/keys.ts'
import { memoryStore } from '../../core/state/store/memory.ts'
import { findWorkspace } from '../../core/state/workspaces/workspaces.ts'
import { idsOf } from '../../core/values/marks/earlier-form.ts'
import { aDraft, anAlert, anApply, anId, aRun, aWorkspace } from '../builders/values/records.ts'

const store = memoryStore({ now: () => new Date('2026-11-21T06:00:00.000Z') })
const put = (item: { readonly pk: string; readonly sk: string } & Readonly<Record<string, unknown>>) =>
  store.write([{ kind: 'put', item: item as never }])
const earlierly = (value: object, names: Readonly<Record<string, string>>) =>
  JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(value).map(([name, each]) => [names[name] ?? name, each]))),
  )

it('reads records that were stored before ids and digests were named so', async () => {
  const run = aRun(1, undefined, { configurationDigest: aWorkspace().configurationDigest })
  const [apply, workspace, alert] = [anApply(2), { ...aWorkspace(), lastRun: undefined }, anAlert(3)]
  await put({ ...keys.run('acme', run.id), body: earlierly(run, { configurationDigest: 'configuration' }) })
  await put({ ...keys.apply('acme', apply.id), body: earlierly(apply, { runId: 'run' }) })
  await put({
    ...keys.workspace('acme'),
    version: 1,
    body: earlierly(workspace, { configurationDigest: 'configuration' }),
  })
  await put({
    ...keys.alert('acme', alert.id),
    body: { ...earlierly(alert, { runId: 'run', episodeId: 'episode' }), version: '1' },
  })

  expect(await getRun(store, 'acme', run.id)).toEqual(run)
  expect((await listRuns(store, 'acme', { limit: 5 })).items).toEqual([run])
  expect(await getApply(store, 'acme', apply.id)).toEqual(apply)
  expect((await listApplies(store, 'acme', { limit: 5 })).items).toEqual([apply])
  expect(await findWorkspace(store, 'acme')).toEqual(aWorkspace())
  expect(await pendingAlerts(store, 'acme')).toEqual([alert])
})

it('leaves a ledger entry as its hash has it, finds it by its ids, and goes on after it', async () => {
  const names = { applyId: 'apply', runId: 'run' }
  await appendLedger(store, 'acme', [
    earlierly(aDraft(1), names),
    aDraft(2),
    aDraft(3, { applyId: anId(9), runId: anId(8) }),
  ])

  const filters = [{ applyId: anId(1) }, { runId: anId(2) }]
  for (const filter of filters) {
    const { items } = await queryLedger(store, 'acme', { ...filter, limit: 9 })
    expect(items.map(({ seq }) => seq)).toEqual([1, 2])
    expect(items.map(idsOf)).toEqual([1, 2].map(() => ({ applyId: anId(1), runId: anId(2) })))
    expect(items.map((entry) => hashOf(entry))).toEqual(items.map(({ hash }) => hash))
  }
  const lines: string[] = []
  for await (const part of exportLedger(store, 'acme', {})) lines.push(ledgerLine(part))
  expect(lines[0]).toContain('"apply":"')
  const { hash, seq } = await getLedgerHead(store, 'acme')
  expect(await verifyLines(lines, { head: { hash, seq } })).toMatchObject({ ok: true, entries: 3 })
})
