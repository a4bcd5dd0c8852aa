import { randomUUID } from 'node:crypto'
import { link, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { startDynamodb } from '../../adapters/dynamodb/embedded.ts'
import { isLocked } from '../../adapters/files/kernel-lock.ts'
import { ifThere, unless } from '../../adapters/files/system-errors.ts'

/** The engine keeps its lock and its log beside the file. */
const remove = async (draft: string): Promise<void> => {
  for (const end of ['', '-wal', '-shm', '.lock']) await rm(`${draft}${end}`, { force: true })
}

/** Removes the drafts of processes that were killed while they made a store; on a full disk they take the room. */
const sweep = async (file: string): Promise<void> => {
  const drafts = `${basename(file)}.new-`
  for (const name of await readdir(dirname(file))) {
    const lock = join(dirname(file), name)
    if (name.startsWith(drafts) && name.endsWith('.lock') && !(await isLocked(lock))) await remove(lock.slice(0, -5))
  }
}

/**
 * Makes the store of this machine where it is missing: beside its place, and put there in one step once it has its table and
 * the engine has closed it. The engine makes a table in several steps, and a store that a full disk stopped between two of
 * them would never work again. Of several who make it at once, one is first.
 */
export const makeStore = async (file: string, prepare: (endpoint: string) => Promise<void>): Promise<void> => {
  if (await ifThere(stat(file))) return
  await sweep(file)
  const draft = `${file}.new-${randomUUID()}`
  try {
    const engine = await startDynamodb({ file: draft })
    try {
      await prepare(engine.endpoint)
    } finally {
      await engine.stop()
    }
    // Another process was first, and may have swept ours.
    await unless(['EEXIST', 'ENOENT'], link(draft, file))
    await stat(file)
  } finally {
    await remove(draft)
  }
}
