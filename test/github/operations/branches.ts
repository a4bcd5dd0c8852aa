import type { Step } from './step.ts'

const protection = '/repos/acme/web/branches/main/protection'

export const branchSteps: readonly Step[] = [
  { ask: 'GET /repos/acme/web/branches/main', shows: { name: 'main', protected: false } },
  { ask: `GET ${protection}`, status: 404 },
  {
    ask: `PUT ${protection}`,
    body: {
      required_status_checks: {
        strict: true,
        contexts: [],
        checks: [{ context: 'ci' }, { context: 'cd', app_id: -1 }],
      },
      enforce_admins: true,
      required_pull_request_reviews: {
        required_approving_review_count: 2,
        bypass_pull_request_allowances: { users: ['alice'], teams: ['core'], apps: ['helper'] },
        dismissal_restrictions: { users: ['bob'], teams: [] },
      },
      restrictions: { users: [], teams: ['core'], apps: [] },
      allow_deletions: true,
    },
    shows: { enforce_admins: { enabled: true }, allow_deletions: { enabled: true } },
  },
  {
    ask: `GET ${protection}`,
    shows: {
      required_status_checks: {
        checks: [
          { context: 'ci', app_id: null },
          { context: 'cd', app_id: null },
        ],
      },
      required_pull_request_reviews: { bypass_pull_request_allowances: { apps: [{ slug: 'helper' }] } },
      restrictions: { teams: [{ slug: 'core' }] },
    },
  },
  { ask: 'GET /repos/acme/web/branches?protected=true', shows: [{ name: 'main', protected: true }] },
  { ask: `DELETE ${protection}`, status: 204 },
  { ask: 'POST /repos/acme/web/branches/main/rename', body: { new_name: 'trunk' }, status: 201 },
  { ask: 'GET /repos/acme/web', shows: { default_branch: 'trunk' } },
  {
    ask: 'POST /repos/acme/web/rulesets',
    body: {
      name: 'trunk',
      enforcement: 'active',
      conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
      rules: [{ type: 'deletion' }],
    },
    status: 201,
  },
  { ask: 'GET /repos/acme/web/rules/branches/trunk', shows: [{ type: 'deletion', ruleset_source: 'acme/web' }] },

  {
    ask: 'POST /repos/acme/web/generate',
    body: { owner: 'acme', name: 'copy' },
    status: 201,
    shows: { template_repository: { name: 'web' } },
  },
  {
    ask: 'POST /repos/acme/web/forks',
    body: { organization: 'acme', name: 'fork' },
    status: 202,
    shows: { fork: true },
  },
  { ask: 'GET /repos/acme/web/forks', shows: [{ name: 'fork' }] },
  { ask: 'DELETE /repos/acme/fork', status: 204 },
  { ask: 'DELETE /repos/acme/copy', status: 204 },
]

export const appSteps: readonly Step[] = [
  { by: 'app', ask: 'GET /app', shows: { slug: 'helper' } },
  { by: 'app', ask: 'GET /app/installations', shows: [{ app_slug: 'helper' }] },
  { by: 'app', ask: 'GET /app/installations/{installation}', shows: { repository_selection: 'all' } },
  { by: 'app', ask: 'GET /orgs/acme/installation', shows: { id: '{installation}' } },
  { ask: 'GET /apps/helper', shows: { slug: 'helper' } },
  { ask: 'GET /orgs/acme/installations', shows: { total_count: 1 } },
  { by: 'app', ask: 'POST /app/installations/{installation}/access_tokens', status: 201, keep: 'token' },
  { by: 'token', ask: 'GET /installation/repositories', shows: { repositories: [{ name: 'web' }] } },
  { by: 'token', ask: 'GET /orgs/acme/hooks', status: 403 },
  { by: 'token', ask: 'DELETE /installation/token', status: 204 },
  { by: 'token', ask: 'GET /installation/repositories', status: 401 },
  { ask: 'GET /meta' },
  { ask: 'GET /rate_limit', shows: { resources: { core: { limit: 1_000_000 } } } },
  {
    ask: 'GET /orgs/acme/audit-log?phrase=action:hook.destroy+repo:acme/web',
    shows: [{ action: 'hook.destroy', actor: 'octo-owner', org: 'acme' }],
  },
]
