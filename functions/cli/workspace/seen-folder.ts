import { relative, resolve } from 'node:path'
import { findRepository } from '../../adapters/files/find-repository.ts'
import { readFolders } from '../state/state-folder.ts'
import type { ChosenWorkspace } from './session.ts'

/** Returns a folder relative to the root of its repository, because pipelines name files from there. */
export const seenFrom = async (folder: string, here: string): Promise<string> =>
  relative((await findRepository(here)) ?? here, folder)
    .split('\\')
    .join('/')

export const seenFolder = async (
  { backend, workspace }: ChosenWorkspace,
  given: string | undefined,
  here: string,
): Promise<string> => {
  const known = backend.kind === 'local' ? (await readFolders(backend.state)).get(workspace) : undefined
  return seenFrom(known ?? resolve(here, given ?? '.'), here)
}
