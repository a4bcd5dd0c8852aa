import { rm } from 'node:fs/promises'
import * as z from 'zod'
import { AppError } from '#core'
import { keepFile } from '../../adapters/files/keep-file.ts'
import { isLocked, type KernelLock, takeLock } from '../../adapters/files/kernel-lock.ts'
import { refuseLinks } from '../../adapters/files/own-file.ts'
import { readJson, type StateFolder } from './state-folder.ts'

const recordShape = z.object({
  pid: z.number(),
  url: z.string(),
  /** The endpoint of its DynamoDB; absent if it uses the file of this machine. */
  store: z.string().optional(),
  shared: z.boolean(),
})
export type DevRecord = z.infer<typeof recordShape>

/**
 * Returns the dev that runs for this folder: it holds the lock. The record of a killed dev does not count, even if its
 * pid is in use.
 */
export const readDev = async (state: StateFolder): Promise<DevRecord | undefined> => {
  const { data } = recordShape.safeParse(await readJson(state.devFile))
  return data !== undefined && (await isLocked(state.devLock)) ? data : undefined
}

/** A command that checks whether a dev runs holds the lock for a moment. */
const patienceSeconds = 2

/**
 * Makes this process the dev of the folder until the lock is closed or the process ends. Rejects with DEV_RUNNING if
 * another process has the lock, and with FILE_REFUSED if a file of it is a link.
 */
export const becomeDev = async (state: StateFolder): Promise<KernelLock> => {
  refuseLinks(state.devFile)
  const lock = await takeLock(state.devLock, patienceSeconds)
  if (lock === undefined) {
    const other = await readDev(state)
    const process = other === undefined ? 'it is starting' : `process ${other.pid}, ${other.url}`
    throw new AppError('DEV_RUNNING', { folder: state.path, process })
  }
  // This is the record of a dev that was killed.
  await rm(state.devFile, { force: true })
  return lock
}

/** Lets other commands find this dev; the returned function removes the record. */
export const writeRecord = async (state: StateFolder, record: DevRecord): Promise<() => Promise<void>> => {
  await keepFile(state.devFile, `${JSON.stringify(record, null, 2)}\n`)
  return () => rm(state.devFile, { force: true })
}
