import { defined, type FindImport, type FoundFile } from '#core'
import { readTextFile } from './read-text-file.ts'

/**
 * A file of the configuration below a folder. Of a Jsonnet file the text is the JSON that it means. `searched`: where its
 * command is searched, as in PATH. `findImport`: what its imports mean, where that is not the file itself.
 */
export const readDocumentFile = async (
  root: string,
  path: string,
  searched: string,
  findImport?: FindImport,
): Promise<FoundFile> => {
  if (!path.endsWith('.jsonnet')) return readTextFile(root, path)
  const [{ evaluateJsonnet }, { runProgram }] = await Promise.all([
    import('./jsonnet/evaluate.ts'),
    import('../transport/exec/run-program.ts'),
  ])
  return evaluateJsonnet(root, path, { run: runProgram, path: searched, ...defined({ findImport }) })
}
