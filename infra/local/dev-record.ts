import { unlink, writeFile } from 'node:fs/promises'
import { devRunning } from '../../functions/cli/refusals.ts'
import { type DevRecord, readDev, type StateFolder } from '../../functions/cli/state-folder.ts'

/** Rejects with DEV_RUNNING where another one runs. */
export const refuseSecond = async (state: StateFolder): Promise<void> => {
  const other = await readDev(state)
  if (other !== undefined) throw devRunning(state.path, other.pid, other.url)
}

/** Lets other commands find this one; the answer takes the record away. The lock on the store keeps two from writing it. */
export const writeRecord = async (state: StateFolder, record: DevRecord): Promise<() => Promise<void>> => {
  await writeFile(state.devFile, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  return () => unlink(state.devFile).catch(() => {})
}
