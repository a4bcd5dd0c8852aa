import type { Diagnostic } from '../../schema/issue.ts'
import type { Position } from '../../schema/resource.ts'
import type { Bundle } from '../../schema/stored/bundle.ts'
import type { VersionNames } from '../../schema/stored/versions.ts'
import type { GivenValue } from '../variables/given-value.ts'

/** The refusal code of an existing Jsonnet file that has no value. */
export const jsonnetFault = 'jsonnet'

/** The refusal code of a file that no workspace of this folder may name. */
export const outsideFault = 'outside'

/** Why a file cannot be used. It has a position if the cause is in another file than the one that names it. */
export type FileRefusal = Diagnostic & Partial<Position>

export interface SourcedBundle extends Bundle {
  /** Absolute path on this machine; absent if the workspace is only in the store. */
  readonly folder?: string
  /** Where the files are, for everybody who shares the store; absent if they are in the store. */
  readonly origin?: string
  /** Absent for a folder. */
  readonly stored?: VersionNames
  /** Values for variables; they take precedence over those that are stored with the files. */
  readonly given?: readonly GivenValue[]
  /**
   * By path: files that the configuration names and that cannot be used (missing, too large, not text, or outside of
   * the folder).
   */
  readonly refused?: Readonly<Record<string, FileRefusal>>
}

/**
 * Reads the files of a workspace from a folder on this machine or from the store. Rejects with CONFIG_NOT_FOUND. Starts
 * no request after `signal` is aborted.
 */
export interface ConfigSource {
  load(workspace: string, signal?: AbortSignal): Promise<SourcedBundle>
  /** The folder on this machine that relative paths start from; absent if there are no folders. */
  folder?(workspace: string): Promise<string | undefined>
}
