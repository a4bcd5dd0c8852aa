import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../builders/long.ts'
import { repositoryByName } from '../../github/state/repository.ts'
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
const repositoryOf = ({ github }: Awaited<ReturnType<typeof driveGitHub>>) => {
  const found = repositoryByName(github.world, 'acme/web')
  if (found === undefined) throw new Error('there is no repository web')
  return found
}
const paths = (lines: readonly (readonly [string, ...unknown[]])[]) => lines.map(([line]) => line)

describe('access to a repository', () => {
  it('is created together with its team and its repository', long, async () => {
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

  eachOf(
    it,
    1,
  )([
    ['pull', 'admin', 'narrows'],
    ['maintain', 'pull', 'widens'],
  ])(
    'of a team that was changed from %s to %s outside is repaired, and the repair %s',
    async (declared, other, access) => {
      await using drive = await driveGitHub([teamMay(declared), web, core])
      await drive.settle()
      await drive.github
        .as('octo-owner')
        .request('PUT', '/orgs/acme/teams/core-friends/repos/acme/web', { permission: other })
      const { plan } = await drive.check()
      expect(plan.changes[0]?.causes).toMatchObject([{ path: ['permission'], cause: 'drift', access }])
    },
  )

  it('of a team that was removed outside is given again', long, async () => {
    await using drive = await driveGitHub([teamMay('push'), web, core])
    await drive.settle()
    await drive.github.as('octo-owner').request('DELETE', '/orgs/acme/teams/core-friends/repos/acme/web')
    const { plan } = await drive.settle()
    expect(plan.changes.map(({ address, action }) => [address, action])).toEqual([
      ['github_team_repository.x', 'create'],
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('of an outside collaborator exists from the invitation on, and is not requested again', long, async () => {
    await using drive = await driveGitHub([personMay('Mallory', 'push'), web])
    drive.github.as('mallory').request('GET', '/user')
    await drive.settle()
    const { plan, lines } = await drive.check()
    expect([plan.inSync, plan.changes, lines]).toEqual([true, [], []])
    // The invitation is accepted: the same object.
    const { invitations, collaborators } = repositoryOf(drive)
    invitations.clear()
    collaborators.set('mallory', 'push')
    expect((await drive.check()).plan).toMatchObject({ inSync: true, drift: [] })
    // It expires, or somebody cancels it.
    collaborators.clear()
    expect((await drive.check()).plan.changes).toMatchObject([{ address: 'github_collaborator.x', action: 'create' }])
    expect(drive.github.violations).toEqual([])
  })

  it('of an invited person is removed by cancelling the invitation', long, async () => {
    await using drive = await driveGitHub([personMay('Mallory', 'push'), web])
    drive.github.as('mallory').request('GET', '/user')
    await drive.settle()
    drive.want([web])
    const { lines } = await drive.settle()
    expect(paths(lines)).toEqual([expect.stringMatching(/^DELETE \/repos\/acme\/web\/invitations\/\d+$/)])
    expect(repositoryOf(drive).invitations.size).toBe(0)
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('of an invited person with another right is changed', long, async () => {
    await using drive = await driveGitHub([personMay('Mallory', 'push'), web])
    drive.github.as('mallory').request('GET', '/user')
    await drive.settle()
    for (const invitation of repositoryOf(drive).invitations.values()) invitation.permission = 'admin'
    expect((await drive.check()).plan.changes).toMatchObject([
      { action: 'update', causes: [{ path: ['permission'], cause: 'drift' }] },
    ])
  })

  it('of a member whose login is spelled in another case is the same', long, async () => {
    await using drive = await driveGitHub([personMay('MONA', 'pull'), web], { members: ['mona'] })
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web])
    const { lines } = await drive.settle()
    expect(paths(lines)).toEqual(['DELETE /repos/acme/web/collaborators/mona'])
  })

  eachOf(
    it,
    1,
  )([
    ['a team', 'read'],
    ['the organisation', 'admin'],
  ])('of a person who has more by %s is the one that the person has alone', async (_, base) => {
    const one = personMay('mona', 'triage')
    const all = {
      type: 'github_repository_collaborators',
      name: 'all',
      spec: { repository: 'web', collaborators: [{ login: 'mona', permission: 'triage' }] },
    }
    for (const declared of [one, all]) {
      await using drive = await driveGitHub([declared, web], { members: ['mona'] })
      await drive.settle()
      const owner = drive.github.as('octo-owner')
      const ask = (path: string, body: JsonObject) => owner.request('PUT', path, body)
      await owner.request('PATCH', '/orgs/acme', { default_repository_permission: base })
      await owner.request('POST', '/orgs/acme/teams', { name: 'Core', privacy: 'closed' })
      await ask('/orgs/acme/teams/core/memberships/mona', { role: 'member' })
      await ask('/orgs/acme/teams/core/repos/acme/web', { permission: 'maintain' })
      expect((await drive.check()).plan).toMatchObject({ inSync: true, unchecked: [] })
      // The right of their own is still seen to change, above and below what they have otherwise.
      for (const other of ['push', 'pull']) {
        await ask('/repos/acme/web/collaborators/mona', { permission: other })
        const { plan, lines } = await drive.settle()
        expect([plan.changes.length, paths(lines)]).toEqual([1, ['PUT /repos/acme/web/collaborators/mona']])
        expect(repositoryOf(drive).collaborators.get('mona')).toBe('triage')
      }
      expect(drive.github.violations).toEqual([])
    }
  })

  it('of a person is unchecked where GitHub does not say where it comes from', long, async () => {
    await using drive = await driveGitHub([personMay('mona', 'triage'), web], { members: ['mona'] })
    await drive.settle()
    drive.github.faults.add({ kind: 'status', status: 502, when: ({ path }) => path.startsWith('/graphql') })
    const { plan } = await drive.check()
    expect([plan.changes, plan.unchecked.map(({ address }) => address)]).toEqual([[], ['github_collaborator.x']])
  })

  it('that the token may not see is unchecked, and nothing is sent', long, async () => {
    await using drive = await driveGitHub([teamMay('push'), web, core], { members: ['mona'], checkAnswers: false })
    await drive.settle()
    Object.assign(drive.secrets, { 'env:TOKEN': drive.github.token({ permissions: { metadata: 'read' } }) })
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan.unchecked.map(({ address }) => address)).toContain('github_team_repository.x')
  })
})
