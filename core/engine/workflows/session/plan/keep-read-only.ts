import type { PlannedResource } from '../../../plan/planning.ts'
import { blocks } from '../../../plan/words.ts'
import type { DesiredResource } from '../../../schema/resource.ts'

/** Of a resource that is only read, what is missing or differs is shown, and nothing of it is sent. */
export const keepReadOnly = (planned: PlannedResource, desired: DesiredResource | undefined): PlannedResource => {
  const { change } = planned
  if (change === undefined || desired?.lifecycle.readOnly !== true) return planned
  const detail = change.action === 'create' ? blocks.readOnlyMissing : blocks.readOnly
  return { ...planned, change: { ...change, blocked: { reason: 'read_only', detail } } }
}
