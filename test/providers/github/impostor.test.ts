import { describe, expect, it } from 'vitest'
import { eachOf, long } from '../../builders/long.ts'
import { driveGitHub, type Wanted } from './drive.ts'

const repository = (name: string): Wanted => ({
  type: 'github_repository',
  name: name.replaceAll('-', '_'),
  spec: { name, visibility: 'private', auto_init: true },
})
const value = { secret: 'env:VALUE' }
/** Each names repositories, and gives them something. */
const naming: Readonly<Record<string, Wanted>> = {
  'a secret of the organisation': {
    type: 'github_organization_secret',
    name: 's',
    spec: { name: 'S', visibility: 'selected', selected_repositories: ['api'], value },
  },
  'a secret of Dependabot': {
    type: 'github_organization_dependabot_secret',
    name: 's',
    spec: { name: 'S', visibility: 'selected', selected_repositories: ['api'], value },
  },
  'a secret of Codespaces': {
    type: 'github_organization_codespaces_secret',
    name: 's',
    spec: { name: 'S', visibility: 'selected', selected_repositories: ['api'], value },
  },
  'a variable of the organisation': {
    type: 'github_organization_variable',
    name: 'v',
    spec: { name: 'V', value: 'v', visibility: 'selected', selected_repositories: ['api'] },
  },
  'the Actions of the organisation': {
    type: 'github_organization_actions',
    name: 'actions',
    spec: { enabled_repositories: 'selected', selected_repositories: ['api'] },
  },
}

describe.each(Object.entries(naming))('%s', (_, one) => {
  it('can name a repository that the same plan makes', long, async () => {
    await using drive = await driveGitHub([repository('api'), one])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('gives nothing to another repository that has the name of a declared one', long, async () => {
    await using drive = await driveGitHub([repository('api'), one])
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    owner.request('PATCH', '/repos/acme/api', { name: 'api-moved' })
    owner.request('POST', '/orgs/acme/repos', { name: 'api', visibility: 'public' })
    const { plan } = await drive.check()
    const sent = plan.commands.filter(({ address }) => address === `${one.type}.${one.name}`)
    expect(sent).toEqual([])
    expect(plan.inSync).toBe(false)
  })
})

describe('what a token may not list', () => {
  const web = { type: 'github_repository', name: 'web', spec: { name: 'web', auto_init: true } }
  eachOf(
    it,
    1,
  )([
    ['environments', { type: 'github_environment', name: 'x', spec: { repository: 'web', name: 'x', wait_timer: 5 } }],
    [
      'actions/variables',
      { type: 'github_repository_variable', name: 'x', spec: { repository: 'web', name: 'X', value: 'y' } },
    ],
    [
      'hooks',
      {
        type: 'github_repository_webhook',
        name: 'x',
        spec: { repository: 'web', url: 'https://a.test/', events: ['push'] },
      },
    ],
  ])('is not created where its repository is there: %s', async (list, one) => {
    await using drive = await driveGitHub([web])
    await drive.settle()
    drive.want([web, one])
    drive.github.faults.add({
      kind: 'status',
      status: 404,
      when: ({ path }) => path.startsWith(`/repos/acme/web/${list}`),
    })
    const { plan } = await drive.check()
    expect([plan.commands, plan.unchecked.map(({ address, reason }) => [address, reason])]).toEqual([
      [],
      [[`${one.type}.x`, 'out_of_sight']],
    ])
  })
})
