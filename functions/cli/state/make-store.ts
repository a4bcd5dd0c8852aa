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

/** Removes the unfinished stores of killed processes: they use disk space. */
const sweep = async (file: string): Promise<void> => {
  const drafts = `${basename(file)}.new-`
  for (const name of await readdir(dirname(file))) {
    const lock = join(dirname(file), name)
    if (name.startsWith(drafts) && name.endsWith('.lock') && !(await isLocked(lock))) await remove(lock.slice(0, -5))
  }
}

/**
 * Creates the store of this machine if it is missing: in a file beside it, which is renamed once the engine has created the
 * table and closed the file. The engine creates a table in several steps; if a full disk stopped it between two of them, the
 * store would be unusable. If several processes create it at once, the first one wins.
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
