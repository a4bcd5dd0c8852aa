import type { Step } from './step.ts'

const hook = { name: 'web', events: ['push'], config: { url: 'https://example.com/hook' } }

export const repositorySteps: readonly Step[] = [
  { ask: 'GET /orgs/acme/repos', shows: [{ name: 'web' }] },
  { ask: 'GET /repos/acme/web', shows: { has_wiki: true, default_branch: 'main' } },
  { ask: 'PATCH /repos/acme/web', body: { has_wiki: false, is_template: true }, shows: { has_wiki: false } },
  { ask: 'PUT /repos/acme/web/topics', body: { names: ['b', 'a'] }, shows: { names: ['b', 'a'] } },
  { ask: 'GET /repos/acme/web/topics', shows: { names: ['b', 'a'] } },
  { ask: 'GET /repos/acme/web/languages' },
  { ask: 'GET /repos/acme/web/branches', shows: [{ name: 'main' }] },

  { ask: 'GET /repos/acme/web/vulnerability-alerts', status: 404 },
  { ask: 'PUT /repos/acme/web/automated-security-fixes', status: 422 },
  { ask: 'PUT /repos/acme/web/vulnerability-alerts', status: 204 },
  { ask: 'GET /repos/acme/web/vulnerability-alerts', status: 204 },
  { ask: 'PUT /repos/acme/web/automated-security-fixes', status: 204 },
  { ask: 'GET /repos/acme/web/automated-security-fixes', shows: { enabled: true, paused: false } },
  { ask: 'DELETE /repos/acme/web/automated-security-fixes', status: 204 },
  { ask: 'DELETE /repos/acme/web/vulnerability-alerts', status: 204 },
  { ask: 'PUT /repos/acme/web/private-vulnerability-reporting', status: 204 },
  { ask: 'GET /repos/acme/web/private-vulnerability-reporting', shows: { enabled: true } },
  { ask: 'DELETE /repos/acme/web/private-vulnerability-reporting', status: 204 },
  { ask: 'GET /repos/acme/web/immutable-releases', status: 404 },
  { ask: 'PUT /repos/acme/web/immutable-releases', status: 204 },
  { ask: 'GET /repos/acme/web/immutable-releases', shows: { enabled: true, enforced_by_owner: false } },
  { ask: 'DELETE /repos/acme/web/immutable-releases', status: 204 },

  { ask: 'GET /repos/acme/web/pages', status: 404 },
  { ask: 'POST /repos/acme/web/pages', body: { source: { branch: 'main', path: '/docs' } }, status: 201 },
  { ask: 'GET /repos/acme/web/pages', shows: { build_type: 'legacy', source: { branch: 'main', path: '/docs' } } },
  { ask: 'PUT /repos/acme/web/pages', body: { build_type: 'workflow' }, status: 204 },
  { ask: 'DELETE /repos/acme/web/pages', status: 204 },
  { ask: 'GET /repos/acme/web/code-scanning/default-setup', shows: { state: 'not-configured' } },
  {
    ask: 'PATCH /repos/acme/web/code-scanning/default-setup',
    body: { state: 'configured', languages: ['javascript-typescript'] },
    status: 202,
  },

  { ask: 'GET /repos/acme/web/environments', shows: { total_count: 1, environments: [{ name: 'github-pages' }] } },
  {
    ask: 'PUT /repos/acme/web/environments/prod',
    body: {
      wait_timer: 30,
      reviewers: [
        { type: 'User', id: '{alice}' },
        { type: 'Team', id: '{core}' },
      ],
      deployment_branch_policy: { protected_branches: false, custom_branch_policies: true },
    },
    shows: { protection_rules: [{ type: 'wait_timer' }, { type: 'required_reviewers' }, { type: 'branch_policy' }] },
  },
  { ask: 'GET /repos/acme/web/environments/PROD', shows: { name: 'prod' } },
  {
    ask: 'POST /repos/acme/web/environments/prod/deployment-branch-policies',
    body: { name: 'release/*' },
    keep: 'policy',
    shows: { type: 'branch' },
  },
  { ask: 'GET /repos/acme/web/environments/prod/deployment-branch-policies', shows: { total_count: 1 } },
  { ask: 'GET /repos/acme/web/environments/prod/deployment-branch-policies/{policy}', shows: { name: 'release/*' } },
  {
    ask: 'PUT /repos/acme/web/environments/prod/deployment-branch-policies/{policy}',
    body: { name: 'main' },
    shows: { name: 'main' },
  },
  { ask: 'DELETE /repos/acme/web/environments/prod/deployment-branch-policies/{policy}', status: 204 },
  { ask: 'DELETE /repos/acme/web/environments/github-pages', status: 204 },

  { ask: 'POST /repos/acme/web/hooks', body: hook, status: 201, keep: 'hook' },
  { ask: 'GET /repos/acme/web/hooks', shows: [{ id: '{hook}' }] },
  { ask: 'GET /repos/acme/web/hooks/{hook}' },
  {
    ask: 'PATCH /repos/acme/web/hooks/{hook}',
    body: { add_events: ['issues'] },
    shows: { events: ['push', 'issues'] },
  },
  { ask: 'PATCH /repos/acme/web/hooks/{hook}/config', body: { content_type: 'json' } },
  { ask: 'GET /repos/acme/web/hooks/{hook}/config', shows: { content_type: 'json' } },
  { ask: 'DELETE /repos/acme/web/hooks/{hook}', status: 204 },

  {
    ask: 'POST /repos/acme/web/rulesets',
    body: { name: 'main', enforcement: 'active', rules: [{ type: 'deletion' }] },
    status: 201,
    keep: 'ruleset',
  },
  { ask: 'GET /repos/acme/web/rulesets', shows: [{ id: '{ruleset}' }] },
  { ask: 'GET /repos/acme/web/rulesets/{ruleset}', shows: { source: 'acme/web' } },
  { ask: 'PUT /repos/acme/web/rulesets/{ruleset}', body: { name: 'all' }, shows: { name: 'all' } },
  { ask: 'DELETE /repos/acme/web/rulesets/{ruleset}', status: 204 },
]
