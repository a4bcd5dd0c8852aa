import type { DesiredResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import { parseDuration } from '../schedule/schedule.ts'
import type { Configuration } from '../shared/configuration.ts'
import { limitedTypes } from '../shared/limited-types.ts'
import type { LoadedOverlay } from './load-overlay.ts'

const defaultLife = '7d'

/**
 * Turns a configuration into that of a preview. A preview deletes what it created, even what the base protects. It has
 * no history, does not list unmanaged objects (they would include those of the base), and has a schedule of its own.
 */
export const asPreview = (
  configuration: Configuration,
  { base, names, overlay, document }: LoadedOverlay,
): Configuration => {
  const { schedule: _, ...rest } = configuration
  return {
    ...rest,
    workspace: names.id,
    preview: { base, branch: names.branch, expiresMs: parseDuration(overlay.expires ?? defaultLife) ?? 0 },
    ...defined({ schedule: overlay.schedule }),
    resources: configuration.resources.map(withoutProtection),
    unmanaged: 'ignore',
    orphans: 'delete',
    moved: [],
    removed: [],
    imports: [],
    gone: [],
    events: {},
    policy: overlay.policy ?? configuration.policy,
    limitedTypes: overlay.policy ? limitedTypes(overlay.policy, document) : configuration.limitedTypes,
  }
}

const withoutProtection = (resource: DesiredResource): DesiredResource => {
  const { preventDestroy: _, orphan: __, ...lifecycle } = resource.lifecycle
  return { ...resource, lifecycle }
}
