import type { WorkspaceFiles } from '../../../engine/schema/ports.ts'
import type { Roots } from './place.ts'

/** What the settings of a provider say. */
export interface MachineScope extends Roots {
  /** Variables of every program. */
  readonly env: Readonly<Record<string, string>>
  /** Where npm installs global packages: an absolute folder. */
  readonly npmPrefix?: string
  readonly files: WorkspaceFiles
}
