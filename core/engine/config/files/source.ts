import type { Diagnostic } from '../../schema/issue.ts'
import type { Position } from '../../schema/resource.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import type { GivenValue } from '../variables/given-value.ts'

/** The code of a refusal of a Jsonnet file that is there and has no value. */
export const jsonnetFault = 'jsonnet'

/** Why a file cannot be used; with a position if that is written in another file than the one that names it. */
export type FileRefusal = Diagnostic & Partial<Position>

export interface SourcedBundle extends Bundle {
  /** Absolute path of the folder on this machine; missing for a workspace that is only in the store. */
  readonly folder?: string
  /** Where the files are, for everybody who shares the store; missing if they are in the store. */
  readonly origin?: string
  /** Which version of the store it is; missing for a folder. */
  readonly stored?: VersionNames
  /** Values for variables, in addition to those that are stored with the files; they come first. */
  readonly given?: readonly GivenValue[]
  /** Files that the configuration names and that cannot be used, by path: missing, too large, not text, or outside. */
  readonly refused?: Readonly<Record<string, FileRefusal>>
}

/**
 * Where the files of a workspace are: a folder on this machine, or the store. Rejects with CONFIG_NOT_FOUND. Starts no
 * request after `signal` is aborted.
 */
export interface ConfigSource {
  load(workspace: string, signal?: AbortSignal): Promise<SourcedBundle>
  /** The folder on this machine that relative paths of a workspace are from. Missing if there are no folders. */
  folder?(workspace: string): Promise<string | undefined>
}
