import { describe, expect, it } from 'vitest'
import { driveGitHub } from './drive.ts'

const web = { type: 'github_repository', name: 'web', spec: { name: 'web' } }
const core = { type: 'github_team', name: 'core', spec: { name: 'Core & friends', privacy: 'closed' } }
const teamMay = (permission: string) => ({
  type: 'github_team_repository',
  name: 'x',
  spec: { team: 'Core & friends', repository: 'web', permission },
})
const personMay = (login: string, permission: string) => ({
  type: 'github_collaborator',
  name: 'x',
  spec: { repository: 'web', login, permission },
})
const paths = (lines: readonly (readonly [string, ...unknown[]])[]) => lines.map(([line]) => line)

describe('access to a repository', () => {
  it('is made together with its team and its repository', async () => {
    await using drive = await driveGitHub([teamMay('triage'), web, core])
    const { lines } = await drive.settle()
    expect(paths(lines).toSorted()).toEqual([
      'POST /orgs/acme/repos',
      'POST /orgs/acme/teams',
      'PUT /orgs/acme/teams/(known after apply: github_team.core /object/slug)/repos/acme/web',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it.each([
    ['pull', 'admin', 'narrows'],
    ['maintain', 'pull', 'widens'],
  ])('of a team from %s to %s outside: the repair %s', async (declared, other, access) => {
    await using drive = await driveGitHub([teamMay(declared), web, core])
    await drive.settle()
    await drive.github
      .as('octo-owner')
      .request('PUT', '/orgs/acme/teams/core-friends/repos/acme/web', { permission: other })
    const { plan } = await drive.check()
    expect(plan.changes[0]?.causes).toMatchObject([{ path: ['permission'], cause: 'drift', access }])
  })

  it('of a team that was taken outside is given again', async () => {
    await using drive = await driveGitHub([teamMay('push'), web, core])
    await drive.settle()
    await drive.github.as('octo-owner').request('DELETE', '/orgs/acme/teams/core-friends/repos/acme/web')
    const { plan } = await drive.settle()
    expect(plan.changes.map(({ address, action }) => [address, action])).toEqual([
      ['github_team_repository.x', 'create'],
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('of somebody from outside is a difference until the invitation is accepted', async () => {
    await using drive = await driveGitHub([personMay('Mallory', 'push'), web])
    drive.github.as('mallory').request('GET', '/user')
    await drive.apply((await drive.check()).digest)
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ inSync: false, changes: [{ address: 'github_collaborator.x', action: 'create' }] })
    expect(drive.github.violations).toEqual([])
  })

  it('of a member in another case is the same', async () => {
    await using drive = await driveGitHub([personMay('MONA', 'pull'), web], { members: ['mona'] })
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web])
    const { lines } = await drive.settle()
    expect(paths(lines)).toEqual(['DELETE /repos/acme/web/collaborators/mona'])
  })

  it('that the token may not see is unchecked, and nothing is sent', async () => {
    await using drive = await driveGitHub([teamMay('push'), web, core], { members: ['mona'], checkAnswers: false })
    await drive.settle()
    Object.assign(drive.secrets, { 'env:TOKEN': drive.github.token({ permissions: { metadata: 'read' } }) })
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan.unchecked.map(({ address }) => address)).toContain('github_team_repository.x')
  })
})
