import { type Apply, hasEnded } from '#core'
import { storedProblem } from './problem.ts'
import type { Answer } from './route.ts'

/** An apply that stopped on an error is told as that error, so that a caller who waits sees what a plain call would give. */
export const applyAnswer = (apply: Apply, { location, requestId }: { location: string; requestId: string }): Answer => {
  const headers = { location }
  if (apply.error !== undefined) return storedProblem(apply.error, { applyId: apply.id, request: requestId, headers })
  return { status: hasEnded(apply) ? 200 : 202, headers, body: apply }
}
