import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Waits until nobody has the lock of the embedded engine, which is one of flock and none of SQLite: the event of its end. */
export const untilEngineEnded = async (file: string, seconds: number): Promise<void> => {
  await promisify(execFile)('flock', ['-w', String(seconds), `${file}.lock`, 'true'])
}
