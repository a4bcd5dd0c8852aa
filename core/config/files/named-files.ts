import type { WorkspaceFiles } from '../../schema/workspace-files.ts'
import { suggest } from '../../values/nearest-word.ts'
import { resolvePath } from './resolve-path.ts'
import type { SourcedBundle } from './source.ts'

/** The files of one load, and which of them it asked for. */
export interface NamedFiles extends WorkspaceFiles {
  /** Every path that was asked for so far, in its one spelling; also those without a text. */
  readonly named: ReadonlySet<string>
}

/**
 * A bundle as a load sees it. What a workspace consists of is decided here and nowhere else: the entry, and what loading it
 * asks for. Whoever reads a folder, stores a workspace or sends one takes exactly these.
 */
export const namedFiles = ({ files, refused = {} }: Pick<SourcedBundle, 'files' | 'refused'>): NamedFiles => {
  const named = new Set<string>()
  const own = <Value>(values: Readonly<Record<string, Value>>, path: string): Value | undefined =>
    Object.hasOwn(values, path) ? values[path] : undefined
  return {
    named,
    get: (written) => {
      const path = resolvePath('', written)
      if (path === undefined) return undefined
      named.add(path)
      return own(files, path)
    },
    refusal: (written) => {
      const path = resolvePath('', written)
      if (path === undefined)
        return {
          message: `${written} is outside the folder of the workspace`,
          fix: 'name a file in the folder of the configuration, relative to it',
        }
      return (
        own(refused, path) ?? {
          message: `there is no file ${path}`,
          fix: suggest(path, Object.keys(files), 'add it'),
        }
      )
    },
  }
}
