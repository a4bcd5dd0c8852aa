import { defined, type FindImport, type FoundFile } from '#core'
import type { FileLimit } from './file-limit.ts'
import { readTextFile } from './read-text-file.ts'

interface ReadingRules {
  readonly searched: string
  readonly limit: FileLimit
  readonly findImport?: FindImport
}

/**
 * Reads a file of the configuration of a folder; a Jsonnet file is evaluated to JSON text. `searched`: the folders that
 * are searched for its command, as in PATH. `findImport`: maps imports that do not mean the file itself.
 */
export const readDocumentFile = async (
  root: string,
  path: string,
  { searched, limit, findImport }: ReadingRules,
): Promise<FoundFile> => {
  if (!path.endsWith('.jsonnet')) return readTextFile(root, path, limit)
  const [{ evaluateJsonnet }, { runProgram }] = await Promise.all([
    import('./jsonnet/evaluate.ts'),
    import('../transport/exec/run-program.ts'),
  ])
  return evaluateJsonnet(root, path, { run: runProgram, path: searched, limit, ...defined({ findImport }) })
}
