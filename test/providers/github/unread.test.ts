import { expect, it } from 'vitest'
import { uncheckedFindings } from '../../../core/engine/alert/finding.ts'
import { renderPlan } from '../../../core/pages/render/index.ts'
import { eachOf, long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

/* What the credentials may not read of a resource is unchecked; the rest of it is checked and changed as ever. */

const spec = {
  enabled_repositories: 'all',
  allowed_actions: 'all',
  default_workflow_permissions: 'read',
  can_approve_pull_request_reviews: false,
}
const actions = { type: 'github_organization_actions', name: 'actions', spec }
const path = '/orgs/acme/actions/permissions'
const address = 'github_organization_actions.actions'
const hidden = ['default_workflow_permissions', 'can_approve_pull_request_reviews']

const refuse = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  kind: 'status' as const,
  status,
  headers,
  body: '{"message":"Resource not accessible"}',
  when: ({ method, path: at }: { method: string; path: string }) => method === 'GET' && at.endsWith('/workflow'),
})

const header = { 'x-accepted-github-permissions': 'organization_administration=read' }

eachOf(
  it,
  1,
)([
  ['403 with the permission', refuse(403, header), 'organization_administration=read'],
  ['403 with a scope', refuse(403, { 'x-accepted-oauth-scopes': 'admin:org' }), 'admin:org'],
  ['403 without a header', refuse(403), 'organization_administration=read'],
  ['404 for what is hidden', refuse(404, { 'x-accepted-oauth-scopes': 'admin:org, repo' }), 'admin:org, repo'],
  [
    'a hostile header, which is no name: the permission that the document states',
    refuse(403, { 'x-accepted-github-permissions': `<b>${'x'.repeat(900)}` }),
    'organization_administration=read',
  ],
])('exactly these attributes are unchecked where a part may not be read: %s', async (_, fault, permission) => {
  await using drive = await driveGitHub([actions])
  await drive.settle()
  drive.github.faults.add(fault)
  const { plan, run } = await drive.check()
  expect(plan).toMatchObject({
    inSync: false,
    complete: false,
    changes: [],
    drift: [],
    unchecked: [{ address, attributes: hidden, permission }],
  })
  expect(run.status).toBe('incomplete')
  const page = await renderPlan(plan, { format: 'text' })
  expect(page.replace(/\s+/g, ' ')).toContain(`it needs ${permission}`)
  expect(uncheckedFindings(plan)).toMatchObject([{ address, attributes: hidden, permission }])
})

it('drift of the other attributes is found and repaired, and agreed values are remembered', long, async () => {
  await using drive = await driveGitHub([actions])
  await drive.settle()
  drive.github.faults.add(refuse(403, header))
  drive.github.as('octo-owner').request('PUT', path, { enabled_repositories: 'all', allowed_actions: 'local_only' })
  drive.github.as('octo-owner').request('PUT', `${path}/workflow`, { default_workflow_permissions: 'write' })
  const found = await drive.check()
  expect(found.plan.changes).toMatchObject([{ address, causes: [{ path: ['allowed_actions'], cause: 'drift' }] }])
  expect(found.lines.map(([line]) => line)).toEqual([`PUT ${path}`])
  await drive.apply(found.digest)
  expect((await drive.check()).plan).toMatchObject({ changes: [], unchecked: [{ attributes: hidden }] })
  drive.github.faults.clear()
  // It is a drift, and not a new difference: the check before remembers what it could not see.
  expect((await drive.check()).plan).toMatchObject({
    unchecked: [],
    changes: [{ address, causes: [{ path: ['default_workflow_permissions'], cause: 'drift' }] }],
  })
})

it('nothing is unchecked if no attribute of the part is declared', long, async () => {
  const { default_workflow_permissions: _, can_approve_pull_request_reviews: __, ...rest } = spec
  await using drive = await driveGitHub([{ ...actions, spec: rest }])
  drive.github.faults.add(refuse(403, header))
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, unchecked: [] })
})

it('nothing is known of a resource without its first part', async () => {
  await using drive = await driveGitHub([actions])
  drive.github.faults.add({ ...refuse(403, header), when: ({ path: at }) => at.endsWith('/permissions') })
  const { plan } = await drive.check()
  expect(plan.unchecked).toMatchObject([
    { address, reason: 'forbidden', permission: 'organization_administration=read' },
  ])
  expect(plan.unchecked[0]).not.toHaveProperty('attributes')
})

it('a resource with an unreadable part still serves its dependents, and is not deleted', long, async () => {
  const team = { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }
  const below = { type: 'github_team', name: 'docs', spec: { name: 'Docs', privacy: 'closed', parent: 'Core' } }
  await using drive = await driveGitHub([{ ...team, spec: { ...team.spec, members: [{ login: 'octo-owner' }] } }])
  await drive.settle()
  drive.github.faults.add({ ...refuse(403), when: ({ path: at }) => at.startsWith('/orgs/acme/teams/core/members') })
  drive.want([{ ...team, spec: { ...team.spec, members: [{ login: 'octo-owner' }] } }, below])
  const { plan, lines } = await drive.check()
  expect(plan.unchecked).toMatchObject([{ address: 'github_team.core', attributes: ['members'] }])
  expect(lines.map(([line]) => line)).toEqual(['POST /orgs/acme/teams'])
  drive.want([])
  const leaving = await drive.check()
  expect(leaving.plan.unchecked).toMatchObject([{ address: 'github_team.core', reason: 'forbidden' }])
  expect(leaving.plan.commands).toEqual([])
})
