import { describe, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

type Drive = Awaited<ReturnType<typeof driveGitHub>>

const actions = (spec: object) => ({
  type: 'github_repository_actions',
  name: 'web',
  spec: { repository: 'web', ...spec },
})

const written = ({ github }: Drive) =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

/** The repository exists already. */
const withWeb = async (visibility: string, spec: object) => {
  const drive = await driveGitHub([actions(spec)])
  await drive.github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web', visibility })
  return drive
}

const everything = {
  enabled: true,
  allowed_actions: 'selected',
  patterns_allowed: ['acme/*'],
  default_workflow_permissions: 'read',
  approval_policy: 'all_external_contributors',
  access_level: 'organization',
}

describe('GitHub Actions of a repository', () => {
  it('that are off need one request, and no other setting applies', long, async () => {
    await using drive = await withWeb('public', { ...everything, enabled: false })
    const { plan } = await drive.check()
    expect(plan.commands.map(({ request }) => request.body)).toEqual([{ enabled: false }])
    // Declared as they are anyway: default_workflow_permissions.
    expect(plan.ignored.map(({ path }) => path[0])).toEqual([
      'allowed_actions',
      'patterns_allowed',
      'approval_policy',
      'access_level',
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, complete: true })
    expect(drive.github.violations).toEqual([])
  })

  it('that are switched on get all settings that apply then', long, async () => {
    await using drive = await withWeb('public', { enabled: false })
    await drive.settle()
    drive.want([actions(everything)])
    await drive.settle()
    const permissions = '/repos/acme/web/actions/permissions'
    expect(written(drive).slice(1)).toEqual([
      `PUT ${permissions}`,
      `PUT ${permissions}/selected-actions`,
      `PUT ${permissions}/workflow`,
      `PUT ${permissions}/fork-pr-contributor-approval`,
    ])
    expect((await drive.check()).plan).toMatchObject({
      inSync: true,
      ignored: [{ path: ['access_level'], rule: expect.stringContaining('private or internal') }],
    })
    expect(drive.github.violations).toEqual([])
  })

  it.each([
    ['private', 'approval_policy'],
    ['public', 'access_level'],
  ])('of a %s repository have no %s', async (visibility, missing) => {
    await using drive = await withWeb(visibility, everything)
    await drive.settle()
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ inSync: true, ignored: [{ path: [missing] }] })
  })

  it('are set with a repository that is created in the same plan', async () => {
    await using drive = await driveGitHub([
      { type: 'github_repository', name: 'web', spec: { name: 'web', visibility: 'public' } },
      actions({ enabled: true, allowed_actions: 'local_only' }),
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('are unchecked if one of their answers fails, and no value is guessed', long, async () => {
    await using drive = await withWeb('public', everything)
    await drive.settle()
    const when = ({ path }: { path: string }) => path.endsWith('/permissions/workflow')
    drive.github.faults.add({ kind: 'status', status: 500, when })
    const { plan } = await drive.check()
    expect(plan.unchecked).toMatchObject([{ address: 'github_repository_actions.web', reason: 'server_error' }])
    expect(plan.commands).toEqual([])
  })
})
