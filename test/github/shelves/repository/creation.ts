import {
  type Call,
  listed,
  ok,
  organizationOf,
  param,
  type Reply,
  repositoryOf,
  type Shelf,
  taken,
} from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { Repository } from '../../state/parts.ts'
import { addBranch, addRepository, repositoryByName, repositorySettingsAtFirst } from '../../state/repository.ts'
import type { World } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { minimalRepository, repositoryView } from '../../views/repositories.ts'
import { checkMessages, freeName, visibilityIn } from './rules.ts'

/** What POST /orgs/{org}/repos takes over; it ignores all other settings in silence. */
const settingsAtCreation = [
  'description',
  'homepage',
  'has_issues',
  'has_projects',
  'has_wiki',
  'has_downloads',
  'is_template',
  'allow_squash_merge',
  'allow_merge_commit',
  'allow_rebase_merge',
  'allow_auto_merge',
  'delete_branch_on_merge',
  'use_squash_pr_title_as_default',
  'squash_merge_commit_title',
  'squash_merge_commit_message',
  'merge_commit_title',
  'merge_commit_message',
]

/** What the organisation says about its new repositories. */
const applyDefaults = (world: World, repository: Repository): void => {
  const organization = world.organizations.get(keyOf(repository.owner))
  if (organization === undefined) return
  const { settings, security } = organization
  if (settings['dependabot_alerts_enabled_for_new_repositories'] === true) repository.enabled.add('alerts')
  if (settings['dependabot_security_updates_enabled_for_new_repositories'] === true) repository.enabled.add('fixes')
  const status = (isOn: unknown) => ({ status: isOn === true ? 'enabled' : 'disabled' })
  repository.settings['security_and_analysis'] = {
    secret_scanning: status(settings['secret_scanning_enabled_for_new_repositories']),
    secret_scanning_push_protection: status(settings['secret_scanning_push_protection_enabled_for_new_repositories']),
  }
  const kind = repository.settings['visibility'] === 'public' ? 'public' : 'private_and_internal'
  const chosen = [...security.values()].find(({ defaultFor }) => defaultFor === 'all' || defaultFor === kind)
  chosen?.repositories.add(repository.id)
}

const create = (call: Call): Reply => {
  const { world, body } = call
  const organization = organizationOf(call)
  checkMessages(body, repositorySettingsAtFirst())
  const name = freeName(world, organization.login, String(body['name']))
  const settings = { ...taken(body, settingsAtCreation), ...visibilityIn(body) }
  const branch = String(organization.settings['default_repository_branch'] ?? 'main')
  const repository = addRepository(world, organization.login, name, { ...settings, default_branch: branch })
  if (body['auto_init'] === true) addBranch(repository, branch)
  if (typeof body['team_id'] === 'number')
    organization.teams.get(body['team_id'])?.repositories.set(repository.id, 'pull')
  applyDefaults(world, repository)
  return ok(repositoryView(world, repository), 201)
}

/** https://docs.github.com/en/rest/repos/repos#create-a-repository-using-a-template: with the files, so with a branch. */
const generate = (call: Call): Reply => {
  const { world, body, actor } = call
  const template =
    repositoryByName(world, `${param(call, 'template_owner')}/${param(call, 'template_repo')}`) ?? notFound()
  if (template.settings['is_template'] !== true) refuse(422, 'The repository is not a template.')
  const { owner = actor.login, name, description = null, include_all_branches: all = false } = body
  const free = freeName(world, String(owner), String(name))
  const branch = String(template.settings['default_branch'])
  const settings = { description, ...visibilityIn(body), default_branch: branch }
  const repository = addRepository(world, String(owner), free, settings, { template: template.id })
  for (const each of template.branches.keys()) if (all === true || each === branch) addBranch(repository, each)
  applyDefaults(world, repository)
  return ok(repositoryView(world, repository), 201)
}

/** A fork of a fork that the account has already is that one. It answers 202: the files are copied later. */
const fork = (call: Call): Reply => {
  const { world, body, actor } = call
  const upstream = repositoryOf(call)
  const { organization: owner = actor.login, name = upstream.name, default_branch_only: one = false } = body
  const known = [...world.repositories.values()].find(
    (each) => each.upstream === upstream.id && keyOf(each.owner) === keyOf(String(owner)),
  )
  if (known !== undefined) return ok(repositoryView(world, known), 202)
  const { description = null, visibility = 'public', default_branch: branch = 'main' } = upstream.settings
  const settings = { description, visibility, default_branch: branch, has_issues: false }
  const repository = addRepository(world, String(owner), freeName(world, String(owner), String(name)), settings, {
    upstream: upstream.id,
  })
  for (const each of upstream.branches.keys()) if (one !== true || each === branch) addBranch(repository, each)
  return ok(repositoryView(world, repository), 202)
}

export const creation: Shelf = {
  'repos/create-in-org': create,
  'repos/create-using-template': generate,
  'repos/create-fork': fork,
  'repos/list-forks': (call) => {
    const { id } = repositoryOf(call)
    const forks = [...call.world.repositories.values()].filter(({ upstream }) => upstream === id)
    return listed(forks.reverse(), (each) => minimalRepository(call.world, each))
  },
}
