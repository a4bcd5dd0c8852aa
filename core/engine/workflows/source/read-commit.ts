import { namedFiles } from '../../config/files/named-files.ts'
import type { SourcedBundle } from '../../config/files/source.ts'
import { entryNames } from '../../config/shared/entry-names.ts'
import type { Diagnostic } from '../../schema/issue.ts'
import { isAbove, pathIn } from '../../values/file-path.ts'
import type { Deps } from '../deps.ts'
import { collectBundle, type FoundFile } from '../session/load/collect-bundle.ts'
import type { Repository, TreeEntry } from './github.ts'
import { fileRefusals, flaws } from './words.ts'

/** Bytes of one file, bytes of all files, and number of files: the limits of a push. */
const limits = { file: 1_000_000, bytes: 4_000_000, files: 1_000 }

/** Jsonnet is left out, because nothing is evaluated here. */
const readable = entryNames.filter((name) => name !== 'plumbline.jsonnet')

const refused = ([message, fix]: readonly [string, string]): Diagnostic => ({ message, fix })

type TreeEntries = ReadonlyMap<string, TreeEntry>

interface CommitFolder {
  readonly repository: Repository
  readonly commit: string
  /** `undefined`: the root of the repository. */
  readonly folder: string | undefined
}

/** Why an entry of a tree cannot be read as a file. What is below a link or a submodule has no entry of its own. */
const whyNoFile = (files: TreeEntries, path: string): Diagnostic | undefined => {
  const parts = path.split('/')
  const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  for (const place of places) {
    const { mode, type } = files.get(place) ?? {}
    if (mode === '120000') return refused(fileRefusals.link(place))
    if (type === 'commit') return refused(fileRefusals.submodule(place))
  }
  const found = files.get(path)
  if (found === undefined) {
    const isFolder = [...files.keys()].some((each) => each.startsWith(`${path}/`))
    return isFolder ? refused(fileRefusals.folder(path)) : namedFiles({ files: namesOf(files) }).refusal(path)
  }
  if (/\.(jsonnet|libsonnet)$/.test(path)) return refused(fileRefusals.jsonnet(path))
  return (found.size ?? 0) > limits.file ? refused(fileRefusals.large(path, limits.file)) : undefined
}

/** The files of a workspace in a commit: those of its folder at once, and all others when a path above is named. */
const filesOf = (files: TreeEntries, { repository, commit, folder = '' }: CommitFolder) => {
  let whole: Promise<TreeEntries> | undefined
  const all = (): Promise<TreeEntries> => {
    whole ??= repository.files(commit, undefined).then((found) => found ?? new Map())
    return whole
  }
  return {
    /** Where a path is found, by which name. `undefined` if it leads out of the repository. */
    place: async (path: string): Promise<{ readonly files: TreeEntries; readonly name: string } | undefined> => {
      if (!isAbove(path)) return { files, name: path }
      const name = pathIn(folder, path)
      return name === undefined || isAbove(name) ? undefined : { files: await all(), name }
    },
    match: async (pattern: string): Promise<readonly string[]> => {
      if (!isAbove(pattern)) return namedFiles({ files: namesOf(files) }).match(pattern)
      const [up = ''] = /^(?:\.\.\/)+/.exec(pattern) ?? []
      const below = pathIn(folder, `${up}_`)?.slice(0, -1)
      if (below === undefined || isAbove(below)) return []
      const found = namedFiles({ files: namesOf(await all()) }).match(below + pattern.slice(up.length))
      return found.map((path) => up + path.slice(below.length))
    },
  }
}

const namesOf = (files: TreeEntries): Readonly<Record<string, string>> =>
  Object.fromEntries([...files.keys()].map((path) => [path, '']))

/** Reads the files that the configuration names, until they are too many or too large together. */
const reader = ({ place }: Pick<ReturnType<typeof filesOf>, 'place'>, repository: Repository) => {
  const read = { files: 0, bytes: 0 }
  return async (path: string): Promise<FoundFile> => {
    const found = await place(path)
    if (found === undefined) return refused(fileRefusals.outside(path))
    const refusal = whyNoFile(found.files, found.name)
    const entry = found.files.get(found.name)
    if (refusal !== undefined || entry === undefined) return refusal ?? refused(fileRefusals.folder(path))
    read.files += 1
    if (read.files > limits.files) return refused(fileRefusals.tooMany(path, limits.files))
    const bytes = await repository.bytes(path, entry)
    read.bytes += bytes.byteLength
    if (bytes.byteLength > limits.file) return refused(fileRefusals.large(path, limits.file))
    if (read.bytes > limits.bytes) return refused(fileRefusals.tooMuch(path, limits.bytes))
    try {
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } catch {
      return refused(fileRefusals.notUtf8(path))
    }
  }
}

/**
 * The configuration of a commit, or why it has none. Throws if a request fails, because a partial read is no
 * configuration.
 */
export const readCommit = async (of: CommitFolder, deps: Deps): Promise<SourcedBundle | { readonly flaw: string }> => {
  const { repository, commit, folder } = of
  const files = await repository.files(commit, folder)
  if (files === undefined) return { flaw: flaws.noFolder(folder ?? '') }
  const entries = readable.filter((name) => files.has(name))
  const [entry] = entries
  if (entry === undefined) {
    const jsonnet = [...files.keys()].find((path) => path === 'plumbline.jsonnet')
    return { flaw: jsonnet === undefined ? flaws.noEntry(folder ?? 'the repository') : flaws.jsonnet(jsonnet) }
  }
  if (entries.length > 1) return { flaw: flaws.several(entries) }
  const all = filesOf(files, of)
  return collectBundle({ entry, read: reader(all, repository), list: all.match }, deps)
}
