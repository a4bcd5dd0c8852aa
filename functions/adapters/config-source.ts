import { readdir, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  AppError,
  type ConfigSource,
  collectBundle,
  type Deps,
  type FoundFile,
  loadBundle,
  loadProviders,
  type SourcedBundle,
  type Store,
} from '#core'
import { readTextFile } from './read-text-file.ts'

/** Of a workspace's folder; the first one that is there counts. */
export const entryFiles = ['plumbline.yaml', 'plumbline.json', 'plumbline.jsonc']
/** Of all files together. */
const maxBundleBytes = 16_000_000

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const open = async (folder: string) => {
  const root = await realpath(folder)
  return { root, names: await readdir(root) }
}

/** Reads files until they are too large together. */
const reader = (root: string) => {
  let total = 0
  return async (path: string): Promise<FoundFile> => {
    const found = await readTextFile(root, path)
    if (!('text' in found)) return found
    total += Buffer.byteLength(found.text)
    if (total <= maxBundleBytes) return found
    return {
      message: `with ${path} the files of the workspace are larger than ${maxBundleBytes} bytes together`,
      fix: 'split the workspace in two',
    }
  }
}

/**
 * A workspace's folder as a bundle: the entry and the files that it names. Nothing else in the folder is read. Rejects with
 * CONFIG_NOT_FOUND where no entry file is, with FILE_REFUSED where the entry cannot be read.
 */
export const readFolder = async (
  folder: string,
  deps: Pick<Deps, 'providers'> = { providers: loadProviders },
): Promise<SourcedBundle> => {
  const { root, names } = await open(folder).catch((error: unknown) => {
    if (isMissing(error)) throw new AppError('CONFIG_NOT_FOUND', { path: folder }, { cause: error })
    throw error
  })
  const entry = entryFiles.find((name) => names.includes(name))
  if (entry === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  return collectBundle({ entry, folder: resolve(folder), read: reader(root) }, deps)
}

/** What was pushed. Rejects with WORKSPACE_NOT_FOUND or STORE_CORRUPT. */
export const storeSource = (store: Store): ConfigSource => ({ load: (workspace) => loadBundle(store, workspace) })

/** Workspaces whose files live in folders of this machine; every other one is loaded from `otherwise`. */
export const folderSource = (folders: ReadonlyMap<string, string>, otherwise: ConfigSource): ConfigSource => ({
  load: async (workspace) => {
    const folder = folders.get(workspace)
    return folder === undefined ? otherwise.load(workspace) : readFolder(folder)
  },
})
