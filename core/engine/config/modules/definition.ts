import { isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { ModuleCall, Position } from '../../schema/resource.ts'
import { resolvePath } from '../../values/file-path.ts'
import type { NamedFiles } from '../files/named-files.ts'
import { jsonnetFault } from '../files/source.ts'
import { say as sayOfFile } from '../files/words.ts'
import type { DeclaredNames, Frame, Variable } from '../references/frame.ts'
import { type Declaration, readDeclaration } from '../shape/declaration.ts'
import { moduleShape } from '../shape/module-shape.ts'
import { parseFile } from '../shape/shape-issues.ts'
import { type ParsedDocument, parseDocument, reporter } from '../syntax/parse-document.ts'
import { say } from './words.ts'

/** The first existing file counts. */
const fileNames = ['module.yaml', 'module.jsonnet'] as const

export interface ModuleDefinition {
  readonly file: string
  readonly written: JsonObject
  readonly document: ParsedDocument
  readonly parameters: ReadonlyMap<string, Declaration>
  readonly outputs: ReadonlyMap<string, Json>
  readonly names: DeclaredNames
}

const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const calledFrom =
  ({ locate }: Pick<ParsedDocument, 'locate'>, calls: readonly ModuleCall[]) =>
  (path: Path, what?: 'value' | 'key'): Position =>
    calls.length === 0 ? locate(path, what) : { ...locate(path, what), calls }

const readOutputs = (written: JsonObject): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(written).flatMap(([name, output]) =>
      isObject(output) && Object.hasOwn(output, 'value') ? [[name, output['value'] ?? null]] : [],
    ),
  )

const readParameters = (written: JsonObject): ReadonlyMap<string, Declaration> =>
  new Map(
    Object.entries(written).flatMap(([name, declared]) =>
      isObject(declared) ? [[name, readDeclaration(name, declared)]] : [],
    ),
  )

export const parametersOf = (
  { parameters }: ModuleDefinition,
  given: JsonObject,
  { outer, inner, path }: { readonly outer: Frame; readonly inner: Frame; readonly path: Path },
): ReadonlyMap<string, Variable> => {
  const values = [...parameters].map(([name, declaration]): readonly [string, Variable] => {
    if (Object.hasOwn(given, name)) {
      const written = given[name] ?? null
      return [name, { frame: outer, path: [...path, 'with', name], written, declaration }]
    }
    const { default: otherwise } = declaration
    if (otherwise === undefined) return [name, { value: undefined }]
    // A default may refer to nothing: neither to other parameters nor to anything outside of the module.
    return [name, { frame: inner, path: ['parameters', name, 'default'], written: otherwise, declaration }]
  })
  return new Map(values)
}

/** A file is parsed and checked once, so its problems name only the first call. */
export const definitionsIn = (files: NamedFiles, issues: Parameters<typeof reporter>[1]) => {
  const known = new Map<string, ModuleDefinition | undefined>()
  const read = (file: string, text: string, calls: readonly ModuleCall[]): ModuleDefinition | undefined => {
    const document = parseDocument(file, text)
    for (const issue of document.issues) issues.push({ ...issue, calls })
    const report = reporter({ locate: calledFrom(document, calls) }, issues)
    if (document.value === undefined) return undefined
    if (!isObject(document.value)) return report([], say('noModuleMapping'))
    const written = document.value
    parseFile(moduleShape, written, report)
    return {
      file,
      written,
      document,
      parameters: readParameters(objectIn(written['parameters'])),
      outputs: readOutputs(objectIn(written['outputs'])),
      names: { resources: new Set(), modules: new Set() },
    }
  }
  const readIn = (folder: string, path: Path, frame: Frame, calls: readonly ModuleCall[]) => {
    for (const name of fileNames) {
      const file = folder + name
      const text = files.getDocument(file)
      if (text !== undefined) return read(file, text, calls)
      // The file exists but has no value.
      if (files.refusal(file).code === jsonnetFault) return frame.report(path, files.refusal(file))
    }
    return frame.report(path, files.refusal(folder + fileNames[0]))
  }
  /** `undefined` if the definition has a problem, which is reported. */
  return (
    written: Json | undefined,
    path: Path,
    frame: Frame,
    calls: readonly ModuleCall[],
  ): ModuleDefinition | undefined => {
    if (typeof written !== 'string' || written === '') return undefined
    const { file: from } = frame.locate(path)
    const folder = resolvePath(from, `${written}/${fileNames[0]}`)?.slice(0, -fileNames[0].length)
    if (folder === undefined) return frame.report(path, sayOfFile('outside', written))
    if (!known.has(folder)) known.set(folder, readIn(folder, path, frame, calls))
    return known.get(folder)
  }
}
