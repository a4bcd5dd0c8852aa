import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { Address, Position } from '../../schema/resource.ts'
import type { Declaration } from '../shape/declaration.ts'
import type { ParsedDocument, Report } from '../syntax/parse-document.ts'

/** The instance of something with forEach. */
export interface Each {
  readonly key: string
  readonly value: Json
}

/** The names that are declared in one place, for proposals. */
export interface DeclaredNames {
  readonly resources: Set<string>
  readonly modules: Set<string>
}

/** Where written values are, and what the references in them mean: a file of the workspace, or one instance of a module. */
export interface Frame {
  /** Unique in one load. */
  readonly id: string
  /** The address of the module's instance; `''` outside of modules. */
  readonly module: string
  locate(path: Path, what?: 'value' | 'key'): Position
  readonly report: Report
  /** `undefined` where no variable may be used. */
  readonly variables?: ReadonlyMap<string, Variable>
  readonly each?: Each
  readonly names: DeclaredNames
  /** Texts contain no references, whatever they look like. */
  readonly literal?: true
}

/** A written value of another frame that is resolved when it is first used: a parameter or an output of a module. */
export interface Lazy {
  readonly frame: Frame
  readonly path: Path
  readonly written: Json
  /** Of a parameter. */
  readonly declaration?: Declaration
}

/** If a `value` is `undefined`, its problem is already reported. */
export type Variable = { readonly value: Json | undefined } | Lazy

export interface ReferenceTarget {
  readonly frame: Frame
  /** The path of its spec in its document. */
  readonly path: Path
  readonly spec: JsonObject
  readonly absent: boolean
}

/** What stands under one name: one thing, or one for each key. */
export interface InstanceKeys {
  /** `undefined` without forEach. */
  readonly keys: ReadonlySet<string> | undefined
  /** Its problem is reported: nothing is known about its instances. */
  readonly broken: boolean
}

/** An instance of a module. */
export interface ModuleInstance {
  readonly parameters: ReadonlyMap<string, Variable>
  readonly outputs: ReadonlyMap<string, Lazy>
}

/** Everything that references to other parts can name; groups by their address without a key. */
export interface Declared {
  readonly resources: ReadonlyMap<Address, ReferenceTarget>
  readonly resourceGroups: ReadonlyMap<string, InstanceKeys>
  readonly modules: ReadonlyMap<string, ModuleInstance>
  readonly moduleGroups: ReadonlyMap<string, InstanceKeys>
}

const noNames: DeclaredNames = { resources: new Set(), modules: new Set() }

/** A place outside of all modules. */
export const rootFrame = (
  id: string,
  report: Report,
  { locate }: Pick<ParsedDocument, 'locate'>,
  more: Partial<Pick<Frame, 'variables' | 'literal' | 'names'>> = {},
): Frame => ({ id, module: '', names: noNames, locate, report, ...more })

/** The same place for one instance. */
export const frameOfEach = (frame: Frame, id: string, each: Each): Frame => ({
  ...frame,
  id: `${frame.id} ${id}`,
  each,
})
