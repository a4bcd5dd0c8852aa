import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { AppError, type Bundle, type ConfigSource, loadBundle, type Store } from '#core'

/** Of a workspace's folder; the first one that is there counts. */
export const entryFiles = ['plumbline.yaml', 'plumbline.json', 'plumbline.jsonc']
const maxFileBytes = 1_000_000
const maxBundleBytes = 4_000_000
const hidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

const asText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Files and links to files, by path; a link that leads out of the folder is no part of it. */
const listFiles = async (root: string, folder: string): Promise<readonly string[]> => {
  const found = await readdir(folder, { withFileTypes: true })
  const inner = await Promise.all(
    found.map(async (item) => {
      const path = join(folder, item.name)
      if (hidden(item.name)) return []
      if (item.isDirectory()) return listFiles(root, path)
      const real = await realpath(path).catch(() => undefined)
      if (real === undefined || !real.startsWith(root + sep)) return []
      const file = await stat(real)
      return file.isFile() && file.size <= maxFileBytes ? [path] : []
    }),
  )
  return inner.flat().sort()
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const open = async (folder: string) => {
  const root = await realpath(folder)
  return { root, names: await readdir(root) }
}

/**
 * A workspace's folder as a bundle: its text files, folders whose name starts with a dot and node_modules left out. Rejects
 * with CONFIG_NOT_FOUND where no entry file is, with USAGE where the folder is plainly not a workspace's.
 */
export const readFolder = async (folder: string): Promise<Bundle> => {
  const { root, names } = await open(folder).catch((error: unknown) => {
    if (isMissing(error)) throw new AppError('CONFIG_NOT_FOUND', { path: folder }, { cause: error })
    throw error
  })
  const entry = entryFiles.find((name) => names.includes(name))
  if (entry === undefined) throw new AppError('CONFIG_NOT_FOUND', { path: folder })
  const files: Record<string, string> = {}
  let total = 0
  for (const path of await listFiles(root, root)) {
    const content = await readFile(path)
    const text = asText(content)
    if (text === undefined) continue
    total += content.byteLength
    if (total > maxBundleBytes)
      throw new AppError('USAGE', {
        detail: `the texts in ${folder} are larger than ${maxBundleBytes} bytes together; give the workspace a folder of its own`,
      })
    files[relative(root, path).split(sep).join('/')] = text
  }
  return { entry, files }
}

/** What was pushed. Rejects with WORKSPACE_NOT_FOUND or STORE_CORRUPT. */
export const storeSource = (store: Store): ConfigSource => ({ load: (workspace) => loadBundle(store, workspace) })

/** Workspaces whose files live in folders of this machine; every other one is loaded from `otherwise`. */
export const folderSource = (folders: ReadonlyMap<string, string>, otherwise: ConfigSource): ConfigSource => ({
  load: async (workspace) => {
    const folder = folders.get(workspace)
    return folder === undefined ? otherwise.load(workspace) : { ...(await readFolder(folder)), folder: resolve(folder) }
  },
})
