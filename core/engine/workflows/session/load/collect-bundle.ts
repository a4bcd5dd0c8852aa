import { type FindImport, type NamedFiles, namedFiles } from '../../../config/files/named-files.ts'
import type { FileRefusal, SourcedBundle } from '../../../config/files/source.ts'
import type { GivenValue } from '../../../config/variables/given-value.ts'
import { isAppError } from '../../../errors/errors.ts'
import type { BundlePreview } from '../../../schema/stored/preview.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import { loadWorkspaceLater } from './load-later.ts'

/** The text of a file, or why it cannot be used and where that is written. */
export type FoundFile = { readonly text: string } | FileRefusal

export interface FileUse {
  /** The file is a part of the configuration, and not only a text that a part names. */
  readonly isDocument: boolean
  /** How imports are found, if the file is a program. */
  readonly findImport?: FindImport
}

interface BundleFolder {
  readonly entry: string
  /** Absolute path of the folder on this machine; missing if the folder is elsewhere. */
  readonly folder?: string
  readonly read: (path: string, use: FileUse) => Promise<FoundFile>
  readonly list: (pattern: string) => Promise<readonly string[]>
  readonly given?: readonly GivenValue[]
  /** If present, the files of a preview are collected. */
  readonly preview?: BundlePreview
}

/**
 * Reads only the entry and the files that it names, which loading finds. An invalid configuration is not an error here.
 */
export const collectBundle = async (
  { entry, folder, read, list, given, preview }: BundleFolder,
  deps: Pick<Deps, 'providers' | 'sources'>,
): Promise<SourcedBundle> => {
  const files = new Map<string, string>()
  const refused = new Map<string, FileRefusal>()
  const matched = new Map<string, readonly string[]>()
  let useOf = (path: string): FileUse => ({ isDocument: path === entry })
  for (let unread: readonly string[] = [entry]; ; ) {
    for (const path of unread) {
      const found = await read(path, useOf(path))
      if ('text' in found) files.set(path, found.text)
      else refused.set(path, found)
    }
    const bundle = {
      entry,
      files: Object.fromEntries(files),
      refused: Object.fromEntries(refused),
      ...defined({ folder, given, preview }),
    }
    const { named, documents, patterns } = await asking(bundle, deps)
    for (const pattern of patterns) if (!matched.has(pattern)) matched.set(pattern, await list(pattern))
    const included = new Set([...matched.values()].flat())
    useOf = (path) => ({
      isDocument: documents.has(path) || included.has(path),
      ...defined({ findImport: documents.get(path) }),
    })
    const all = new Set([...named, ...included])
    unread = [...all].filter((path) => !files.has(path) && !refused.has(path))
    if (unread.length === 0) return bundle
  }
}

const asking = async (bundle: SourcedBundle, deps: Pick<Deps, 'providers' | 'sources'>): Promise<NamedFiles> => {
  const files = namedFiles(bundle)
  try {
    await loadWorkspaceLater(bundle, deps, files)
  } catch (error) {
    if (!isAppError(error, 'CONFIG_INVALID')) throw error
  }
  return files
}
