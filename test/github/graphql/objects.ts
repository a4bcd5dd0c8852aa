import { actorsBehind, organizationOwning } from '../state/actors.ts'
import type { Protection, ProtectionActors, Repository } from '../state/parts.ts'
import { repositoriesOf } from '../state/repository.ts'
import { type Way, waysTo } from '../state/rights.ts'
import type { Account, App, Organization, Team, World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { nodeId } from '../views/accounts.ts'
import { roleNames } from '../views/repositories.ts'
import type { Connection, Item } from './connection.ts'
import type { Args, GraphqlObject } from './object.ts'

/** What is kept, as GraphQL shows it. A field that is a function is asked only when a query wants it. */

const connection = (name: string, items: readonly Item[]): Connection => ({ connection: name, items })
const nodes = (name: string, all: readonly GraphqlObject[]): Connection =>
  connection(
    name,
    all.map((node) => ({ node })),
  )
const upper = (value: unknown): string => String(value).toUpperCase()

export const userObject = (_: World, { id, login, name }: Account): GraphqlObject => ({
  typename: 'User',
  fields: { id: nodeId('U', id), databaseId: id, login, name, url: `https://github.com/${login}` },
})

const appObject = ({ id, slug, name }: App): GraphqlObject => ({
  typename: 'App',
  fields: { id: nodeId('A', id), databaseId: id, slug, name },
})

const permissionNames: Readonly<Record<string, string>> = { pull: 'READ', push: 'WRITE' }

/** In READ, TRIAGE, WRITE, MAINTAIN, ADMIN; a custom role is shown as the role that it is built on. */
const permissionName = (permission: string): string => permissionNames[permission] ?? upper(permission)

const inOrder = (items: readonly { readonly name: string }[], { orderBy }: Args): readonly unknown[] => {
  const order = orderBy as { readonly field?: string; readonly direction?: string } | undefined
  if (order?.field !== 'NAME') return items
  const sorted = [...items].sort((a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1))
  return order.direction === 'DESC' ? sorted.reverse() : sorted
}

export const teamObject = (world: World, organization: Organization, team: Team): GraphqlObject => ({
  typename: 'Team',
  fields: {
    id: nodeId('T', team.id),
    databaseId: team.id,
    name: team.name,
    slug: team.slug,
    combinedSlug: `${organization.login}/${team.slug}`,
    description: team.description,
    privacy: team.privacy === 'secret' ? 'SECRET' : 'VISIBLE',
    notificationSetting: upper(team.notification_setting),
    organization: () => organizationObject(world, organization),
    parentTeam: () => {
      const parent = organization.teams.get(team.parent ?? 0)
      return parent === undefined ? null : teamObject(world, organization, parent)
    },
    members: ({ role }: Args) => {
      const all = [...team.members].filter(([login]) => organization.members.has(login))
      const shown = all.map(([login, own]) => ({
        node: userObject(world, world.accounts.get(login) as Account),
        edge: { role: upper(organization.members.get(login) === 'admin' ? 'maintainer' : own) },
      }))
      return connection(
        'TeamMemberConnection',
        shown.filter(({ edge }) => role === undefined || edge.role === role),
      )
    },
    repositories: (args: Args) => {
      const all = [...team.repositories.keys()].flatMap((id) => world.repositories.get(id) ?? [])
      const shown = inOrder(all, args) as readonly Repository[]
      return connection(
        'TeamRepositoryConnection',
        shown.map((each) => ({
          node: repositoryObject(world, each),
          edge: { permission: permissionName(team.repositories.get(each.id) ?? 'pull') },
        })),
      )
    },
  },
})

export const organizationObject = (world: World, organization: Organization): GraphqlObject => ({
  typename: 'Organization',
  fields: {
    id: nodeId('O', organization.id),
    databaseId: organization.id,
    login: organization.login,
    name: organization.settings['name'] ?? null,
    description: organization.settings['description'] ?? null,
    url: `https://github.com/${organization.login}`,
    requiresTwoFactorAuthentication: organization.settings['two_factor_requirement_enabled'] ?? null,
    webCommitSignoffRequired: organization.settings['web_commit_signoff_required'] === true,
    repository: ({ name }: Args) => {
      const found = repositoriesOf(world, organization).find((each) => keyOf(each.name) === keyOf(String(name)))
      return found === undefined ? null : repositoryObject(world, found)
    },
    repositories: (args: Args) => {
      const all = repositoriesOf(world, organization).filter(
        ({ settings, upstream }) =>
          (args['isArchived'] === undefined || (settings['archived'] === true) === args['isArchived']) &&
          (args['isFork'] === undefined || (upstream !== undefined) === args['isFork']),
      )
      const shown = inOrder(all, args) as readonly Repository[]
      return nodes(
        'RepositoryConnection',
        shown.map((each) => repositoryObject(world, each)),
      )
    },
    team: ({ slug }: Args) => {
      const found = [...organization.teams.values()].find((each) => each.slug === String(slug).toLowerCase())
      return found === undefined ? null : teamObject(world, organization, found)
    },
    teams: (args: Args) => {
      const all = inOrder([...organization.teams.values()], args) as readonly Team[]
      return nodes(
        'TeamConnection',
        all.map((each) => teamObject(world, organization, each)),
      )
    },
    membersWithRole: () =>
      connection(
        'OrganizationMemberConnection',
        [...organization.members].map(([login, role]) => ({
          node: userObject(world, world.accounts.get(login) as Account),
          edge: { role: upper(role) },
        })),
      ),
  },
})

const topicObject = (name: string): GraphqlObject => ({
  typename: 'RepositoryTopic',
  fields: { id: `RT_${name}`, topic: { typename: 'Topic', fields: { id: `TO_${name}`, name } } },
})

export const repositoryObject = (world: World, repository: Repository): GraphqlObject => {
  const { id, owner, name, settings, enabled, upstream, template } = repository
  const organization = organizationOwning(world, repository)
  const other = (own: number | undefined): GraphqlObject | null => {
    const found = own === undefined ? undefined : world.repositories.get(own)
    return found === undefined ? null : repositoryObject(world, found)
  }
  return {
    typename: 'Repository',
    fields: {
      id: nodeId('R', id),
      databaseId: id,
      name,
      nameWithOwner: `${owner}/${name}`,
      url: `https://github.com/${owner}/${name}`,
      owner: () => (organization ? organizationObject(world, organization) : null),
      description: settings['description'] ?? null,
      homepageUrl: settings['homepage'] ?? null,
      visibility: upper(settings['visibility']),
      isPrivate: settings['visibility'] !== 'public',
      isArchived: settings['archived'] === true,
      isTemplate: settings['is_template'] === true,
      isFork: upstream !== undefined,
      isEmpty: repository.branches.size === 0,
      isDisabled: false,
      hasIssuesEnabled: settings['has_issues'] === true,
      hasProjectsEnabled:
        settings['has_projects'] === true && organization?.settings['has_repository_projects'] !== false,
      hasWikiEnabled: settings['has_wiki'] === true,
      hasDiscussionsEnabled: settings['has_discussions'] === true,
      hasVulnerabilityAlertsEnabled: enabled.has('alerts'),
      mergeCommitAllowed: settings['allow_merge_commit'] === true,
      squashMergeAllowed: settings['allow_squash_merge'] === true,
      rebaseMergeAllowed: settings['allow_rebase_merge'] === true,
      autoMergeAllowed: settings['allow_auto_merge'] === true,
      allowUpdateBranch: settings['allow_update_branch'] === true,
      deleteBranchOnMerge: settings['delete_branch_on_merge'] === true,
      forkingAllowed: settings['allow_forking'] === true,
      squashPrTitleUsedAsDefault: settings['use_squash_pr_title_as_default'] === true,
      squashMergeCommitTitle: settings['squash_merge_commit_title'],
      squashMergeCommitMessage: settings['squash_merge_commit_message'],
      mergeCommitTitle: settings['merge_commit_title'],
      mergeCommitMessage: settings['merge_commit_message'],
      webCommitSignoffRequired:
        settings['web_commit_signoff_required'] === true ||
        organization?.settings['web_commit_signoff_required'] === true,
      viewerCanAdminister: true,
      viewerPermission: 'ADMIN',
      createdAt: repository.created_at,
      updatedAt: repository.updated_at,
      defaultBranchRef: () =>
        repository.branches.size === 0
          ? null
          : { typename: 'Ref', fields: { id: `REF_${id}`, name: settings['default_branch'], prefix: 'refs/heads/' } },
      repositoryTopics: () => nodes('RepositoryTopicConnection', repository.topics.map(topicObject)),
      labels: () =>
        nodes(
          'LabelConnection',
          [...repository.labels.values()].map(({ id: own, name: called, color, description }) => ({
            typename: 'Label',
            fields: { id: nodeId('LA', own), name: called, color, description },
          })),
        ),
      collaborators: (args: Args) => collaboratorsOf(world, repository, args),
      parent: () => other(upstream),
      templateRepository: () => other(template),
      branchProtectionRules: () =>
        nodes(
          'BranchProtectionRuleConnection',
          [...repository.protections.values()].map((rule) => protectionObject(world, repository, rule)),
        ),
    },
  }
}

/** Everybody with a right of their own (DIRECT), each with all ways to the repository. */
const collaboratorsOf = (world: World, repository: Repository, { affiliation = 'ALL', login }: Args): Connection => {
  const organization = organizationOwning(world, repository)
  const members = organization?.members ?? new Map()
  const direct = [...repository.collaborators.keys()]
  const all = affiliation === 'ALL' ? [...new Set([...direct, ...members.keys()])] : direct
  const chosen = affiliation === 'OUTSIDE' ? all.filter((each) => !members.has(each)) : all
  const shown = chosen.filter((each) => login === undefined || login === null || keyOf(String(login)) === each)
  return connection(
    'RepositoryCollaboratorConnection',
    shown.flatMap((each) => {
      const ways = waysTo(world, repository, each)
      const account = world.accounts.get(each)
      if (account === undefined || ways.length === 0) return []
      const source = ({ by }: Way): GraphqlObject | null => {
        if (by === 'repository') return repositoryObject(world, repository)
        if (organization === undefined) return null
        return by === 'organization' ? organizationObject(world, organization) : teamObject(world, organization, by)
      }
      const edge = {
        permissionSources: ways.map((way) => ({
          typename: 'PermissionSource',
          fields: { roleName: roleNames[way.permission] ?? way.permission, source: () => source(way) },
        })),
      }
      return [{ node: userObject(world, account), edge }]
    }),
  )
}

/** Each list of actors has objects of its own type around them. */
const allowances = (
  world: World,
  repository: Repository,
  { id, actors }: Protection,
  kind: ProtectionActors,
  type: string,
) => {
  const organization = organizationOwning(world, repository)
  const { users, teams, apps } = actorsBehind(world, repository, actors[kind])
  const all = [
    ...users.map((each) => userObject(world, each)),
    ...teams.flatMap((each) => (organization ? [teamObject(world, organization, each)] : [])),
    ...apps.map(appObject),
  ]
  return nodes(
    `${type}Connection`,
    all.map((actor, at) => ({ typename: type, fields: { id: `${kind}_${id}_${at}`, actor } })),
  )
}

export const protectionObject = (world: World, repository: Repository, rule: Protection): GraphqlObject => {
  const { id, pattern, settings, checks } = rule
  const app = (own: number | null): GraphqlObject | null => {
    const found = own === null ? undefined : world.apps.get(own)
    return found === undefined ? null : appObject(found)
  }
  return {
    typename: 'BranchProtectionRule',
    fields: {
      id: nodeId('BPR', id),
      databaseId: id,
      pattern,
      ...settings,
      requiredStatusCheckContexts: checks.map(({ context }) => context),
      requiredStatusChecks: checks.map(({ context, app_id }) => ({
        typename: 'RequiredStatusCheckDescription',
        fields: { context, app: () => app(app_id) },
      })),
      repository: () => repositoryObject(world, repository),
      pushAllowances: () => allowances(world, repository, rule, 'push', 'PushAllowance'),
      reviewDismissalAllowances: () =>
        allowances(world, repository, rule, 'reviewDismissal', 'ReviewDismissalAllowance'),
      bypassPullRequestAllowances: () =>
        allowances(world, repository, rule, 'bypassPullRequest', 'BypassPullRequestAllowance'),
      bypassForcePushAllowances: () =>
        allowances(world, repository, rule, 'bypassForcePush', 'BypassForcePushAllowance'),
    },
  }
}
