import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/schema/json.ts'
import { built, organisationOf, textOf } from '../builders/otterdog/organisation.ts'
import { driveBundle } from '../builders/workspaces/example-workspace.ts'
import { startGitHub } from '../github/start-github.ts'

/* Organisation files of Otterdog over the stand-in of GitHub, from the file to the requests. */

const drive = async (organisation: JsonObject) => {
  const github = await startGitHub({ members: ['ada', 'bob'] })
  const bundleOf = (written: JsonObject) => ({
    entry: 'plumbline.json',
    files: {
      'plumbline.json': JSON.stringify({
        workspace: 'w',
        providers: {
          hub: {
            source: 'github',
            with: { organization: 'acme', token: { secret: 'env:TOKEN' }, baseUrl: github.url },
          },
        },
        modules: [{ name: 'acme', source: 'otterdog', with: { file: './otterdog/acme.json', provider: 'hub' } }],
      }),
      'otterdog/acme.json': textOf(written),
    },
  })
  const driven = driveBundle(
    { secrets: { 'env:TOKEN': github.token() }, base: github.url },
    bundleOf(organisation),
    'w',
  )
  const want = (next: JsonObject): void => {
    driven.current.bundle = bundleOf(next)
  }
  return { ...driven, github, want, [Symbol.asyncDispose]: () => github.close() }
}

const bare: JsonObject = { project_name: 'acme', github_id: 'acme', settings: {} }
const withTeam = (fields: JsonObject): JsonObject => ({
  ...bare,
  teams: [built('newTeam', { name: 'Core Team', ...fields })],
})

describe('an organisation file, over GitHub', () => {
  it('creates, is in sync, shows a change from outside, and repairs it', async () => {
    await using one = await drive(withTeam({ description: 'Who decides' }))
    const first = await one.check()
    expect(first.plan.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
      'create module.acme.github_team.core-team',
    ])
    expect((await one.apply(first.digest)).status).toBe('succeeded')
    const again = await one.check()
    expect({ changes: again.plan.changes, inSync: again.plan.inSync }).toEqual({ changes: [], inSync: true })
    await one.github.as('octo-owner').request('PATCH', '/orgs/acme/teams/core-team', { description: 'Others' })
    const { plan } = await one.check()
    expect(plan.changes.map(({ address }) => address)).toEqual(['module.acme.github_team.core-team'])
    expect(one.github.violations).toEqual([])
  })

  it('a type that the provider lacks is unchecked, and nothing else', async () => {
    await using one = await drive({ ...withTeam({}), roles: [built('newOrgRole', { name: 'auditor' })] })
    const { plan } = await one.check()
    const known = plan.unchecked.filter(({ detail }) => !detail?.includes('has no type'))
    expect(known).toEqual([])
    expect(plan.changes.map(({ address }) => address)).toContain('module.acme.github_team.core-team')
    expect(plan.inSync).toBe(false)
  })
})

it('nothing of the default file is sent that GitHub does not know', async () => {
  await using one = await drive(organisationOf())
  const { plan } = await one.check()
  expect(plan.unchecked.filter(({ detail }) => !detail?.includes('has no type'))).toEqual([])
  expect(one.github.violations).toEqual([])
})
