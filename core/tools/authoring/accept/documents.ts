import { parseDocument } from '../../../engine/config/syntax/parse-document.ts'
import { valueAt } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import type { Address, Position } from '../../../engine/schema/resource.ts'
import { parseAddress } from '../../../engine/values/addresses/address.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import type { Session } from '../../../engine/workflows/session/open-session.ts'

/** The context of the references in a text: a file, or an instance of a module. */
export interface DocumentFrame {
  readonly file: string
  /** The address of the module's instance; `''` outside modules. */
  readonly module: string
  /** The instance that the text belongs to, and the entry that has the `forEach`. */
  readonly each?: { readonly key: string; readonly at: Path }
  /** The call of the module, and the context of the texts of the call. */
  readonly call?: { readonly frame: DocumentFrame; readonly at: Path }
}

interface ResourcePlace {
  readonly frame: DocumentFrame
  readonly at: Path
}

export interface Documents {
  readonly entry: string
  /** Variables whose value was given from outside the files. */
  readonly given: ReadonlySet<string>
  readonly resources: ReadonlyMap<Address, ResourcePlace>
  readonly modules: ReadonlyMap<string, DocumentFrame>
  valueIn(file: string, path: Path): Json | undefined
  positionIn(file: string, path: Path): Position
}

type ParsedFile = ReadonlyMap<string, ReturnType<typeof parseDocument>>

const keyOf = ({ file, line, column }: Position): string => `${file}:${line}:${column}`

const placesIn = (parsed: ParsedFile): ReadonlyMap<string, Path> => {
  const places = new Map<string, Path>()
  for (const [file, { value, locate }] of parsed) {
    for (const list of ['resources', 'modules']) {
      const entries = isObject(value) ? value[list] : undefined
      for (const index of isArray(entries) ? entries.keys() : []) {
        places.set(keyOf({ ...locate([list, index]), file }), [list, index])
      }
    }
  }
  return places
}

const keyOfModule = (module: string): string | undefined => parseAddress(`${module}.any_thing.one`)?.modules.at(-1)?.key

export const readDocuments = (
  files: Readonly<Record<string, string>>,
  entry: string,
  { loaded }: Pick<Session, 'loaded'>,
): Documents => {
  const all = loaded.configuration.resources.map(({ address, position }) => ({ address, position }))
  const named = new Set([
    entry,
    ...all.flatMap(({ position: { file, calls = [] } }) => [file, ...calls.map((call) => call.file)]),
  ])
  const parsed: ParsedFile = new Map([...named].map((file) => [file, parseDocument(file, files[file] ?? '')]))
  const places = placesIn(parsed)
  const modules = new Map<string, DocumentFrame>()
  const placeOf = (address: Address, position: Position): ResourcePlace | undefined => {
    const { calls = [] } = position
    let frame: DocumentFrame = { file: calls[0]?.file ?? position.file, module: '' }
    for (const [depth, call] of calls.entries()) {
      const at = places.get(keyOf(call))
      if (at === undefined) return undefined
      const key = keyOfModule(call.module)
      const outer = key === undefined ? frame : { ...frame, each: { key, at } }
      frame = { file: calls[depth + 1]?.file ?? position.file, module: call.module, call: { frame: outer, at } }
      modules.set(call.module, frame)
    }
    const at = places.get(keyOf(position))
    const key = parseAddress(address)?.key
    return at && { at, frame: { ...frame, ...defined({ each: key === undefined ? undefined : { key, at } }) } }
  }
  const resources = new Map(
    all.flatMap(({ address, position }) =>
      present(placeOf(address, position)).map((place) => [address, place] as const),
    ),
  )
  return {
    entry,
    given: new Set(Object.keys(loaded.bundle.variables ?? {})),
    resources,
    modules,
    valueIn: (file, path) => valueAt(parsed.get(file)?.value, path),
    positionIn: (file, path) => parsed.get(file)?.locate(path) ?? { file, line: 1, column: 1 },
  }
}
