import { describe, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { addOrganization } from '../../github/state/organization.ts'
import { moveRepository } from '../../github/state/repository.ts'
import { driveGitHub } from './drive.ts'

const web = (spec: object = {}) => ({ type: 'github_repository', name: 'web', spec: { name: 'web', ...spec } })
const sent = ({ github }: Awaited<ReturnType<typeof driveGitHub>>) =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

describe('a repository', () => {
  it('gets right after its create the settings that the create does not accept', long, async () => {
    await using drive = await driveGitHub([web({ topics: ['api'], allow_update_branch: true, archived: true })])
    await drive.settle()
    expect(sent(drive)).toEqual([
      'POST /orgs/acme/repos',
      'PATCH /repos/acme/web',
      'PUT /repos/acme/web/topics',
      'PATCH /repos/acme/web',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('is unarchived first, and archived last', long, async () => {
    await using drive = await driveGitHub([web({ archived: true })])
    await drive.settle()
    drive.want([web({ archived: false, description: 'open again', topics: ['api'] })])
    await drive.settle()
    drive.want([web({ archived: true, description: 'closed', topics: [] })])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('is renamed, and not created a second time', long, async () => {
    await using drive = await driveGitHub([web({ description: 'one' })])
    await drive.settle()
    drive.want([{ ...web({ description: 'two' }), spec: { name: 'site', description: 'two', topics: ['a'] } }])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(sent(drive).filter((each) => /POST|DELETE/.test(each))).toEqual(['POST /orgs/acme/repos'])
  })

  it('that was renamed outside is renamed back', long, async () => {
    await using drive = await driveGitHub([web()])
    await drive.settle()
    await drive.github.as('octo-owner').request('PATCH', '/repos/acme/web', { name: 'stolen' })
    const { plan } = await drive.check()
    expect(plan.changes.map(({ action, causes }) => [action, causes.map(({ path }) => path)])).toEqual([
      ['update', [['name']]],
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('is left alone if it was renamed outside and another one has its name now', long, async () => {
    await using drive = await driveGitHub([web()])
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    await owner.request('PATCH', '/repos/acme/web', { name: 'moved' })
    await owner.request('POST', '/orgs/acme/repos', { name: 'web', description: 'of somebody else' })
    const before = sent(drive).length
    drive.want([])
    const { plan, digest } = await drive.check()
    await drive.apply(digest).catch(() => undefined)
    expect(
      sent(drive)
        .slice(before)
        .filter((each) => each === 'DELETE /repos/acme/web'),
    ).toEqual([])
    expect(
      plan.changes.filter(({ action }) => action === 'delete').map(({ before: found }) => found?.['name']),
    ).not.toContain('web')
  })

  it('that was transferred to another organisation is not created again, and nothing is sent there', long, async () => {
    const label = (color: string) => ({
      type: 'github_label',
      name: 'odd',
      spec: { repository: 'web', name: 'odd', color },
    })
    await using drive = await driveGitHub([web(), label('ff0000')])
    await drive.settle()
    const { world } = drive.github
    addOrganization(world, 'other')
    const [repository] = world.repositories.values()
    if (repository !== undefined) moveRepository(world, repository, 'other', 'web')
    drive.want([web({ description: 'new' }), label('00ff00')])
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan.unchecked).toMatchObject([{ address: 'github_repository.web', reason: 'ambiguous' }])
    drive.want([])
    expect((await drive.check()).lines).toEqual([])
  })

  it('that is missing only in the list is not created again', async () => {
    await using drive = await driveGitHub([web()])
    await drive.settle()
    drive.github.faults.add({
      kind: 'status',
      status: 200,
      body: '[]',
      when: ({ path }) => path.startsWith('/orgs/acme/repos'),
    })
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan.unchecked).toMatchObject([{ address: 'github_repository.web', reason: 'ambiguous' }])
  })

  it('that was deleted outside is created again', async () => {
    await using drive = await driveGitHub([web()])
    await drive.settle()
    drive.github.as('octo-owner').request('DELETE', '/repos/acme/web')
    expect((await drive.check()).lines).toEqual([['POST /orgs/acme/repos', { name: 'web' }]])
  })

  it('is created together with its contents', long, async () => {
    const inside = (type: string, spec: object) => ({ type, name: 'x', spec: { repository: 'web', ...spec } })
    await using drive = await driveGitHub([
      inside('github_label', { name: 'unclear', color: 'ff0000' }),
      inside('github_repository_variable', { name: 'zone', value: 'a' }),
      inside('github_autolink', { key_prefix: 'T-', url_template: 'https://acme.example/<num>' }),
      inside('github_repository_webhook', { url: 'https://acme.example/hook', events: ['push'] }),
      inside('github_ruleset', { name: 'main', target: 'branch', enforcement: 'active' }),
      web(),
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('turns private and forbids forks in one apply', long, async () => {
    await using drive = await driveGitHub([web({ visibility: 'public' })])
    await drive.settle()
    drive.want([web({ visibility: 'private', allow_forking: false })])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('has a drift with the name of who changed it, and how', long, async () => {
    let now = () => Date.parse('2026-11-21T05:00:00Z')
    await using drive = await driveGitHub([web({ visibility: 'private', allow_auto_merge: false })], {
      clock: { now: () => now(), advance: () => {} },
    })
    now = () => drive.clock.now().getTime()
    await drive.settle()
    drive.clock.forward(600_000)
    await drive.check()
    drive.clock.forward(600_000)
    await drive.github.as('mallory').request('PATCH', '/repos/acme/web', { visibility: 'public' })
    await drive.github.as('eve').request('PATCH', '/repos/acme/web', { allow_auto_merge: true })
    drive.clock.forward(600_000)
    expect((await drive.check()).plan.attributed?.[0]?.by).toMatchObject([
      { actor: 'mallory', action: 'repo.access', paths: ['visibility'] },
      { actor: 'eve', action: 'repo.change_merge_setting', paths: ['allow_auto_merge'] },
    ])
    expect(drive.github.violations).toEqual([])
  })

  it('that somebody made public has more access than configured', long, async () => {
    await using drive = await driveGitHub([web({ visibility: 'private' })])
    await drive.settle()
    await drive.github.as('mallory').request('PATCH', '/repos/acme/web', { visibility: 'public' })
    const { plan } = await drive.check()
    expect(plan.changes[0]?.causes).toMatchObject([{ path: ['visibility'], cause: 'drift', access: 'narrows' }])
  })

  it('can get an existing branch as its default', async () => {
    await using drive = await driveGitHub([web()])
    await drive.github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
    drive.want([web({ default_branch: 'main' })])
    await drive.check()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })
})
