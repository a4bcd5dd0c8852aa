import { describe, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

type Drive = Awaited<ReturnType<typeof driveGitHub>>

const web = (spec: object = {}) => ({ type: 'github_repository', name: 'web', spec: { name: 'web', ...spec } })
const label = (color = 'ff0000') => ({
  type: 'github_label',
  name: 'unclear',
  spec: { repository: 'web', name: 'unclear', color },
})
const actions = { type: 'github_repository_actions', name: 'web', spec: { repository: 'web', enabled: false } }

const sent = ({ github }: Drive) =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

const since = async (drive: Drive, act: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = sent(drive).length
  await act()
  return sent(drive).slice(before)
}

const archive = ({ github }: Drive, archived: boolean) =>
  github.as('mallory').request('PATCH', '/repos/acme/web', { archived })

describe('a repository that is archived', () => {
  it('is archived after all changes of its contents', long, async () => {
    await using drive = await driveGitHub([web(), label()])
    await drive.settle()
    drive.want([web({ archived: true, description: 'closed' }), label('00ff00')])
    expect(await since(drive, () => drive.settle())).toEqual([
      'PATCH /repos/acme/web',
      'PATCH /repos/acme/web/labels/unclear',
      'PATCH /repos/acme/web',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('is archived after a delete of its contents, and created with them', long, async () => {
    await using drive = await driveGitHub([web({ archived: true }), label()])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web({ archived: false }), label()])
    await drive.settle()
    drive.want([web({ archived: true })])
    expect(await since(drive, () => drive.settle())).toEqual([
      'DELETE /repos/acme/web/labels/unclear',
      'PATCH /repos/acme/web',
    ])
    expect(drive.github.violations).toEqual([])
  })

  it('is unarchived before all changes of its contents', long, async () => {
    await using drive = await driveGitHub([web({ archived: true }), label()])
    await drive.settle()
    drive.want([web({ archived: false }), label('00ff00')])
    expect(await since(drive, () => drive.settle())).toEqual([
      'PATCH /repos/acme/web',
      'PATCH /repos/acme/web/labels/unclear',
    ])
  })

  it('blocks its changes and those of its contents, and names the reason', long, async () => {
    await using drive = await driveGitHub([web({ description: 'one' }), label(), actions])
    await drive.settle()
    await archive(drive, true)
    drive.want([web({ description: 'two' }), label('00ff00'), { ...actions, spec: { ...actions.spec, enabled: true } }])
    const { plan, digest } = await drive.check()
    expect(plan.commands).toEqual([])
    expect(plan.changes.map(({ address, blocked }) => [address, blocked])).toEqual([
      ['github_repository.web', { reason: 'frozen', detail: expect.stringContaining('archived: true') }],
      ['github_label.unclear', { reason: 'frozen', detail: expect.stringContaining('github_repository.web') }],
      ['github_repository_actions.web', { reason: 'frozen', detail: expect.stringContaining('archived: true') }],
    ])
    expect(await since(drive, async () => drive.apply(digest).catch(() => undefined))).toEqual([])
    await archive(drive, false)
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('blocks objects that would be created or deleted in it', long, async () => {
    await using drive = await driveGitHub([web(), label()])
    await drive.settle()
    await archive(drive, true)
    drive.want([web(), { ...label(), name: 'other', spec: { repository: 'web', name: 'other', color: 'ffffff' } }])
    const { plan } = await drive.check()
    expect(plan.changes.map(({ address, action, blocked }) => [address, action, blocked?.reason])).toEqual([
      ['github_label.other', 'create', 'frozen'],
      ['github_label.unclear', 'delete', 'frozen'],
    ])
  })

  it('is deleted with its contents', long, async () => {
    await using drive = await driveGitHub([web(), label()])
    await drive.settle()
    await archive(drive, true)
    drive.want([])
    const { digest } = await drive.check()
    const sent = await since(drive, () => drive.apply(digest))
    expect(sent.filter((line) => line !== 'POST /graphql')).toEqual(['DELETE /repos/acme/web'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('hides its other differences where the configuration archives it', async () => {
    await using drive = await driveGitHub([web({ archived: true, description: 'one' })])
    await drive.settle()
    drive.want([web({ archived: true, description: 'two' })])
    const { plan } = await drive.check()
    expect(plan.changes).toMatchObject([{ blocked: { reason: 'frozen' } }])
  })
})
