import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { newActionsSettings } from './actions.ts'
import { labelsAtFirst } from './at-first.ts'
import type { Branch, Repository } from './parts.ts'
import type { Organization, World } from './shapes.ts'
import { newVaults } from './vault.ts'
import { keyOf } from './world.ts'

/** https://docs.github.com/en/rest/repos/repos#create-an-organization-repository */
export const repositorySettingsAtFirst = (): Record<string, Json> => ({
  description: null,
  homepage: null,
  visibility: 'public',
  has_issues: true,
  has_projects: true,
  has_wiki: true,
  has_downloads: true,
  has_discussions: false,
  has_pull_requests: true,
  pull_request_creation_policy: 'all',
  is_template: false,
  default_branch: 'main',
  allow_squash_merge: true,
  allow_merge_commit: true,
  allow_rebase_merge: true,
  allow_auto_merge: false,
  allow_update_branch: false,
  delete_branch_on_merge: false,
  use_squash_pr_title_as_default: false,
  squash_merge_commit_title: 'COMMIT_OR_PR_TITLE',
  squash_merge_commit_message: 'COMMIT_MESSAGES',
  merge_commit_title: 'MERGE_MESSAGE',
  merge_commit_message: 'PR_TITLE',
  allow_forking: true,
  security_and_analysis: {
    secret_scanning: { status: 'disabled' },
    secret_scanning_push_protection: { status: 'disabled' },
  },
  archived: false,
  web_commit_signoff_required: false,
})

/** A push of no content: enough for a branch to exist. */
export const addBranch = (repository: Repository, name: string): Branch => {
  const branch = { name, sha: createHash('sha1').update(`${repository.id}/${name}`).digest('hex') }
  repository.branches.set(name, branch)
  return branch
}

interface Origin {
  readonly template?: number
  readonly upstream?: number
}

export const addRepository = (
  world: World,
  owner: string,
  name: string,
  settings: JsonObject,
  { template, upstream }: Origin = {},
): Repository => {
  const repository: Repository = {
    id: world.newId(),
    owner,
    name,
    settings: { ...repositorySettingsAtFirst(), ...settings },
    topics: [],
    branches: new Map(),
    protections: new Map(),
    hooks: new Map(),
    rulesets: new Map(),
    collaborators: new Map(),
    invitations: new Map(),
    enabled: new Set(),
    properties: new Map(),
    pages: undefined,
    codeScanning: {
      state: 'not-configured',
      languages: [],
      query_suite: 'default',
      threat_model: 'remote',
      updated_at: null,
    },
    actions: newActionsSettings(false),
    labels: labelsAtFirst(world),
    autolinks: new Map(),
    keys: new Map(),
    environments: new Map(),
    vaults: newVaults(world),
    variables: new Map(),
    template,
    upstream,
    created_at: world.now(),
    updated_at: world.now(),
  }
  world.repositories.set(repository.id, repository)
  world.repositoryIds.set(keyOf(owner, name), repository.id)
  // A new repository takes a former name for itself: the redirect ends.
  world.movedRepositories.delete(keyOf(owner, name))
  return repository
}

/** A rename or a transfer. The former address leads to the repository until somebody takes the name. */
export const moveRepository = (world: World, repository: Repository, owner: string, name: string): void => {
  const former = keyOf(repository.owner, repository.name)
  world.repositoryIds.delete(former)
  repository.owner = owner
  repository.name = name
  world.repositoryIds.set(keyOf(owner, name), repository.id)
  world.movedRepositories.delete(keyOf(owner, name))
  if (former !== keyOf(owner, name)) world.movedRepositories.set(former, repository.id)
}

export const removeRepository = (world: World, repository: Repository): void => {
  world.repositories.delete(repository.id)
  world.repositoryIds.delete(keyOf(repository.owner, repository.name))
  for (const [name, id] of world.movedRepositories) if (id === repository.id) world.movedRepositories.delete(name)
  for (const { teams } of world.organizations.values())
    for (const team of teams.values()) team.repositories.delete(repository.id)
}

/** `owner/name` in any case. */
export const repositoryByName = (world: World, fullName: string): Repository | undefined =>
  world.repositories.get(world.repositoryIds.get(keyOf(fullName)) ?? 0)

export const repositoriesOf = (world: World, { login }: Pick<Organization, 'login'>): readonly Repository[] =>
  [...world.repositories.values()].filter(({ owner }) => keyOf(owner) === keyOf(login))
