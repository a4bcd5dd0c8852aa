import type { Issue } from '../../schema/issue.ts'
import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { ModuleCall, Position } from '../../schema/resource.ts'
import { addressWithin, resourceAddress } from '../../values/addresses/address.ts'
import { isTooLong, maxAddressBytes } from '../../values/addresses/declarable.ts'
import { resolvePath } from '../../values/file-path.ts'
import { holdsHole } from '../expressions/references.ts'
import type { FindImport } from '../files/named-files.ts'
import { say as sayOfFile } from '../files/words.ts'
import { type Frame, frameOfEach } from '../references/frame.ts'
import { say as sayOfConfiguration } from '../shared/words.ts'
import { documentExtensions, isDocument, parseDocument, type Report, reporter } from '../syntax/parse-document.ts'
import { calledFrom } from './definition.ts'
import { toDraft } from './draft.ts'
import { type Expansion, mayGrow } from './expansion.ts'
import type {
  ForeignCall,
  ForeignFacts,
  ForeignLibrary,
  ForeignModule,
  ForeignResource,
  ForeignSource,
} from './foreign.ts'
import { say } from './words.ts'

export interface ForeignInstance {
  readonly source: ForeignSource
  readonly given: JsonObject
  readonly outer: Frame
  readonly path: Path
  readonly module: string
  readonly calls: readonly ModuleCall[]
}

type FileFrame = Pick<Frame, 'locate' | 'report'>

/** False if the call or the file has a problem, which is reported. */
export const addForeign = (instance: ForeignInstance, expansion: Expansion): boolean => {
  const { source, given, outer, path, module } = instance
  expansion.modules.set(module, { parameters: new Map(), outputs: new Map() })
  const values = expansion.resolver.members(outer, given, [...path, 'with'])
  if (holdsHole(values)) return false
  const call = source.call(values, (inner, ...said) => outer.report([...path, 'with', ...inner], ...said))
  const opened = call && openFile(call, instance, expansion)
  if (call === undefined || opened === undefined) return false
  const before = expansion.issues.length
  const found = call.read(opened.value, opened.report, () => libraryTexts(call, opened.file, opened.folder, expansion))
  if (found === undefined || expansion.issues.length > before) return false
  expansion.facts.push(factsOf(found, module, opened))
  const groups = Map.groupBy(found.resources, ({ type, name }) => `${type}.${name}`)
  for (const group of groups.values()) addGroup(group, { module, provider: call.provider ?? '', ...opened }, expansion)
  return true
}

const importsOf = (file: string, { below, from }: ForeignLibrary, folder: string | undefined): FindImport => {
  const beside = file.slice(0, file.lastIndexOf('/') + 1)
  return (path) => {
    const [, rest] = path.startsWith(`${beside}${below}/`)
      ? (/^[^/]+\/(.+)$/.exec(path.slice(beside.length + below.length + 1)) ?? [])
      : []
    if (rest === undefined) return undefined
    return 'folder' in from ? { path: `${folder}/${rest}` } : from
  }
}

const libraryTexts = (
  { library }: ForeignCall,
  file: string,
  folder: string | undefined,
  { files }: Expansion,
): readonly string[] => {
  if (library === undefined) return []
  if ('text' in library.from) return [library.from.text]
  const beside = file.slice(0, file.lastIndexOf('/') + 1)
  const found = files.match(folder === undefined ? `${beside}${library.below}/*/*.libsonnet` : `${folder}/*.libsonnet`)
  return found.flatMap((path) => files.get(path) ?? [])
}

const openFile = (
  { file: written, library }: ForeignCall,
  { outer, path, calls }: ForeignInstance,
  { files, issues }: Expansion,
) => {
  const at: Path = [...path, 'with', 'file']
  const file = resolvePath(outer.locate(at).file, written)
  if (file === undefined) return outer.report(at, sayOfFile('outside', written))
  const inFolder = library !== undefined && 'folder' in library.from ? library.from.folder : undefined
  const folder = inFolder === undefined ? undefined : resolvePath(outer.locate(at).file, inFolder)
  if (inFolder !== undefined && folder === undefined)
    return outer.report([...path, 'with', 'library'], sayOfFile('outside', inFolder))
  const text = files.getDocument(file, library && importsOf(file, library, folder))
  if (text === undefined) return outer.report(at, files.refusal(file))
  if (!isDocument(file)) return outer.report(at, sayOfConfiguration('otherFileType', file, documentExtensions))
  const document = parseDocument(file, text)
  for (const issue of document.issues) issues.push({ ...issue, calls })
  if (document.value === undefined || document.issues.length > 0) return undefined
  const locate = calledFrom(document, calls)
  return { value: document.value, locate, report: reporter({ locate, value: document.value }, issues), file, folder }
}

const factsOf = (
  { resources, moved, imports, notes }: ForeignModule,
  module: string,
  { locate, value }: FileFrame & { readonly value: Json },
): ForeignFacts => {
  const within = (address: string): string => addressWithin(module, address)
  const declared = new Set(resources.map(localAddress))
  const noted: Issue[] = []
  const note = reporter({ locate, value }, noted)
  for (const { path, level: _, atKey, ...diagnostic } of notes) note(path, diagnostic, atKey ? 'key' : 'value')
  return {
    moved: moved
      .filter(({ from, to }) => !declared.has(from) && declared.has(to))
      .map(({ from, to }) => ({ from: within(from), to: within(to) })),
    imports: imports.map(({ to, id, path }) => ({ to: within(to), id, position: locate(path) })),
    notes: noted.map((issue, index) => ({ ...issue, level: notes[index]?.level ?? 'warning' })),
  }
}

const localAddress = ({ type, name, key }: ForeignResource): string =>
  key === undefined ? `${type}.${name}` : `${type}.${name}[${JSON.stringify(key)}]`

interface PlacedResource extends FileFrame {
  readonly module: string
  readonly provider: string
}

const addGroup = (group: readonly ForeignResource[], placed: PlacedResource, expansion: Expansion): void => {
  const [first] = group
  if (first === undefined) return
  const base = resourceAddress({ module: placed.module, type: first.type, name: first.name })
  const keys = group.flatMap(({ key }) => (key === undefined ? [] : [key]))
  const position = placed.locate(first.path)
  expansion.resourceGroups.set(base, { keys: keys.length === 0 ? undefined : new Set(keys), broken: false, position })
  for (const each of group) addOne(each, placed, expansion)
}

const addOne = (
  resource: ForeignResource,
  { module, provider, ...document }: PlacedResource,
  expansion: Expansion,
): void => {
  const { type, name, key, spec, dependsOn, lifecycle, absent, path } = resource
  const index = expansion.drafts.length
  const located = locatedIn(resource, index, document)
  const bare: Frame = {
    id: `${module} ${index}`,
    module,
    names: { resources: new Set(), modules: new Set() },
    ...located,
  }
  const frame = key === undefined ? bare : frameOfEach(bare, key, { key, value: key })
  if (!mayGrow(expansion, { ...frame, report: document.report }, path)) return
  const written = toDraft(
    { type, name, spec, dependsOn, ...(lifecycle && { lifecycle: { ...lifecycle } }), ...(absent && { absent }) },
    index,
    {
      frame,
      provider,
    },
  )
  const draft = expansion.rename({ ...written, mayLackType: true })
  if (isTooLong(draft.address)) document.report(path, say('longAddress', maxAddressBytes))
  expansion.resources.set(draft.address, draft)
  expansion.drafts.push(draft)
}

/** Maps a path of a resource (`resources`, index, `spec`, ...) to the place in the foreign file. */
const locatedIn = ({ path, origins }: ForeignResource, index: number, { locate, report }: FileFrame): FileFrame => {
  const placeOf = (of: Path): Path => {
    const [list, position, member, attribute, ...rest] = of
    if (list !== 'resources' || position !== index || member !== 'spec') return path
    const origin = origins[String(attribute)]
    return origin === undefined ? path : [...origin, ...rest]
  }
  return {
    locate: (of, what): Position => locate(placeOf(of), what),
    report: ((of, ...said) => report(placeOf(of), ...said)) satisfies Report,
  }
}
