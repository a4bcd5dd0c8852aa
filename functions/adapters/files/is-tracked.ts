import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findRepository } from './find-repository.ts'

/** Tells whether Git tracks one of the files of a folder. Without a repository or without Git nobody has cloned it here. */
export const isTracked = async (...files: readonly [string, ...string[]]): Promise<boolean> => {
  const root = await findRepository(dirname(files[0]))
  if (root === undefined) return false
  // The settings of a repository must not choose a program to run.
  const place = ['-c', 'core.fsmonitor=false', `--git-dir=${join(root, '.git')}`, `--work-tree=${root}`]
  return promisify(execFile)('git', [...place, 'ls-files', '--', ...files], { cwd: root }).then(
    ({ stdout }) => stdout !== '',
    () => false,
  )
}
