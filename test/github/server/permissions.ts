import type { Routed } from '../description/routes.ts'
import type { Repository } from '../state/parts.ts'
import type { Organization, World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { notFound, Refusal, refuse } from './refusal.ts'
import type { Actor } from './tokens.ts'

/**
 * Which permission an operation needs:
 * https://docs.github.com/en/rest/authentication/permissions-required-for-fine-grained-personal-access-tokens
 * The first pattern that fits a path decides. `read` or `write` name another permission than the first one.
 */
interface Rule {
  readonly path: RegExp
  readonly permission: string
  readonly read?: string
  /** The level that a write needs, where it is not `write`. */
  readonly writeLevel?: string
  /** The level that a read needs, where it is not `read`. */
  readonly readLevel?: string
  /** A scope of a classic token, instead of the usual one. */
  readonly scope?: string
}

const org = '^/orgs/\\{org\\}'
const repo = '^/repos/\\{owner\\}/\\{repo\\}'
const rule = (path: string, permission: string, more: Omit<Rule, 'path' | 'permission'> = {}): Rule => ({
  path: new RegExp(path),
  permission,
  ...more,
})

const rules: readonly Rule[] = [
  rule('^/organizations/\\{org\\}/actions/cache', 'organization_administration'),
  rule(`${org}$`, 'organization_administration', { read: 'none' }),
  rule(`${org}/actions/secrets`, 'organization_secrets'),
  rule(`${org}/actions/variables`, 'organization_actions_variables'),
  rule(`${org}/dependabot/secrets`, 'organization_dependabot_secrets'),
  rule(`${org}/codespaces/secrets`, 'organization_codespaces_secrets'),
  rule(`${org}/hooks`, 'organization_hooks', { scope: 'admin:org_hook' }),
  // It decides about the repository: the team is only read.
  rule(`${org}/teams/\\{team_slug\\}/repos`, 'administration', { read: 'members' }),
  rule(`${org}/(teams|members|memberships|invitations|outside_collaborators)`, 'members'),
  rule(`${org}/properties/schema`, 'organization_custom_properties', { writeLevel: 'admin' }),
  rule(`${org}/properties/values`, 'organization_custom_properties'),
  rule(`${org}/organization-roles/(teams|users|\\{role_id\\}/(teams|users))`, 'members'),
  rule(`${org}/organization-(roles|fine)`, 'organization_custom_org_roles'),
  rule(`${org}/issue-types`, 'issue_types'),
  rule(`${org}/repos$`, 'administration', { read: 'metadata', scope: 'repo' }),
  // Whoever reads it may write it.
  rule(`${org}/rulesets`, 'organization_administration', { readLevel: 'write' }),
  rule(org, 'organization_administration'),
  rule(`${repo}$`, 'administration', { read: 'metadata' }),
  rule(`${repo}/(topics|languages|rulesets|rules|collaborators|forks|transfer)`, 'administration', {
    read: 'metadata',
  }),
  rule(`${repo}/pages`, 'pages'),
  rule(`${repo}/hooks`, 'repository_hooks', { scope: 'admin:repo_hook' }),
  rule(`${repo}/labels`, 'issues'),
  rule(`${repo}/properties`, 'repository_custom_properties', { read: 'metadata' }),
  rule(`${repo}/actions/(organization-)?secrets`, 'secrets'),
  rule(`${repo}/actions/(organization-)?variables`, 'actions_variables'),
  rule(`${repo}/dependabot/secrets`, 'dependabot_secrets'),
  rule(`${repo}/codespaces/secrets`, 'codespaces_secrets'),
  rule(`${repo}/environments/\\{environment_name\\}/(secrets|variables)`, 'environments'),
  rule(`${repo}/environments`, 'administration', { read: 'actions' }),
  rule(`${repo}/branches/\\{branch\\}/protection`, 'administration'),
  rule(`${repo}/branches/\\{branch\\}/rename`, 'contents'),
  rule(`${repo}/branches`, 'contents'),
  rule(repo, 'administration'),
  rule('^/repos/\\{template_owner\\}', 'administration'),
]

interface Need {
  readonly permission: string
  readonly level: string
  readonly scope: string
}

/** Nothing is needed for people, apps, and what belongs to the token itself. */
export const needOf = ({ route: { template, method } }: Routed): Need | undefined => {
  const found = rules.find(({ path }) => path.test(template))
  if (found === undefined) return undefined
  const isRead = method === 'GET'
  const permission = isRead ? (found.read ?? found.permission) : found.permission
  if (permission === 'none') return undefined
  const ofOrganization = /^\/org(s|anizations)\//.test(template)
  const usual = ofOrganization ? (isRead ? 'read:org' : 'admin:org') : 'repo'
  const scope = method === 'DELETE' && template === '/repos/{owner}/{repo}' ? 'delete_repo' : (found.scope ?? usual)
  return { permission, level: isRead ? (found.readLevel ?? 'read') : (found.writeLevel ?? 'write'), scope }
}

const levels = ['none', 'read', 'write', 'admin']
const atLeast = (has: string | undefined, need: string): boolean =>
  levels.indexOf(has ?? 'none') >= levels.indexOf(need)

/** `admin:org` holds `write:org` and `read:org`; `repo` holds the webhooks of repositories. */
const holds = (scopes: readonly string[], need: string): boolean =>
  scopes.includes(need) ||
  (need === 'read:org' && (scopes.includes('admin:org') || scopes.includes('write:org') || scopes.includes('repo'))) ||
  (need === 'admin:repo_hook' && scopes.includes('repo'))

const repositoryIn = (world: World, { params }: Routed): Repository | undefined => {
  const { owner, repo: name } = params
  return owner === undefined || name === undefined
    ? undefined
    : world.repositories.get(world.repositoryIds.get(keyOf(owner, name)) ?? 0)
}

const organizationIn = (world: World, { params }: Routed): Organization | undefined =>
  world.organizations.get(keyOf(params['org'] ?? params['owner'] ?? ''))

/** What somebody may see at all: GitHub says 404 where it would not admit that there is something. */
const checkSight = (world: World, routed: Routed, actor: Actor): void => {
  const repository = repositoryIn(world, routed)
  if (repository === undefined || repository.settings['visibility'] === 'public') return
  const organization = organizationIn(world, routed)
  const isInside = organization?.members.has(keyOf(actor.login)) || repository.collaborators.has(keyOf(actor.login))
  if (actor.repositories !== undefined && !actor.repositories.has(repository.id)) notFound()
  if (actor.kind === 'none' || (actor.kind !== 'installation' && !isInside)) notFound()
  if (actor.scopes !== undefined && !actor.scopes.includes('repo')) notFound()
}

/** A person needs a role in the organisation besides a token that may. */
const checkRole = (world: World, routed: Routed, actor: Actor, { permission, level }: Need): void => {
  if (actor.kind === 'installation' || level === 'read') return
  const organization = organizationIn(world, routed)
  if (organization === undefined || organization.members.get(keyOf(actor.login)) === 'admin') return
  const own = repositoryIn(world, routed)?.collaborators.get(keyOf(actor.login))
  if (own === 'admin' && !permission.startsWith('organization_')) return
  if (/^\/org(s|anizations)\//.test(routed.route.template))
    refuse(403, 'You must be an organization owner or have the right role.')
  refuse(403, 'Must have admin rights to Repository.')
}

const kindNames = { installation: 'integration', 'fine-grained': 'personal access token' } as const

/** Throws what GitHub answers to somebody who may not. */
export const checkPermission = (world: World, routed: Routed, actor: Actor): void => {
  if (actor.kind === 'outside') return
  checkSight(world, routed, actor)
  const need = needOf(routed)
  if (need === undefined) return
  if (actor.kind === 'none' && (need.permission !== 'metadata' || need.level !== 'read'))
    refuse(401, 'Requires authentication')
  if (
    actor.permissions !== undefined &&
    need.permission !== 'metadata' &&
    !atLeast(actor.permissions[need.permission], need.level)
  )
    throw new Refusal(
      403,
      { message: `Resource not accessible by ${kindNames[actor.kind as 'installation'] ?? 'integration'}` },
      { 'x-accepted-github-permissions': `${need.permission}=${need.level}` },
    )
  if (actor.scopes !== undefined && need.permission !== 'metadata' && !holds(actor.scopes, need.scope)) {
    // An owner learns which scope is missing; the headers of every answer name it.
    throw new Refusal(404, { message: 'Not Found' }, { 'x-accepted-oauth-scopes': need.scope })
  }
  checkRole(world, routed, actor, need)
}
