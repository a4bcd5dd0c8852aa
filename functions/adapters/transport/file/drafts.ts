import { createHash, randomBytes } from 'node:crypto'
import { readdir, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { errno, unless } from '../../files/system-errors.ts'
import type { Folder } from './open-folder.ts'

// Process ids are valid only on this machine; folders may be shared with other machines.
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const pattern = new RegExp(`^\\.plumbline-${machine}-(?<pid>\\d+)-[0-9a-f]{16}$`)

/** Returns a unique name for a file that is being written. The name contains its machine and process. */
export const newDraft = (): string => `.plumbline-${machine}-${process.pid}-${randomBytes(8).toString('hex')}`

/** Removes drafts that killed writers of this machine left behind; each folder is searched once. */
export const createSweeper = (): ((folder: Folder) => Promise<void>) => {
  const swept = new Set<string>()
  return async (folder) => {
    const { dev, ino } = await folder.handle.stat()
    if (swept.has(`${dev}:${ino}`)) return
    swept.add(`${dev}:${ino}`)
    // In a folder that can be written but not listed the drafts stay; a folder that was removed meanwhile has none.
    const names = await unless(['EACCES', 'EPERM', 'ENOENT'], readdir(folder.base))
    const left = (names ?? []).filter(isLeft)
    // Another worker was first, or the draft belongs to a user whose files this process may not remove.
    const kept = ['ENOENT', 'EACCES', 'EPERM']
    await Promise.all(left.map((name) => unless(kept, unlink(join(folder.base, name)))))
  }
}

const isLeft = (name: string): boolean => {
  const pid = pattern.exec(name)?.groups?.['pid']
  return pid !== undefined && !isAlive(Number(pid))
}

const isAlive = (pid: number): boolean => {
  try {
    // Signal 0 only tests whether the process exists.
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errno(error) !== 'ESRCH'
  }
}
