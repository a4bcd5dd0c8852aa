import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub, type Wanted } from './drive.ts'

const one = (type: string, name: string, spec: JsonObject): Wanted => ({ type: `github_${type}`, name, spec })
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlTG0hjnZqB0BoG1Zz+GgCmtIyiN1q3qvQ3Jl9sYGn2'
const rules = [{ type: 'deletion' }]

describe('a name in another case', () => {
  it('means the same object, as a container and inside one', long, async () => {
    await using drive = await driveGitHub([
      one('repository', 'web', { name: 'Web' }),
      one('team', 'core', { name: 'core', privacy: 'closed' }),
      one('team', 'docs', { name: 'DOCS', privacy: 'closed', parent: 'CORE' }),
      one('label', 'odd', { repository: 'WEB', name: 'ODD', color: 'FF0000' }),
      one('ruleset', 'main', { repository: 'weB', name: 'main', enforcement: 'active', rules }),
      one('repository_variable', 'zone', { repository: 'wEb', name: 'zone', value: 'a' }),
      one('organization_variable', 'zone', {
        name: 'zone',
        value: 'a',
        visibility: 'selected',
        selected_repositories: ['WEB'],
      }),
    ])
    const owner = drive.github.as('octo-owner')
    owner.request('POST', '/orgs/acme/repos', { name: 'web' })
    const { body } = owner.request('POST', '/orgs/acme/teams', { name: 'Core', privacy: 'closed' })
    const parent_team_id = (body as { id: number }).id
    owner.request('POST', '/orgs/acme/teams', { name: 'Docs', privacy: 'closed', parent_team_id })
    owner.request('POST', '/repos/acme/web/labels', { name: 'odd', color: 'ff0000' })
    owner.request('POST', '/repos/acme/web/rulesets', { name: 'main', enforcement: 'active', rules })
    owner.request('POST', '/repos/acme/web/actions/variables', { name: 'ZONE', value: 'a' })
    const checked = await drive.check()
    expect(checked.plan.changes.map(({ address, action }) => [address, action])).toEqual([
      ['github_organization_variable.zone', 'create'],
    ])
    await drive.apply(checked.digest)
    expect((await drive.check()).plan).toMatchObject({ inSync: true, changes: [], unchecked: [] })
  })

  it.each([
    ['repository', { name: 'Web' }, { name: 'web' }],
    ['team', { name: 'Core' }, { name: 'core' }],
    ['label', { repository: 'web', name: 'x' }, { repository: 'Web', name: 'X' }],
    ['repository_variable', { repository: 'web', name: 'x', value: 'a' }, { repository: 'WEB', name: 'X', value: 'b' }],
  ])(
    'of a %s means the same object as its neighbour in the configuration, which is refused',
    async (type, first, second) => {
      await using drive = await driveGitHub([one(type, 'first', first), one(type, 'second', second)])
      await expect(drive.check()).rejects.toThrow(/second is the same object as github_\w+\.first/)
    },
  )
})

it('a deploy key with a comment is the same as without it', long, async () => {
  const wanted = (comment: string) => [
    one('repository', 'web', { name: 'web' }),
    one('deploy_key', 'laptop', { repository: 'web', title: 'laptop', key: `${key}${comment}`, read_only: true }),
  ]
  await using drive = await driveGitHub(wanted(' mona@laptop'))
  await drive.settle()
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  drive.want(wanted('  of somebody, since 2030\n'))
  expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
})
