import type { Step } from './step.ts'

const hook = { name: 'web', events: ['push'], config: { url: 'https://example.com/hook', secret: 's3cret' } }
const conditions = { ref_name: { include: ['~ALL'], exclude: [] }, repository_name: { include: ['*'], exclude: [] } }

export const teamSteps: readonly Step[] = [
  { ask: 'GET /user', shows: { login: 'octo-owner' } },
  { ask: 'GET /users/alice', shows: { login: 'alice' }, keep: 'alice' },
  { ask: 'PATCH /orgs/acme', body: { description: 'Acme' }, shows: { description: 'Acme' } },
  { ask: 'GET /orgs/acme', shows: { description: 'Acme', default_repository_permission: 'read' } },
  { ask: 'GET /orgs/acme/members' },
  { ask: 'GET /orgs/acme/members/alice', status: 204 },
  { ask: 'PUT /orgs/acme/memberships/alice', body: { role: 'admin' }, shows: { state: 'active', role: 'admin' } },
  { ask: 'GET /orgs/acme/memberships/alice', shows: { role: 'admin' } },
  { ask: 'PUT /orgs/acme/memberships/alice', body: { role: 'member' }, shows: { role: 'member' } },
  { ask: 'POST /orgs/acme/teams', body: { name: 'Core', privacy: 'closed' }, status: 201, keep: 'core' },
  {
    ask: 'POST /orgs/acme/teams',
    body: { name: 'Core Web', parent_team_id: '{core}' },
    status: 201,
    shows: { parent: { slug: 'core' }, privacy: 'closed' },
  },
  { ask: 'GET /orgs/acme/teams', shows: [{ slug: 'core' }, { slug: 'core-web' }] },
  { ask: 'GET /orgs/acme/teams/core', shows: { name: 'Core' } },
  { ask: 'GET /orgs/acme/teams/core/teams', shows: [{ slug: 'core-web' }] },
  { ask: 'PATCH /orgs/acme/teams/core-web', body: { description: 'x' }, shows: { description: 'x' } },
  { ask: 'PUT /orgs/acme/teams/core/memberships/alice', body: { role: 'maintainer' }, shows: { state: 'active' } },
  { ask: 'GET /orgs/acme/teams/core/memberships/alice', shows: { role: 'maintainer' } },
  { ask: 'GET /orgs/acme/teams/core/members?role=maintainer', shows: [{ login: 'octo-owner' }, { login: 'alice' }] },
  { ask: 'PUT /orgs/acme/teams/core/memberships/carol', body: { role: 'member' }, shows: { state: 'pending' } },
  { ask: 'GET /orgs/acme/teams/core/invitations', shows: [{ login: 'carol' }] },
  { ask: 'DELETE /orgs/acme/teams/core/memberships/carol', status: 204 },
  { ask: 'DELETE /orgs/acme/memberships/carol', status: 204 },
  { ask: 'POST /orgs/acme/repos', body: { name: 'web', auto_init: true }, status: 201, keep: 'web' },
  { ask: 'PUT /orgs/acme/teams/core/repos/acme/web', body: { permission: 'push' }, status: 204 },
  { ask: 'GET /orgs/acme/teams/core/repos', shows: [{ name: 'web', role_name: 'write' }] },
  { ask: 'GET /orgs/acme/teams/core-web/repos/acme/web', status: 204 },
  { ask: 'GET /repos/acme/web/teams', shows: [{ slug: 'core', permission: 'push' }, { slug: 'core-web' }] },
  { ask: 'DELETE /orgs/acme/teams/core/repos/acme/web', status: 204 },
  { ask: 'DELETE /orgs/acme/teams/core-web', status: 204 },

  { ask: 'POST /orgs/acme/hooks', body: hook, status: 201, keep: 'hook' },
  { ask: 'GET /orgs/acme/hooks', shows: [{ id: '{hook}' }] },
  { ask: 'GET /orgs/acme/hooks/{hook}', shows: { config: { secret: '********' } } },
  { ask: 'PATCH /orgs/acme/hooks/{hook}', body: { active: false }, shows: { active: false } },
  { ask: 'PATCH /orgs/acme/hooks/{hook}/config', body: { content_type: 'json' }, shows: { content_type: 'json' } },
  { ask: 'GET /orgs/acme/hooks/{hook}/config', shows: { content_type: 'json' } },
  { ask: 'DELETE /orgs/acme/hooks/{hook}', status: 204 },

  {
    ask: 'POST /orgs/acme/rulesets',
    body: { name: 'main', enforcement: 'active', conditions, rules: [{ type: 'deletion' }] },
    status: 201,
    keep: 'orgRuleset',
  },
  { ask: 'GET /orgs/acme/rulesets', shows: [{ id: '{orgRuleset}' }] },
  { ask: 'GET /orgs/acme/rulesets/{orgRuleset}', shows: { rules: [{ type: 'deletion' }] } },
  {
    ask: 'PUT /orgs/acme/rulesets/{orgRuleset}',
    body: { enforcement: 'evaluate' },
    shows: { enforcement: 'evaluate' },
  },
  { ask: 'DELETE /orgs/acme/rulesets/{orgRuleset}', status: 204 },
]

/** At the end, when nobody needs them any more. */
export const farewellSteps: readonly Step[] = [
  { ask: 'DELETE /orgs/acme/members/bob', status: 204 },
  { ask: 'POST /repos/acme/web/transfer', body: { new_owner: 'acme', new_name: 'site' }, status: 202 },
  { ask: 'DELETE /repos/acme/site', status: 204 },
]
