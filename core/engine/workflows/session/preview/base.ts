import type { RecordedResource } from '../../../schema/resource.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Transports } from '../shared/transports.ts'

/** The stored workspace that a preview is made from. It can only be read. */
export interface Base {
  readonly name: string
  /** The version of its configuration and recorded state, from `baseMark`. */
  readonly mark: string
  readonly loaded: LoadedWorkspace
  readonly recorded: readonly RecordedResource[]
  readonly transports: Transports
}
