import type { Diagnostic } from '../../schema/issue.ts'
import type { Bundle } from '../../schema/records.ts'

export interface SourcedBundle extends Bundle {
  /** Where the files lie on this machine, absolute; absent for a workspace that lives in the store only. */
  readonly folder?: string
  /** Where the files are kept, for everybody who shares the store; absent where they are in the store. */
  readonly origin?: string
  /** Files that the configuration names and that cannot be taken: missing, too large, no text, outside. By path. */
  readonly refused?: Readonly<Record<string, Diagnostic>>
}

/** Where a workspace's files are: a folder on this machine, or the store. Rejects with CONFIG_NOT_FOUND. No request begins once `signal` is aborted. */
export interface ConfigSource {
  load(workspace: string, signal?: AbortSignal): Promise<SourcedBundle>
}
