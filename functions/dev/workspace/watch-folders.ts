import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unless } from '../../adapters/files/system-errors.ts'

export interface FolderWatch {
  watch(folders: ReadonlySet<string>): void
  stop(): void
}

/** Editors write a file in several steps, which count as one change. */
const quietMs = 150

/** More folders are not watched; the interval still finds their changes. */
const maxFolders = 200

/** Lists a folder and its subfolders by name only; without `node_modules` and names that begin with a dot. */
export const listFolders = async (root: string): Promise<ReadonlySet<string>> => {
  const folders = new Set([root])
  for (const folder of folders) {
    // A missing or unreadable folder is not watched; reading the configuration reports what is missing.
    const inner = await unless(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'], readdir(folder, { withFileTypes: true }))
    for (const item of inner ?? []) {
      if (folders.size >= maxFolders) return folders
      if (item.isDirectory() && !item.name.startsWith('.') && item.name !== 'node_modules')
        folders.add(join(folder, item.name))
    }
  }
  return folders
}

/** Calls `changed` shortly after a change in a folder. Names that begin with a dot are ignored. */
export const watchFolders = (changed: () => void): FolderWatch => {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  const soon = (_event: string, name: string | null): void => {
    if (name?.startsWith('.')) return
    clearTimeout(timer)
    timer = setTimeout(changed, quietMs)
  }
  const close = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false }, soon)
      watchers.set(folder, watcher)
      watcher.on('error', () => close(folder))
    } catch {
      // The folder is gone, or too many are watched: the interval still finds changes.
    }
  }
  return {
    watch: (folders) => {
      for (const folder of watchers.keys()) if (!folders.has(folder)) close(folder)
      for (const folder of folders) if (!watchers.has(folder)) open(folder)
    },
    stop: () => {
      clearTimeout(timer)
      for (const folder of watchers.keys()) close(folder)
    },
  }
}
