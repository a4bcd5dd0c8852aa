import type { Run } from '../../schema/stored/records.ts'
import type { CheckMessage, Deps } from '../deps.ts'

/** As `takeUndo` in take-undo.ts. An undo is rare, and plans with all that an apply knows: that is loaded with the first one. */
export const takeUndo = async (message: CheckMessage, deps: Deps): Promise<Run> =>
  (await import('./take-undo.ts')).takeUndo(message, deps)
