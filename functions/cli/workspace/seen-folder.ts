import { relative, resolve } from 'node:path'
import { findRepository } from '../../adapters/files/find-repository.ts'
import { readFolders } from '../state/state-folder.ts'
import type { ChosenWorkspace } from './session.ts'

interface SeenFolder {
  /** From the root of its repository, because pipelines name files from there. */
  readonly folder: string
  /** From where the command runs. */
  readonly near: string
}

const way = (from: string, to: string): string => relative(from, to).split('\\').join('/')

export const seenFrom = async (folder: string, here: string): Promise<SeenFolder> => ({
  folder: way((await findRepository(here)) ?? here, folder),
  near: way(here, folder),
})

export const seenFolder = async (
  { backend, workspace }: ChosenWorkspace,
  given: string | undefined,
  here: string,
): Promise<SeenFolder> => {
  const known = backend.kind === 'local' ? (await readFolders(backend.state)).get(workspace) : undefined
  return seenFrom(known ?? resolve(here, given ?? '.'), here)
}
