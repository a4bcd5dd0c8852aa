import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { Address, Position } from '../../schema/resource.ts'
import type { Declaration } from '../shape/declaration.ts'
import type { ParsedDocument, Report } from '../syntax/parse-document.ts'

export interface Each {
  readonly key: string
  readonly value: Json
}

/** The names declared in one place, used for suggestions. */
export interface DeclaredNames {
  readonly resources: Set<string>
  readonly modules: Set<string>
}

/**
 * The place of written values and what references in them mean: a file of the workspace, or one instance of a module.
 */
export interface Frame {
  /** Unique in one load. */
  readonly id: string
  /** The address of the module's instance; `''` outside of modules. */
  readonly module: string
  locate(path: Path, what?: 'value' | 'key'): Position
  readonly report: Report
  /** Absent where no variable may be used. */
  readonly variables?: ReadonlyMap<string, Variable>
  readonly each?: Each
  readonly names: DeclaredNames
  /** Texts contain no references, even if they look like it. */
  readonly literal?: true
}

/** A written value of another frame, resolved when it is first used: a parameter or an output of a module. */
export interface Lazy {
  readonly frame: Frame
  readonly path: Path
  readonly written: Json
  readonly declaration?: Declaration
}

/** A `value` of `undefined` means that its problem is already reported. */
export type Variable = { readonly value: Json | undefined } | Lazy

export interface ReferenceTarget {
  readonly frame: Frame
  readonly path: Path
  readonly spec: JsonObject
  readonly absent: boolean
}

export interface InstanceKeys {
  /** `undefined` without forEach. */
  readonly keys: ReadonlySet<string> | undefined
  /** The forEach has a problem, which is reported, so the instances are unknown. */
  readonly broken: boolean
}

export interface ModuleInstance {
  readonly parameters: ReadonlyMap<string, Variable>
  readonly outputs: ReadonlyMap<string, Lazy>
}

/** Everything that references can name. Groups have the address without a key as their key. */
export interface Declared {
  readonly resources: ReadonlyMap<Address, ReferenceTarget>
  readonly resourceGroups: ReadonlyMap<string, InstanceKeys>
  readonly modules: ReadonlyMap<string, ModuleInstance>
  readonly moduleGroups: ReadonlyMap<string, InstanceKeys>
  /** Addresses of resources and modules that are switched off. */
  readonly disabled: ReadonlySet<string>
}

const noNames: DeclaredNames = { resources: new Set(), modules: new Set() }

export const rootFrame = (
  id: string,
  report: Report,
  { locate }: Pick<ParsedDocument, 'locate'>,
  more: Partial<Pick<Frame, 'variables' | 'literal' | 'names'>> = {},
): Frame => ({ id, module: '', names: noNames, locate, report, ...more })

export const frameOfEach = (frame: Frame, id: string, each: Each): Frame => ({
  ...frame,
  id: `${frame.id} ${id}`,
  each,
})
