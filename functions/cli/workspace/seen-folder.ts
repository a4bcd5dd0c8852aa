import { relative, resolve } from 'node:path'
import { findRepository } from '../../adapters/files/find-repository.ts'
import { readFolders } from '../state/state-folder.ts'
import type { ChosenWorkspace } from './session.ts'

/** Where files are for those who see the repository: pipelines name them from its root. */
export const seenFrom = async (folder: string, here: string): Promise<string> =>
  relative((await findRepository(here)) ?? here, folder)
    .split('\\')
    .join('/')

/** The same of the files of a workspace; `given` as the user named it. */
export const seenFolder = async (
  { backend, workspace }: ChosenWorkspace,
  given: string | undefined,
  here: string,
): Promise<string> => {
  const known = backend.kind === 'local' ? (await readFolders(backend.state)).get(workspace) : undefined
  return seenFrom(known ?? resolve(here, given ?? '.'), here)
}
