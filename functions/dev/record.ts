import { rm } from 'node:fs/promises'
import { AppError } from '#core'
import { keepFile } from '../adapters/files/keep-file.ts'
import { type KernelLock, takeLock } from '../adapters/files/kernel-lock.ts'
import { type DevRecord, readDev, type StateFolder } from '../cli/state/state-folder.ts'

/** A command that only looks whether a dev runs has the lock for a moment. */
const patienceSeconds = 2

/**
 * Makes this process the dev of the folder until the lock is closed or the process ends. Rejects with DEV_RUNNING where
 * another one has the lock.
 */
export const becomeDev = async (state: StateFolder): Promise<KernelLock> => {
  const lock = await takeLock(state.devLock, patienceSeconds)
  if (lock === undefined) {
    const other = await readDev(state)
    const process = other === undefined ? 'it is starting' : `process ${other.pid}, ${other.url}`
    throw new AppError('DEV_RUNNING', { folder: state.path, process })
  }
  // Of one that was killed.
  await rm(state.devFile, { force: true })
  return lock
}

/** Lets other commands find this one; the answer takes the record away. */
export const writeRecord = async (state: StateFolder, record: DevRecord): Promise<() => Promise<void>> => {
  await keepFile(state.devFile, `${JSON.stringify(record, null, 2)}\n`)
  return () => rm(state.devFile, { force: true })
}
