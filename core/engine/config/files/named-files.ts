import type { WorkspaceFiles } from '../../schema/ports.ts'
import { pathOfStored, resolvePath } from '../../values/file-path.ts'
import { globPattern } from '../../values/texts/glob.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import type { SourcedBundle } from './source.ts'
import { say } from './words.ts'

/** What replaces the file that an import of a program names. */
type Instead =
  | { readonly path: string }
  | { readonly text: string }
  /** The imported file itself; `fix` says what to do if it does not exist. */
  | { readonly fix: string }

/** Called with the path of an imported file; `undefined` means the file itself. */
export type FindImport = (path: string) => Instead | undefined

/** The files of one load. It notes which of them were read. */
export interface NamedFiles extends WorkspaceFiles {
  /** Every path that was read so far, normalised, including paths without a text. */
  readonly named: ReadonlySet<string>
  /** The paths in `named` that are parts of the configuration, with what their imports mean. */
  readonly documents: ReadonlyMap<string, FindImport | undefined>
  /** Reads a part of the configuration, of which only the value counts, not the text. */
  getDocument(path: string, findImport?: FindImport): string | undefined
  readonly patterns: ReadonlySet<string>
  /** Sorted. `*` matches any part of a name that does not begin with a dot. */
  match(pattern: string): readonly string[]
}

const pathPattern = (pattern: string): ((path: string) => boolean) => {
  const steps = pattern.split('/').map(namePattern)
  return (path) => {
    const names = path.split('/')
    return names.length === steps.length && steps.every((isIt, index) => isIt(names[index] ?? ''))
  }
}

export const namePattern = (step: string): ((name: string) => boolean) => {
  const isIt = globPattern(step)
  return (name) => (name === '..' ? step === name : isIt(name) && (!name.startsWith('.') || step.startsWith('.')))
}

/** A bundle during a load. A workspace consists of the entry and the files that are read here, and of no others. */
export const namedFiles = ({ files: stored, refused = {} }: Pick<SourcedBundle, 'files' | 'refused'>): NamedFiles => {
  const files = Object.fromEntries(Object.entries(stored).map(([name, text]) => [pathOfStored(name), text]))
  const named = new Set<string>()
  const documents = new Map<string, FindImport | undefined>()
  const patterns = new Set<string>()
  const get = (written: string): string | undefined => {
    const path = resolvePath('', written)
    if (path === undefined) return undefined
    named.add(path)
    return Object.hasOwn(files, path) ? files[path] : undefined
  }
  return {
    named,
    documents,
    patterns,
    get,
    getDocument: (written, findImport) => {
      const path = resolvePath('', written) ?? written
      documents.set(path, findImport ?? documents.get(path))
      return get(written)
    },
    match: (pattern) => {
      patterns.add(pattern)
      return [...Object.keys(files), ...Object.keys(refused)].filter(pathPattern(pattern)).sort()
    },
    refusal: (written) => {
      const path = resolvePath('', written)
      if (path === undefined) return say('outside', written)
      const refusal = Object.hasOwn(refused, path) ? refused[path] : undefined
      return refusal ?? say('noFile', path, suggest(path, Object.keys(files), 'add it'))
    },
  }
}
