import type { Json } from '../../core/engine/schema/json.ts'

/** An organisation that somebody can look at: a few teams, repositories and rules, made by the same requests as everywhere. */
const core = '/orgs/acme/teams/core'

export const exampleRequests: readonly (readonly [method: string, path: string, body?: Json])[] = [
  // A second owner: whoever else changes something.
  ['PUT', '/orgs/acme/memberships/alice', { role: 'admin' }],
  ['PATCH', '/orgs/acme', { name: 'Acme', description: 'Things that work', default_repository_permission: 'none' }],
  ['POST', '/orgs/acme/teams', { name: 'Core', description: 'Looks after everything', privacy: 'closed' }],
  ['POST', '/orgs/acme/teams', { name: 'Web', privacy: 'closed' }],
  ['PUT', `${core}/memberships/alice`, { role: 'maintainer' }],
  ['PUT', '/orgs/acme/teams/web/memberships/bob', { role: 'member' }],
  ['POST', '/orgs/acme/repos', { name: 'website', description: 'acme.example', auto_init: true, has_wiki: false }],
  ['PUT', '/repos/acme/website/topics', { names: ['website', 'typescript'] }],
  ['PUT', '/repos/acme/website/vulnerability-alerts'],
  ['POST', '/orgs/acme/repos', { name: 'billing', private: true, auto_init: true, delete_branch_on_merge: true }],
  ['POST', '/orgs/acme/repos', { name: 'archive-2019', auto_init: true }],
  ['PATCH', '/repos/acme/archive-2019', { archived: true }],
  ['PUT', `${core}/repos/acme/website`, { permission: 'admin' }],
  ['PUT', `${core}/repos/acme/billing`, { permission: 'admin' }],
  ['PUT', '/orgs/acme/teams/web/repos/acme/website', { permission: 'push' }],
  [
    'POST',
    '/orgs/acme/rulesets',
    {
      name: 'default branches',
      enforcement: 'active',
      conditions: {
        ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] },
        repository_name: { include: ['~ALL'], exclude: ['archive-*'] },
      },
      rules: [{ type: 'deletion' }, { type: 'non_fast_forward' }],
    },
  ],
  [
    'POST',
    '/repos/acme/website/hooks',
    {
      name: 'web',
      events: ['push'],
      config: { url: 'https://ci.example.com/hook', content_type: 'json', secret: 'example' },
    },
  ],
  ['POST', '/repos/acme/website/actions/variables', { name: 'REGION', value: 'eu-central-1' }],
  [
    'PUT',
    '/repos/acme/website/environments/production',
    { wait_timer: 30, deployment_branch_policy: { protected_branches: true, custom_branch_policies: false } },
  ],
]
