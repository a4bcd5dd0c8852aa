import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ifThere } from './system-errors.ts'

export const findRepository = async (from: string): Promise<string | undefined> => {
  // In a worktree or a submodule `.git` is a file.
  if (await ifThere(stat(join(from, '.git')))) return from
  const parent = dirname(from)
  return parent === from ? undefined : findRepository(parent)
}
