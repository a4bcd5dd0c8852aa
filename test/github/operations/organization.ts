import type { Step } from './step.ts'

const permissions = '/orgs/acme/actions/permissions'
const ofRepository = '/repos/acme/web/actions/permissions'
const roles = '/orgs/acme/organization-roles'
const configurations = '/orgs/acme/code-security/configurations'
const immutable = '/orgs/acme/settings/immutable-releases'

const cacheSteps = (base: string, more: number): readonly Step[] => [
  { ask: `GET ${base}/actions/cache/storage-limit`, shows: { max_cache_size_gb: 10 } },
  { ask: `PUT ${base}/actions/cache/storage-limit`, body: { max_cache_size_gb: more }, status: 204 },
  { ask: `GET ${base}/actions/cache/storage-limit`, shows: { max_cache_size_gb: more } },
]

/** A part that both an organisation and a repository have. */
const policies = (base: string): readonly Step[] => [
  { ask: `GET ${base}/workflow`, shows: { default_workflow_permissions: 'read' } },
  { ask: `PUT ${base}/workflow`, body: { can_approve_pull_request_reviews: true }, status: 204 },
  {
    ask: `PUT ${base}/fork-pr-contributor-approval`,
    body: { approval_policy: 'all_external_contributors' },
    status: 204,
  },
  { ask: `GET ${base}/fork-pr-contributor-approval`, shows: { approval_policy: 'all_external_contributors' } },
  {
    ask: `PUT ${base}/fork-pr-workflows-private-repos`,
    body: { run_workflows_from_fork_pull_requests: true },
    status: 204,
  },
  { ask: `GET ${base}/fork-pr-workflows-private-repos`, shows: { send_write_tokens_to_workflows: false } },
  { ask: `PUT ${base}/selected-actions`, body: { patterns_allowed: ['a/*'] }, status: 204 },
  { ask: `GET ${base}/selected-actions`, shows: { github_owned_allowed: true, patterns_allowed: ['a/*'] } },
]

export const organizationSteps: readonly Step[] = [
  ...cacheSteps('/organizations/acme', 20),
  ...cacheSteps('/repos/acme/web', 15),
  { ask: 'PUT /repos/acme/web/actions/cache/storage-limit', body: { max_cache_size_gb: 21 }, status: 400 },
  { ask: `GET ${permissions}`, shows: { enabled_repositories: 'all', allowed_actions: 'all' } },
  { ask: `GET ${permissions}/selected-actions`, status: 409 },
  { ask: `PUT ${permissions}`, body: { enabled_repositories: 'selected', allowed_actions: 'selected' }, status: 204 },
  { ask: `PUT ${permissions}/repositories`, body: { selected_repository_ids: [] }, status: 204 },
  { ask: `PUT ${permissions}/repositories/{web}`, status: 204 },
  { ask: `GET ${permissions}/repositories`, shows: { total_count: 1, repositories: [{ name: 'web' }] } },
  { ask: `DELETE ${permissions}/repositories/{web}`, status: 204 },
  ...policies(permissions),
  { ask: `PUT ${ofRepository}`, body: { enabled: true, allowed_actions: 'all' }, status: 409 },
  { ask: `PUT ${ofRepository}`, body: { enabled: true, allowed_actions: 'selected' }, status: 204 },
  { ask: `GET ${ofRepository}`, shows: { enabled: true, allowed_actions: 'selected' } },
  ...policies(ofRepository),
  { ask: `PUT ${ofRepository}/access`, body: { access_level: 'organization' }, status: 204 },
  { ask: `GET ${ofRepository}/access`, shows: { access_level: 'organization' } },

  { ask: `GET ${roles}`, shows: { total_count: 8 } },
  { ask: `POST ${roles}`, body: { name: 'auditor', permissions: ['read_audit_logs'] }, status: 201, keep: 'role' },
  { ask: `GET ${roles}/{role}`, shows: { name: 'auditor', source: 'Organization', base_role: null } },
  { ask: `PATCH ${roles}/{role}`, body: { base_role: 'read' }, shows: { base_role: 'read' } },
  { ask: `PUT ${roles}/teams/core/{role}`, status: 204 },
  { ask: `GET ${roles}/{role}/teams`, shows: [{ slug: 'core', assignment: 'direct' }] },
  { ask: `DELETE ${roles}/teams/core/{role}`, status: 204 },
  { ask: `DELETE ${roles}/teams/core`, status: 204 },
  { ask: `PUT ${roles}/users/alice/{role}`, status: 204 },
  { ask: `GET ${roles}/{role}/users`, shows: [{ login: 'alice' }] },
  { ask: `DELETE ${roles}/users/alice/{role}`, status: 204 },
  { ask: `DELETE ${roles}/users/alice`, status: 204 },
  { ask: `DELETE ${roles}/{role}`, status: 204 },
  { ask: 'GET /orgs/acme/organization-fine-grained-permissions' },

  { ask: 'GET /orgs/acme/issue-types', shows: [{ name: 'Task' }, { name: 'Bug' }, { name: 'Feature' }] },
  { ask: 'POST /orgs/acme/issue-types', body: { name: 'Epic', is_enabled: true, color: 'gray' }, keep: 'type' },
  { ask: 'PUT /orgs/acme/issue-types/{type}', body: { name: 'Epic', is_enabled: false }, shows: { color: null } },
  { ask: 'DELETE /orgs/acme/issue-types/{type}', status: 204 },

  { ask: 'POST /orgs/acme/invitations', body: { email: 'dave@example.com' }, status: 201, keep: 'invited' },
  { ask: 'GET /orgs/acme/invitations', shows: [{ email: 'dave@example.com', role: 'direct_member' }] },
  { ask: 'DELETE /orgs/acme/invitations/{invited}', status: 204 },

  { ask: `POST ${configurations}`, body: { name: 'strict', description: 'x' }, status: 201, keep: 'strict' },
  { ask: `GET ${configurations}`, shows: [{ name: 'strict' }] },
  { ask: `GET ${configurations}/{strict}`, shows: { secret_scanning: 'disabled' } },
  {
    ask: `PATCH ${configurations}/{strict}`,
    body: { secret_scanning: 'enabled' },
    shows: { secret_scanning: 'enabled' },
  },
  { ask: `PATCH ${configurations}/{strict}`, body: { secret_scanning: 'enabled' }, status: 204 },
  { ask: `PUT ${configurations}/{strict}/defaults`, body: { default_for_new_repos: 'all' } },
  {
    ask: `GET ${configurations}/defaults`,
    shows: [{ default_for_new_repos: 'all', configuration: { name: 'strict' } }],
  },
  { ask: `POST ${configurations}/{strict}/attach`, body: { scope: 'all' }, status: 202 },
  { ask: `GET ${configurations}/{strict}/repositories`, shows: [{ status: 'attached', repository: { name: 'web' } }] },
  { ask: 'GET /repos/acme/web/code-security-configuration', shows: { status: 'attached' } },
  { ask: `DELETE ${configurations}/detach`, body: { selected_repository_ids: ['{web}'] }, status: 204 },
  { ask: `DELETE ${configurations}/{strict}`, status: 204 },

  { ask: `PUT ${immutable}`, body: { enforced_repositories: 'selected', selected_repository_ids: [] }, status: 204 },
  { ask: `GET ${immutable}`, shows: { enforced_repositories: 'selected' } },
  { ask: `PUT ${immutable}/repositories`, body: { selected_repository_ids: [] }, status: 204 },
  { ask: `PUT ${immutable}/repositories/{web}`, status: 204 },
  { ask: `GET ${immutable}/repositories`, shows: { total_count: 1 } },
  { ask: 'GET /repos/acme/web/immutable-releases', shows: { enforced_by_owner: true } },
  { ask: `DELETE ${immutable}/repositories/{web}`, status: 204 },
]
