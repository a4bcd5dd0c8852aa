import type { Configuration } from '../../../config/shared/configuration.ts'
import type { PlannedResource } from '../../../plan/planning.ts'
import { inPreview } from '../../../plan/words.ts'
import { defined } from '../../../values/defined.ts'

/** Reasons whose ways out are entries of the configuration. */
const byEntry: ReadonlySet<string> = new Set([
  'ambiguous',
  'other_parent',
  'other_place',
  'out_of_sight',
  'unexpected_status',
  'made_again',
])

/** A preview leaves out the entries that a way out names, so what is recorded of one has another way. */
export const withPreviewWay = (
  planned: PlannedResource,
  { preview, workspace }: Partial<Pick<Configuration, 'preview' | 'workspace'>>,
): PlannedResource => {
  if (preview === undefined || workspace === undefined) return planned
  const { unchecked, change } = planned
  const told = <One extends { readonly reason: string; readonly detail: string }>(one: One | undefined) =>
    one && byEntry.has(one.reason) ? { ...one, detail: `${one.detail}; ${inPreview(planned.address, workspace)}` } : one
  return {
    ...planned,
    ...defined({
      unchecked: told(unchecked),
      change: change && { ...change, ...defined({ blocked: told(change.blocked) }) },
    }),
  }
}
