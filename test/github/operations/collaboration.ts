import type { Step } from './step.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHVzZWQgYnkgYSB0ZXN0IG9mIHRoZSBzdGFuZC1pbg somebody@example.com'

export const collaborationSteps: readonly Step[] = [
  { ask: 'GET /repos/acme/web/labels?per_page=100', shows: { length: 9 } },
  {
    ask: 'POST /repos/acme/web/labels',
    body: { name: 'Area/X', color: 'FF0000' },
    status: 201,
    shows: { color: 'ff0000' },
  },
  { ask: 'GET /repos/acme/web/labels/area%2Fx', shows: { name: 'Area/X' } },
  { ask: 'PATCH /repos/acme/web/labels/area%2Fx', body: { new_name: 'x' }, shows: { name: 'x' } },
  { ask: 'DELETE /repos/acme/web/labels/x', status: 204 },
  {
    ask: 'POST /repos/acme/web/keys',
    body: { title: 'deploy', key },
    status: 201,
    keep: 'key',
    shows: { read_only: false },
  },
  { ask: 'GET /repos/acme/web/keys', shows: [{ key: key.replace(' somebody@example.com', '') }] },
  { ask: 'GET /repos/acme/web/keys/{key}', shows: { title: 'deploy' } },
  { ask: 'DELETE /repos/acme/web/keys/{key}', status: 204 },
  {
    ask: 'POST /repos/acme/web/autolinks',
    body: { key_prefix: 'T-', url_template: 'https://example.com/<num>' },
    status: 201,
    keep: 'link',
    shows: { is_alphanumeric: true },
  },
  { ask: 'GET /repos/acme/web/autolinks', shows: [{ key_prefix: 'T-' }] },
  { ask: 'GET /repos/acme/web/autolinks/{link}', shows: { key_prefix: 'T-' } },
  { ask: 'DELETE /repos/acme/web/autolinks/{link}', status: 204 },

  { ask: 'PUT /repos/acme/web/collaborators/alice', body: { permission: 'maintain' }, status: 204 },
  { ask: 'GET /repos/acme/web/collaborators/alice', status: 204 },
  { ask: 'GET /repos/acme/web/collaborators/alice/permission', shows: { permission: 'write', role_name: 'maintain' } },
  { ask: 'GET /repos/acme/web/collaborators?affiliation=direct', shows: [{ login: 'alice', role_name: 'maintain' }] },
  { ask: 'PUT /repos/acme/web/collaborators/carol', body: { permission: 'push' }, status: 201, keep: 'invitation' },
  { ask: 'GET /repos/acme/web/invitations', shows: [{ invitee: { login: 'carol' }, permissions: 'write' }] },
  {
    ask: 'PATCH /repos/acme/web/invitations/{invitation}',
    body: { permissions: 'admin' },
    shows: { permissions: 'admin' },
  },
  { ask: 'DELETE /repos/acme/web/invitations/{invitation}', status: 204 },
  { ask: 'DELETE /repos/acme/web/collaborators/alice', status: 204 },
  { ask: 'GET /orgs/acme/outside_collaborators', shows: [] },

  {
    ask: 'PUT /orgs/acme/properties/schema/tier',
    body: { value_type: 'single_select', required: true, default_value: 'b', allowed_values: ['a', 'b'] },
    shows: { property_name: 'tier' },
  },
  {
    ask: 'PATCH /orgs/acme/properties/schema',
    body: { properties: [{ property_name: 'owner', value_type: 'string' }] },
    shows: [{ property_name: 'owner', required: false }],
  },
  { ask: 'GET /orgs/acme/properties/schema', shows: [{ property_name: 'tier' }, { property_name: 'owner' }] },
  { ask: 'GET /orgs/acme/properties/schema/tier', shows: { default_value: 'b' } },
  {
    ask: 'PATCH /repos/acme/web/properties/values',
    body: { properties: [{ property_name: 'tier', value: 'a' }] },
    status: 204,
  },
  { ask: 'GET /repos/acme/web/properties/values', shows: [{ property_name: 'tier', value: 'a' }] },
  {
    ask: 'PATCH /orgs/acme/properties/values',
    body: { repository_names: ['web'], properties: [{ property_name: 'tier', value: null }] },
    status: 204,
  },
  { ask: 'GET /orgs/acme/properties/values', shows: [{ properties: [{ property_name: 'tier', value: 'b' }] }] },
  { ask: 'DELETE /orgs/acme/properties/schema/owner', status: 204 },
]
