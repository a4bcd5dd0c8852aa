import type { DesiredResource } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import { parseDuration } from '../schedule/schedule.ts'
import type { Configuration } from '../shared/configuration.ts'
import type { LoadedOverlay } from './load-overlay.ts'

const defaultLife = '7d'

/**
 * The configuration of a preview. It deletes what it created, whatever protects the objects of the workspace; it has no
 * history, lists no unmanaged objects (those of the workspace would be among them), and is checked by its own schedule.
 */
export const asPreview = (configuration: Configuration, { base, names, overlay }: LoadedOverlay): Configuration => {
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
    policy: overlay.policy ?? configuration.policy,
  }
}

const withoutProtection = (resource: DesiredResource): DesiredResource => {
  const { preventDestroy: _, orphan: __, ...lifecycle } = resource.lifecycle
  return { ...resource, lifecycle }
}
