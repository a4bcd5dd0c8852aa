import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '#core'
import { ifThere } from './system-errors.ts'

/** Held as long as this is open: the kernel gives the lock back when the process ends, however it ends. */
export type KernelLock = Pick<FileHandle, 'close'>

/** What `flock` ends with where another process has the lock. */
const taken = 1

/**
 * The lock belongs to the open file and not to the process that asked for it, so another process may take it for us: when
 * that process ends, our handle keeps the lock. https://man7.org/linux/man-pages/man2/flock.2.html
 */
const flock = async (path: string, { fd }: FileHandle, options: readonly string[]): Promise<boolean> => {
  const helper = spawn('flock', [...options, '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
  const [code] = await once(helper, 'exit').catch((cause: unknown) => {
    throw new AppError('FILE_REFUSED', { path, detail: 'it cannot be locked: there is no program flock' }, { cause })
  })
  if (code === 0 || code === taken) return code === 0
  throw new AppError('FILE_REFUSED', { path, detail: `it cannot be locked: flock ended with ${code}` })
}

/** Takes the lock on a file, which is made where it is missing. `undefined`: another process has it still. */
export const takeLock = (path: string, waitSeconds: number): Promise<KernelLock | undefined> =>
  lockWith(path, ['-w', String(waitSeconds)])

/** Waits for a lock for as long as another process has it: for a lock that is held only for a moment. */
export const waitForLock = async (path: string): Promise<KernelLock> => {
  const lock = await lockWith(path, [])
  if (lock !== undefined) return lock
  throw new AppError('FILE_REFUSED', { path, detail: 'it cannot be locked' })
}

const lockWith = async (path: string, options: readonly string[]): Promise<KernelLock | undefined> => {
  const handle = await open(path, 'a', 0o600)
  const held = await flock(path, handle, ['-x', ...options]).catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  if (held) return handle
  await handle.close()
  return undefined
}

/** Whether some process has the lock now. Others may look at the same time. */
export const isLocked = async (path: string): Promise<boolean> => {
  const handle = await ifThere(open(path, 'r'))
  if (handle === undefined) return false
  try {
    return !(await flock(path, handle, ['-s', '-n']))
  } finally {
    await handle.close()
  }
}
