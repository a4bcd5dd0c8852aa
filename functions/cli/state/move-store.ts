import { rename, rm, stat } from 'node:fs/promises'
import { localClient, startDynamodb } from '../../adapters/dynamodb/embedded.ts'
import { scanTable } from '../../adapters/dynamodb/scan.ts'
import { ensureTable } from '../../adapters/dynamodb/table.ts'
import { ifThere } from '../../adapters/files/system-errors.ts'
import { fillSqliteStore } from '../../adapters/sqlite/store.ts'
import type { StateFolder } from './state-folder.ts'

/** The table of this machine, where DynamoDB holds it. */
export const tableName = 'plumbline'

const copyAll = async (endpoint: string, file: string): Promise<void> => {
  const draft = `${file}.new`
  // Of a process that was killed: whoever moves holds the lock of the former file.
  for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${draft}${end}`, { force: true })
  await ensureTable(localClient(endpoint), tableName)
  await fillSqliteStore(draft, scanTable(localClient(endpoint), tableName))
  await rename(draft, file)
}

/**
 * Moves what an earlier version kept in an embedded DynamoDB, once. The engine holds its lock meanwhile, so nobody writes to it, and the
 * new file has its name only when it is whole: a process that is killed leaves the former store in force. The former file stays as
 * it is. Rejects with ENGINE_MISSING where its engine is not installed, STORE_IN_USE where a process has it.
 */
export const moveFormerStore = async (state: Pick<StateFolder, 'storeFile' | 'formerStoreFile'>): Promise<void> => {
  const { storeFile, formerStoreFile } = state
  if ((await ifThere(stat(storeFile))) || !(await ifThere(stat(formerStoreFile)))) return
  const engine = await startDynamodb({ file: formerStoreFile })
  try {
    // Another process may have moved it while this one waited.
    if (!(await ifThere(stat(storeFile)))) await copyAll(engine.endpoint, storeFile)
  } finally {
    await engine.stop()
  }
}
