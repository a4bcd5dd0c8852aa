import { isObject, type Json, type JsonObject } from '../../../core/engine/schema/json.ts'
import type { Settings } from '../state/parts.ts'
import { repositoryByName } from '../state/repository.ts'
import { keyOf } from '../state/world.ts'
import type { Call } from './call.ts'

/**
 * The audit log: one entry for each kind of change that a request made.
 * https://docs.github.com/en/organizations/keeping-your-organization-secure/managing-security-settings-for-your-organization/audit-log-events-for-your-organization
 */

/** By the first part of an operation's own name that fits; the subject of an action, without what was done to it. */
const subjects: readonly (readonly [RegExp, string])[] = [
  [/ruleset/, 'repository_ruleset'],
  [/webhook/, 'hook'],
  [/branch-protection/, 'protected_branch'],
  [/custom-properties.*values$/, 'custom_property_value'],
  [/custom-properties/, 'custom_property_definition'],
  [/environment-(secret|variable)|environment$|deployment-branch-policy/, 'environment'],
  [/deploy-key/, 'public_key'],
  [/vulnerability-alerts/, 'repository_vulnerability_alerts'],
  [/automated-security-fixes/, 'dependabot_security_updates'],
  [/private-vulnerability/, 'private_vulnerability_reporting'],
  [/immutable-releases/, 'immutable_releases'],
  [/code-scanning|default-setup/, 'code_scanning'],
  [/org-role|organization-role/, 'organization_role'],
  [/issue-type/, 'issue_type'],
  [/label/, 'label'],
  [/autolink/, 'autolink'],
  [/configuration/, 'security_configuration'],
]

/** What GitHub calls an action that is not simply made of a subject and a verb. */
const exact: Readonly<Record<string, string>> = {
  'repos/create-in-org': 'repo.create',
  'repos/create-using-template': 'repo.create',
  'repos/create-fork': 'repo.create',
  'repos/delete': 'repo.destroy',
  'repos/transfer': 'repo.transfer',
  'repos/replace-all-topics': 'repo.update_topics',
  'repos/add-collaborator': 'repo.add_member',
  'repos/remove-collaborator': 'repo.remove_member',
  'repos/create-pages-site': 'repo.pages_create',
  'repos/update-information-about-pages-site': 'repo.pages_source',
  'repos/delete-pages-site': 'repo.pages_destroy',
  'repos/rename-branch': 'repo.rename_branch',
  'teams/create': 'team.create',
  'teams/delete-in-org': 'team.destroy',
  'teams/add-or-update-membership-for-user-in-org': 'team.add_member',
  'teams/remove-membership-for-user-in-org': 'team.remove_member',
  'teams/add-or-update-repo-permissions-in-org': 'team.update_repository_permission',
  'teams/remove-repo-in-org': 'team.remove_repository',
  'orgs/set-membership-for-user': 'org.update_member',
  'orgs/remove-member': 'org.remove_member',
  'orgs/remove-membership-for-user': 'org.remove_member',
  'orgs/create-invitation': 'org.invite_member',
  'orgs/cancel-invitation': 'org.cancel_invitation',
}

const mergeSetting =
  /^(allow_(merge|squash|rebase|auto)|delete_branch|allow_update|squash_merge|merge_commit|use_squash)/

/** One request may change several things at once: each has an entry of its own. */
const ofRepository = (body: JsonObject): readonly string[] => {
  const actions = Object.keys(body).map((name) => {
    if (name === 'name') return 'repo.rename'
    if (name === 'archived') return body['archived'] === true ? 'repo.archived' : 'repo.unarchived'
    if (name === 'visibility' || name === 'private') return 'repo.access'
    if (name === 'default_branch') return 'repo.update_default_branch'
    if (name === 'security_and_analysis') return 'repository_secret_scanning.update'
    return mergeSetting.test(name) ? 'repo.change_merge_setting' : 'repo.update'
  })
  return [...new Set(actions)]
}

const ofOrganization = (body: JsonObject): readonly string[] => {
  const actions = Object.keys(body).map((name) => {
    if (name === 'default_repository_permission') return 'org.update_default_repository_permission'
    if (/^members_can_create_.*repositories$/.test(name)) return 'org.update_member_repository_creation_permission'
    return 'org.update'
  })
  return [...new Set(actions)]
}

const ofTeam = (body: JsonObject): readonly string[] => {
  const names: Readonly<Record<string, string>> = {
    name: 'team.rename',
    privacy: 'team.change_privacy',
    parent_team_id: 'team.change_parent_team',
  }
  return [...new Set(Object.keys(body).map((name) => names[name] ?? 'team.update'))]
}

const verbOf = (operation: string, method: string, status: number): string => {
  if (/\/(enable|disable)-/.test(operation)) return operation.includes('/enable-') ? 'enable' : 'disable'
  if (method === 'DELETE') return operation.includes('secret') || operation.includes('variable') ? 'remove' : 'destroy'
  return method === 'POST' || status === 201 ? 'create' : 'update'
}

/** Secrets, variables and the settings of Actions name the place and the thing: `org.create_actions_secret`. */
const ofActions = (operation: string, verb: string): string | undefined => {
  const kind = /^(actions|dependabot|codespaces)\//.exec(operation)?.[1]
  if (kind === undefined) return undefined
  const place = /environment/.test(operation) ? 'environment' : /repo-|repository/.test(operation) ? 'repo' : 'org'
  const thing = /(secret|variable)/.exec(operation)?.[1]
  return thing === undefined ? `${place}.update_actions_settings` : `${place}.${verb}_${kind}_${thing}`
}

const actionsOf = (
  { operation, body }: Pick<Call, 'operation' | 'body'>,
  method: string,
  status: number,
): readonly string[] => {
  if (operation === 'repos/update') return ofRepository(body)
  if (operation === 'orgs/update') return ofOrganization(body)
  if (operation === 'teams/update-in-org') return ofTeam(body)
  const known = exact[operation]
  if (known !== undefined) return [known]
  const verb = verbOf(operation, method, status)
  const ofPlace = ofActions(operation, verb)
  if (ofPlace !== undefined) return [ofPlace]
  const [, subject] = subjects.find(([pattern]) => pattern.test(operation)) ?? ['', operation.split('/')[0] ?? '']
  return [`${subject}.${verb}`]
}

const types: Readonly<Record<string, string>> = { POST: 'create', PUT: 'modify', PATCH: 'modify', DELETE: 'remove' }

/** Names only: a value may be secret. */
const factsOf = ({ world, params, actor, body }: Call, method: string, answer: Json | undefined): Settings => {
  const { owner, repo, username, team_slug: team } = params
  const repository = owner === undefined ? undefined : repositoryByName(world, `${owner}/${repo}`)
  const made = isObject(answer) && typeof answer['full_name'] === 'string' ? answer['full_name'] : undefined
  const shown =
    repository === undefined ? (made ?? (repo && `${owner}/${repo}`)) : `${repository.owner}/${repository.name}`
  const id = isObject(answer) && typeof answer['id'] === 'number' ? answer['id'] : undefined
  const name = body['name'] ?? params['secret_name'] ?? params['name'] ?? params['environment_name']
  const facts = {
    actor: actor.login,
    actor_id: world.accounts.get(keyOf(actor.login))?.id ?? 0,
    operation_type: types[method] ?? 'modify',
    repo: shown,
    user: username,
    team: team === undefined ? undefined : `${params['org']}/${team}`,
    name: typeof name === 'string' ? name : undefined,
    visibility: typeof body['visibility'] === 'string' ? body['visibility'] : undefined,
    hook_id: params['hook_id'] === undefined ? undefined : Number(params['hook_id']),
    data: { changed: Object.keys(body), ...(id === undefined ? {} : { id }) },
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Settings
}

export const writeAudit = (call: Call, method: string, status: number, answer: Json | undefined): void => {
  const { world, params } = call
  const organization = world.organizations.get(
    keyOf(params['org'] ?? params['owner'] ?? params['template_owner'] ?? ''),
  )
  if (organization === undefined) return
  const facts = factsOf(call, method, answer)
  for (const action of actionsOf(call, method, status))
    world.audit.push({ action, at: world.clock.now(), organization: organization.login, facts })
}
