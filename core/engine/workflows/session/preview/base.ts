import type { RecordedResource } from '../../../schema/resource.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'
import type { Transports } from '../shared/transports.ts'

/** The workspace that a preview is of, as it is stored. It can only be read. */
export interface Base {
  readonly name: string
  /** The version of what it declares and has recorded. */
  readonly mark: string
  readonly loaded: LoadedWorkspace
  readonly recorded: readonly RecordedResource[]
  readonly transports: Transports
}
