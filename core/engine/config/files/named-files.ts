import type { WorkspaceFiles } from '../../schema/ports.ts'
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
  return (name) => isIt(name) && (!name.startsWith('.') || step.startsWith('.'))
}

/** A bundle during a load. A workspace consists of the entry and the files that are read here, and of no others. */
export const namedFiles = ({ files, refused = {} }: Pick<SourcedBundle, 'files' | 'refused'>): NamedFiles => {
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

/**
 * Resolves a path relative to a file and normalises it: `./a/../b.yaml` is `b.yaml`. `undefined` if the path leaves the
 * bundle.
 */
export const resolvePath = (from: string, written: string): string | undefined => {
  if (written.startsWith('/') || written.includes('\\')) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of written.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.length === 0 ? undefined : parts.join('/')
}
