import { resolve } from 'node:path'
import {
  AppError,
  type BundlePreview,
  baseIn,
  type ConfigSource,
  collectBundle,
  type Deps,
  defined,
  type FileUse,
  type FoundFile,
  type GivenValue,
  givenByStore,
  isAppError,
  loadProviders,
  type SourcedBundle,
  sources,
} from '#core'
import { providersHere } from '../packages/installed.ts'
import { type FileLimit, findLimit } from './file-limit.ts'
import { findEntry } from './find-entry.ts'
import { listFiles } from './list-files.ts'
import { originOf } from './origin.ts'
import { readDocumentFile } from './read-document-file.ts'
import { readTextFile } from './read-text-file.ts'

const maxBundleBytes = 16_000_000

const reader = (root: string, searched: string, limit: FileLimit) => {
  let total = 0
  return async (path: string, { isDocument, findImport }: FileUse): Promise<FoundFile> => {
    const found = await (isDocument
      ? readDocumentFile(root, path, { searched, limit, ...defined({ findImport }) })
      : readTextFile(root, path, limit))
    if (!('text' in found)) return found
    total += Buffer.byteLength(found.text)
    if (total <= maxBundleBytes) return found
    return {
      message: `with ${path} the files of the workspace are larger than ${maxBundleBytes} bytes together`,
      fix: 'split the workspace in two',
    }
  }
}

interface FolderDeps extends Partial<Pick<Deps, 'providers'>> {
  /**
   * The folders that are searched for programs that evaluate files, written as in PATH; without it there are no such
   * programs.
   */
  readonly searched?: string | undefined
  /** The folder that holds every file that the workspace may name; its Git repository when absent. */
  readonly root?: string | undefined
}

/**
 * Reads a workspace's folder as a bundle: the entry and the files that it names, which may be above it. Nothing else is
 * read. Rejects with CONFIG_NOT_FOUND if there is no entry file, with FILE_REFUSED if it cannot be read, and with USAGE
 * if the folder is not in `root`.
 */
export const readFolder = async (
  folder: string,
  given?: readonly GivenValue[],
  { providers = loadProviders, searched = '', root: above }: FolderDeps = {},
  preview?: BundlePreview,
): Promise<SourcedBundle> => {
  const found = await findEntry(folder)
  if (found === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  const { entry, root } = found
  const limit = await findLimit(root, above)
  const list = (pattern: string) => listFiles(root, pattern, limit)
  return collectBundle(
    { entry, folder: resolve(folder), read: reader(root, searched, limit), list, ...defined({ given, preview }) },
    { providers, sources },
  )
}

/** What the variables of a machine say about where files are. */
export const placesIn = (variables: FoldersHere['variables']): Pick<FolderDeps, 'searched' | 'root'> => ({
  searched: variables['PATH'],
  root: variables['PLUMBLINE_ROOT'],
})

interface FoldersHere {
  readonly folders: ReadonlyMap<string, string>
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** Returns the stored values of a workspace; the files in the folder may meanwhile declare other variables. */
const storedValues = async (
  stored: ConfigSource,
  workspace: string,
  signal: AbortSignal | undefined,
): Promise<readonly GivenValue[]> => {
  try {
    return givenByStore((await stored.load(workspace, signal)).variables ?? {}, true)
  } catch (error) {
    if (isAppError(error, 'WORKSPACE_NOT_FOUND')) return []
    throw error
  }
}

/**
 * Reads workspaces whose files live in folders of this machine, with the values that are stored for their variables;
 * every other workspace is loaded from `otherwise`.
 */
export const folderSource = ({ folders, variables }: FoldersHere, otherwise: ConfigSource): ConfigSource => ({
  folder: async (workspace) => folders.get(workspace),
  load: async (workspace, signal) => {
    const folder = folders.get(workspace)
    if (folder === undefined) {
      const stored = await otherwise.load(workspace, signal)
      // A preview keeps the files that it was made from: the folder may hold another branch by now.
      const beside = stored.preview && folders.get(baseIn(workspace))
      return { ...stored, ...defined({ folder: beside }) }
    }
    const given = await storedValues(otherwise, workspace, signal)
    const searching = { ...placesIn(variables), providers: providersHere(variables) }
    return { ...(await readFolder(folder, given, searching)), origin: await originOf(folder, variables) }
  },
})
