import { readFile } from 'node:fs/promises'

const everyMs = 50

/** The memory that a process holds, in bytes; `undefined` where the system does not show it as Linux does. */
const heldBy = async (pid: number): Promise<number | undefined> => {
  try {
    const [, held] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
    return held === undefined ? undefined : Number(held) * 1024
  } catch {
    // The process has ended, or there is no such folder on this system.
    return undefined
  }
}

/** Calls `full` once, when a process holds more memory than this. Returns what ends the watch. */
export const watchMemory = (pid: number, maxBytes: number, full: () => void): (() => void) => {
  const watch = setInterval(async () => {
    const held = await heldBy(pid)
    if (held === undefined || held <= maxBytes) return
    clearInterval(watch)
    full()
  }, everyMs)
  return () => clearInterval(watch)
}
