import type { Bundle } from '../schema/records.ts'

/** `folder` is where the files lie on this machine, absolute; absent for a workspace that lives in the store only. */
export interface SourcedBundle extends Bundle {
  readonly folder?: string
}

/** Where a workspace's files are: a folder on this machine, or the store. Rejects with CONFIG_NOT_FOUND. */
export interface ConfigSource {
  load(workspace: string): Promise<SourcedBundle>
}
