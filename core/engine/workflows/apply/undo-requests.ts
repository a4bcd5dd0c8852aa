import type { Run } from '../../schema/stored/records.ts'
import type { CheckMessage, Deps } from '../deps.ts'
import type { UndoInput } from './request-undo.ts'

/** An undo is rare, and plans with all that an apply knows: that is loaded with the first one. */
const undoing = () => import('./request-undo.ts')

/** As `requestUndo` in request-undo.ts. */
export const requestUndo = async (
  request: Pick<UndoInput, 'workspace' | 'applyId' | 'actor'>,
  deps: Deps,
): Promise<{ readonly scheduledFor: string }> => (await undoing()).requestUndo(request, deps)

/** As `takeUndo` in request-undo.ts. */
export const takeUndo = async (message: CheckMessage, deps: Deps): Promise<Run> =>
  (await undoing()).takeUndo(message, deps)
