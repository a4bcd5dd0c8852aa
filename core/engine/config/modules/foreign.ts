import type { Diagnostic, Note, NoteLevel } from '../../schema/issue.ts'
import type { Json, JsonObject, Path } from '../../schema/json.ts'
import type { Lifecycle } from '../../schema/resource.ts'
import type { ImportRule, Move } from '../../schema/rules.ts'
import type { Report } from '../syntax/parse-document.ts'

/* A module can be a file in the format of another product. Its source is then a name and not a folder. */

/** Addresses are relative to the module, and paths are those of the file's value. */
export interface ForeignResource {
  readonly type: string
  readonly name: string
  readonly key?: string
  /** As in plumbline.yaml: texts may contain references, and `$${` means a plain `${`. */
  readonly spec: JsonObject
  readonly dependsOn: readonly string[]
  readonly lifecycle?: Lifecycle
  /** The object must not exist; `spec` then only identifies it. */
  readonly absent?: true
  readonly path: Path
  /** Where attributes are written; attributes without an entry are at `path`. */
  readonly origins: Readonly<Record<string, Path>>
}

export interface ForeignNote extends Diagnostic {
  readonly level: NoteLevel
  readonly path: Path
  /** The note is about the key, not the value. */
  readonly atKey?: true
}

export interface ForeignModule {
  readonly resources: readonly ForeignResource[]
  /** Former addresses. Those that the module still declares are left out later. */
  readonly moved: readonly Move[]
  readonly imports: readonly { readonly to: string; readonly id: JsonObject; readonly path: Path }[]
  readonly notes: readonly ForeignNote[]
}

/** Describes the files below `<below>/<any name>/`, beside the file of the module. */
export interface ForeignLibrary {
  readonly below: string
  /**
   * `text`: each import gives this text. `folder`: imports are read from this folder, relative to the file with the
   * call. `fix`: the imported file itself is read.
   */
  readonly from: { readonly text: string } | { readonly folder: string } | { readonly fix: string }
}

export interface ForeignCall {
  /** Relative to the file with the call. */
  readonly file: string
  /** Alias of the provider of all resources; if absent, each type determines it. */
  readonly provider?: string
  readonly library?: ForeignLibrary
  /**
   * `undefined` if the value has a problem, which is reported. `library`: the texts of the library, which become a part of
   * the configuration when they are asked for.
   */
  read(value: Json, report: Report, library: () => readonly string[]): ForeignModule | undefined
}

export interface ForeignSource {
  /** `undefined` if `given` has a problem, which is reported. */
  call(given: JsonObject, report: Report): ForeignCall | undefined
}

/** Loads a format when a configuration first uses it. */
export type LoadSource = () => Promise<ForeignSource>

/** `undefined` if the format does not exist or is not loaded. */
export type FindSource = (name: string) => ForeignSource | undefined

export interface ForeignFacts {
  readonly moved: readonly Move[]
  readonly imports: readonly ImportRule[]
  readonly notes: readonly Note[]
}
