import type { Bundle } from '../schema/records.ts'

/** Where a workspace's files are: a folder on this machine, or the store. Rejects with CONFIG_NOT_FOUND. */
export interface ConfigSource {
  load(workspace: string): Promise<Bundle>
}
