import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import { unreadable } from '../../../../core/engine/state/store/verified.ts'
import { listWorkspaces } from '../../../../core/engine/state/workspaces/list-workspaces.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { getWorkspace } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { enqueueDue } from '../../../../core/engine/workflows/schedule/enqueue-due.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import { fromAttributes } from '../../../../functions/adapters/dynamodb/attributes.ts'
import { openSqliteStore } from '../../../../functions/adapters/sqlite/store.ts'
import { testDeps as apiDeps, testApi } from '../../../builders/aws/api.ts'
import { testClock } from '../../../builders/time/stores.ts'
import { aBundle, aWorkspace } from '../../../builders/values/records.ts'
import { actor, movableClock, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const damaged = { code: 'STORE_CORRUPT', message: 'the stored workspace bolt is damaged: it cannot be read' }

describe('text that was cut', () => {
  it.each(['{"json":{"version":1', '[]', '7', '{"json":{}}'])(
    'in a file of SQLite is one damaged item: %j',
    async (json) => {
      const folder = mkdtempSync(join(tmpdir(), 'plumbline-damage-'))
      const file = join(folder, 'store.sqlite')
      const store = await openSqliteStore({ file, clock: testClock() })
      for (const id of ['acme', 'bolt']) await saveWorkspace(store, aWorkspace({ id }), aBundle())
      const database = new DatabaseSync(file)
      const { pk, sk } = keys.workspace('bolt')
      database.prepare('UPDATE items SET json = ? WHERE pk = ? AND sk = ?').run(json, Buffer.from(pk), Buffer.from(sk))
      database.close()
      expect(await listWorkspaces(store, { limit: 9 })).toMatchObject({
        items: [{ id: 'acme' }],
        damaged: [{ id: 'bolt' }],
      })
      await expect(getWorkspace(store, 'bolt')).rejects.toMatchObject(damaged)
      store.close()
      rmSync(folder, { recursive: true })
    },
  )
  it.each([{ M: { json: { S: '{"cut' } } }, { L: [] }, { SS: ['a'] }, { M: {} }])(
    'in DynamoDB is one damaged item: %j',
    (value) => {
      const item = fromAttributes({ pk: { S: 'a' }, sk: { S: 'b' }, body: value, version: { N: '1' } } as never)
      expect(item).toEqual({ pk: 'a', sk: 'b', version: 1, [unreadable]: true })
    },
  )
})

const source = yaml('workspace: bolt\nschedule: rate(15 minutes)\n')

const broken = async () => {
  const clock = movableClock()
  const store = memoryStore(clock)
  const { deps } = testDeps({ store, clock })
  for (const n of [1, 2])
    await putWorkspace({ bundle: { ...source, files: { ...source.files, 'notes.txt': `${n}` } }, actor }, deps)
  await saveWorkspace(store, aWorkspace({ id: 'acme' }), aBundle())
  await store.write([{ kind: 'put', item: { ...keys.workspace('bolt'), [unreadable]: true } }])
  return { store, deps, clock }
}

describe('a damaged workspace', () => {
  it('goes into quarantine with its reason, as often as it is tried', async () => {
    const { deps } = await broken()
    for (let hour = 0; hour < 2; hour += 1) {
      const { quarantined } = await enqueueDue({}, deps)
      expect(quarantined).toMatchObject([{ workspace: 'bolt', error: damaged }])
    }
  })
  it('is stored again by a push, with the next version, and then is due', async () => {
    const { store, deps } = await broken()
    await enqueueDue({}, deps)
    expect(await putWorkspace({ bundle: source, actor }, deps)).toMatchObject({ id: 'bolt', configurationVersion: 2 })
    expect(await enqueueDue({}, deps)).toMatchObject({ enqueued: ['bolt'], quarantined: [], failures: [] })
    expect((await listWorkspaces(store, { limit: 9 })).damaged).toBeUndefined()
  })
  it('is not stored again by a pull of its source', async () => {
    const { deps } = await broken()
    await expect(putWorkspace({ bundle: source, actor, isPulled: true }, deps)).rejects.toMatchObject(damaged)
  })
  it('can be removed, and its name is reserved then', async () => {
    const { store, deps } = await broken()
    await removeWorkspace({ workspace: 'bolt', actor, reason: 'damaged' }, deps)
    await expect(getWorkspace(store, 'bolt')).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
    expect(await enqueueDue({}, deps)).toMatchObject({ quarantined: [], failures: [] })
  })
})

describe('the API', () => {
  it('lists the other workspaces and names the damaged one, which alone ends in an error', async () => {
    const { store } = await broken()
    const request = testApi({ ...apiDeps().deps, store })
    expect(await request('GET', '/v1/workspaces', { scope: 'read' })).toMatchObject({
      status: 200,
      json: { items: [{ id: 'acme' }], damaged: [{ kind: 'workspace', id: 'bolt', error: damaged }] },
    })
    expect(await request('GET', '/v1/workspaces/bolt', { scope: 'read' })).toMatchObject({
      status: 500,
      json: { code: 'STORE_CORRUPT' },
    })
  })
})
