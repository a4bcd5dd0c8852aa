import type { Organisation, Repository } from '../shape/organisation.ts'

const order = ['all', 'selected', 'local_only']

/** How strict `allowed_actions` is, from 0 on; `undefined` if it is not written or not known. */
export const strictness = (actions: string | undefined): number | undefined => {
  const found = order.indexOf(actions ?? '')
  return found < 0 ? undefined : found
}

/** Why the organisation keeps workflows off in a repository; `undefined` if it does not, or does not say. */
export const workflowsOff = ({ settings }: Organisation, repository: string): 'none' | 'selected' | undefined => {
  const { enabled_repositories: enabled, selected_repositories: selected } = settings.workflows ?? {}
  if (enabled === 'none') return enabled
  const isListed = (selected ?? []).some((name) => name.toLowerCase() === repository.toLowerCase())
  return enabled === 'selected' && selected !== undefined && !isListed ? enabled : undefined
}

/** Whether the organisation makes the releases of a repository immutable, under its name or a former one. */
export const enforcesImmutable = ({ settings }: Organisation, { name, aliases = [] }: Repository): boolean => {
  const { immutable_releases_enforced_repositories: where, immutable_releases_selected_repositories: listed = [] } =
    settings
  const names = new Set([name, ...aliases].map((each) => each.toLowerCase()))
  return where === 'all' || (where === 'selected' && listed.some((each) => names.has(each.toLowerCase())))
}
