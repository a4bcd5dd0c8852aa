import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { AppError } from '#core'
import { findRepository } from './find-repository.ts'
import { ifThere } from './system-errors.ts'

/** The folder that holds every file that a workspace may name. */
export interface FileLimit {
  /** Absolute, without links. */
  readonly folder: string
  /** What an error calls it. */
  readonly what: string
}

export const isBelow = (root: string, real: string): boolean => real.startsWith(root.endsWith(sep) ? root : root + sep)

export const ownFolder = (folder: string): FileLimit => ({ folder, what: 'the folder of the workspace' })

/**
 * The given folder, else the Git repository around the workspace, else the workspace itself. `root` contains no links.
 * Rejects with USAGE if the given folder does not contain the workspace.
 */
export const findLimit = async (root: string, given: string | undefined): Promise<FileLimit> => {
  if (given === undefined || given === '') {
    const repository = await findRepository(root)
    return repository === undefined ? ownFolder(root) : { folder: repository, what: 'the Git repository' }
  }
  const folder = await ifThere(realpath(given))
  if (folder === undefined || (folder !== root && !isBelow(folder, root)))
    throw new AppError('USAGE', {
      detail: `the workspace in ${root} is not in ${given}; --root (PLUMBLINE_ROOT) names a folder that holds it and the files that it shares`,
    })
  return { folder, what: 'the folder of --root' }
}
