import { readSource } from '../../cli/workspace/find-workspace.ts'
import type { GivenOptions } from '../../cli/workspace/given-values.ts'
import type { Source } from '../../cli/workspace/load-source.ts'
import { repeat, type Worker } from '../worker.ts'
import { listFolders, watchFolders } from './watch-folders.ts'

interface LoopOptions {
  readonly folder: string
  /** The given values of variables; their files are read again each time. */
  readonly given: GivenOptions
  /** The least time between two checks; 0: only changed files cause a check. */
  readonly everyMs: number
  readonly push: (source: Source) => Promise<void>
  readonly check: (workspace: string) => Promise<void>
  readonly failed: (error: unknown) => void
}

interface WorkspaceLoop extends Worker {
  /** Must be called when a check has ended, with its duration. */
  ended(tookMs: number): void
}

/** A check may take at most this part of the time, so that a large target is not read without a pause. */
const share = 10
/** A requested check counts as lost after this time. */
const lostMs = 60_000
const tickMs = 250

/** Stores a folder's configuration whenever its files change, and requests checks periodically. */
export const startWorkspaceLoop = (options: LoopOptions): WorkspaceLoop => {
  const { folder, given, everyMs, push, check, failed } = options
  let due = 0
  let asked: number | undefined
  let touched = true
  const watcher = watchFolders(() => {
    touched = true
  })
  const ask = async (): Promise<void> => {
    touched = false
    const source = await readSource(folder, given)
    // Some editors remove a file for a moment; the next tick looks again.
    if (source === undefined) return
    watcher.watch(await listFolders(folder))
    await push(source)
    asked = Date.now()
    await check(source.id)
  }
  const tick = async (): Promise<void> => {
    const now = Date.now()
    const waiting = asked !== undefined && now - asked < lostMs
    if (waiting || (!touched && (everyMs === 0 || now < due))) return
    due = now + everyMs
    await ask()
  }
  const ticking = repeat(tickMs, tick, failed)
  return {
    ended: (tookMs) => {
      asked = undefined
      due = Date.now() + Math.max(everyMs, tookMs * share)
    },
    stop: async () => {
      watcher.stop()
      await ticking.stop()
    },
  }
}
