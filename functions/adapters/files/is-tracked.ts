import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findRepository } from './find-repository.ts'

/** Tells whether Git tracks the file. Without a repository or without Git nobody has cloned it here. */
export const isTracked = async (file: string): Promise<boolean> => {
  const root = await findRepository(dirname(file))
  if (root === undefined) return false
  // The settings of a repository must not choose a program to run.
  const place = ['-c', 'core.fsmonitor=false', `--git-dir=${join(root, '.git')}`, `--work-tree=${root}`]
  return promisify(execFile)('git', [...place, 'ls-files', '--error-unmatch', '--', file], { cwd: root }).then(
    () => true,
    // Git ends with 1 for a file that it does not track.
    () => false,
  )
}
