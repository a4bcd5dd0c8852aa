import type { Routed } from '../description/routes.ts'
import type { Repository } from '../state/parts.ts'
import type { World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { refuse } from './refusal.ts'

/** What an organisation pays for: https://docs.github.com/en/get-started/learning-about-github/githubs-plans */
export type OrganizationPlan = 'free' | 'team' | 'enterprise'

interface Gate {
  readonly path: RegExp
  readonly lackedBy: readonly OrganizationPlan[]
  /** Public repositories have it in each plan. */
  readonly ofPrivate?: true
  readonly writes?: true
  readonly status: number
  readonly message: string
}

const upgrade = (to: string): string => `Upgrade to ${to} or make this repository public to enable this feature.`
const repo = '^/repos/\\{owner\\}/\\{repo\\}'

const gates: readonly Gate[] = [
  {
    path: new RegExp(`${repo}/(code-scanning/default-setup)`),
    lackedBy: ['free', 'team'],
    ofPrivate: true,
    status: 403,
    message: 'Code Security must be enabled for this repository to use code scanning.',
  },
  {
    path: new RegExp(`${repo}/(rulesets|branches/\\{branch\\}/protection)`),
    lackedBy: ['free'],
    ofPrivate: true,
    status: 403,
    message: upgrade('GitHub Pro'),
  },
  {
    path: new RegExp(`${repo}/pages`),
    lackedBy: ['free'],
    ofPrivate: true,
    writes: true,
    status: 422,
    message: 'Your current plan does not support GitHub Pages for this repository.',
  },
  {
    path: /^\/orgs\/\{org\}\/rulesets/,
    lackedBy: ['free'],
    status: 403,
    message: 'Upgrade to GitHub Team to enable this feature.',
  },
  {
    path: /^\/orgs\/\{org\}\/organization-roles($|\/\{role_id\}$)/,
    lackedBy: ['free', 'team'],
    writes: true,
    status: 403,
    message: 'Upgrade to GitHub Enterprise to enable this feature.',
  },
]

/** Throws what GitHub answers where the plan of the organisation does not include a feature. */
export const checkPlan = (world: World, { route, params }: Routed, plan: OrganizationPlan): void => {
  const { owner, repo: name } = params
  const repository: Repository | undefined =
    owner === undefined || name === undefined
      ? undefined
      : world.repositories.get(world.repositoryIds.get(keyOf(owner, name)) ?? 0)
  const isPublic = repository?.settings['visibility'] === 'public'
  const gate = gates.find(
    ({ path, lackedBy, ofPrivate, writes }) =>
      path.test(route.template) &&
      lackedBy.includes(plan) &&
      !(ofPrivate && (isPublic || repository === undefined)) &&
      !(writes && route.method === 'GET'),
  )
  if (gate !== undefined) refuse(gate.status, gate.message)
}

export const planOf = (world: World, { params }: Routed): OrganizationPlan => {
  const organization = world.organizations.get(keyOf(params['org'] ?? params['owner'] ?? ''))
  const { name = 'enterprise' } = (organization?.settings['plan'] ?? {}) as { readonly name?: OrganizationPlan }
  return name
}
