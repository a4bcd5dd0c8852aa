import type { Diagnostic, Note, NoteLevel } from '../../schema/issue.ts'
import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { Lifecycle } from '../../schema/resource.ts'
import type { ImportRule, Move } from '../../schema/rules.ts'
import type { Report } from '../syntax/parse-document.ts'

/* A module can be a file in the format of another product. Its source is a name, and not a folder. */

/** A resource of such a file. Addresses are relative to the module, and paths are those of the file's value. */
export interface ForeignResource {
  readonly type: string
  readonly name: string
  /** Of an instance. */
  readonly key?: string
  /** As in plumbline.yaml: texts may contain references, and `$${` is a plain `${`. */
  readonly spec: JsonObject
  readonly dependsOn: readonly string[]
  readonly lifecycle?: Lifecycle
  /** The object must not exist; `spec` then only identifies it. */
  readonly absent?: true
  readonly path: Path
  /** Where attributes are written; those without an entry are at `path`. */
  readonly origins: Readonly<Record<string, Path>>
}

/** What a person should know of a valid file: a part without effect, or one that nothing checks. */
export interface ForeignNote extends Diagnostic {
  readonly level: NoteLevel
  readonly path: Path
  /** It is about the key, not the value. */
  readonly atKey?: true
}

/** What the file declares. */
export interface ForeignModule {
  readonly resources: readonly ForeignResource[]
  /** Former addresses. Those that the module itself declares again are left out later. */
  readonly moved: readonly Move[]
  readonly imports: readonly { readonly to: string; readonly id: JsonObject; readonly path: Path }[]
  readonly notes: readonly ForeignNote[]
}

/** Files below `<below>/<any name>/`, beside the file of the module. */
export interface ForeignLibrary {
  readonly below: string
  /** Each of them is this text, or is in a folder relative to the file with the call, or is itself. */
  readonly from: { readonly text: string } | { readonly folder: string } | { readonly fix: string }
}

/** What a call of the module gives with `with`, checked. */
export interface ForeignCall {
  /** Relative to the file with the call. */
  readonly file: string
  /** Alias of the provider of all resources; the type finds it if there is none. */
  readonly provider?: string
  /** Where the imports of a file in Jsonnet come from. */
  readonly library?: ForeignLibrary
  /** `undefined` if the value has a problem, which is reported. */
  read(value: Json, report: Report): ForeignModule | undefined
}

/** A format. It is a function of the value of the file and of what the call gives. */
export interface ForeignSource {
  /** `undefined` if `given` has a problem, which is reported. */
  call(given: JsonObject, report: Report): ForeignCall | undefined
}

/** How a format is loaded, which happens when the first configuration uses it. */
export type LoadSource = () => Promise<ForeignSource>

/** The format of this name, if there is one and it is loaded. */
export type FindSource = (name: string) => ForeignSource | undefined

/** What one module declares besides its resources, in addresses of the workspace. */
export interface ForeignFacts {
  readonly moved: readonly Move[]
  readonly imports: readonly ImportRule[]
  readonly notes: readonly Note[]
}
