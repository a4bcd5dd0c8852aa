import { namedFiles } from '../../config/files/named-files.ts'
import type { SourcedBundle } from '../../config/files/source.ts'
import { entryNames } from '../../config/shared/entry-names.ts'
import type { Diagnostic } from '../../schema/issue.ts'
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

const namesOf = (files: TreeEntries): Readonly<Record<string, string>> =>
  Object.fromEntries([...files.keys()].map((path) => [path, '']))

/** Reads the files that the configuration names, until they are too many or too large together. */
const reader = (files: TreeEntries, repository: Repository) => {
  const read = { files: 0, bytes: 0 }
  return async (path: string): Promise<FoundFile> => {
    const refusal = whyNoFile(files, path)
    const entry = files.get(path)
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
export const readCommit = async (
  { repository, commit, folder }: { repository: Repository; commit: string; folder: string | undefined },
  deps: Deps,
): Promise<SourcedBundle | { readonly flaw: string }> => {
  const files = await repository.files(commit, folder)
  if (files === undefined) return { flaw: flaws.noFolder(folder ?? '') }
  const entries = readable.filter((name) => files.has(name))
  const [entry] = entries
  if (entry === undefined) {
    const jsonnet = [...files.keys()].find((path) => path === 'plumbline.jsonnet')
    return { flaw: jsonnet === undefined ? flaws.noEntry(folder ?? 'the repository') : flaws.jsonnet(jsonnet) }
  }
  if (entries.length > 1) return { flaw: flaws.several(entries) }
  const names = namedFiles({ files: namesOf(files) })
  const list = async (pattern: string): Promise<readonly string[]> => names.match(pattern)
  return collectBundle({ entry, read: reader(files, repository), list }, deps)
}
