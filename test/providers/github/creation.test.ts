import { describe, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

type Drive = Awaited<ReturnType<typeof driveGitHub>>

const web = (spec: object = {}) => ({ type: 'github_repository', name: 'web', spec: { name: 'web', ...spec } })

const sent = ({ github }: Drive) =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

/** What the drive sent after this. */
const since = async (drive: Drive, act: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = sent(drive).length
  await act()
  return sent(drive).slice(before)
}

const seen = async ({ github }: Drive, path: string) => (await github.as('octo-owner').request('GET', path)).body

/** The organisation's own template. */
const withTemplate = async (drive: Drive) => {
  const owner = drive.github.as('octo-owner')
  await owner.request('POST', '/orgs/acme/repos', { name: 'base', auto_init: true, is_template: true })
}

describe('a new repository', () => {
  it('has a first commit, which an existing repository does not need', async () => {
    await using drive = await driveGitHub([web({ auto_init: true, default_branch: 'main', license_template: 'mit' })])
    await drive.settle()
    expect(await seen(drive, '/repos/acme/web/branches/main')).toMatchObject({ name: 'main' })
    drive.want([web({ auto_init: false, gitignore_template: 'Go' })])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
    expect(drive.github.ignored).toEqual([])
  })

  it.each([
    ['private', true, []],
    ['public', false, []],
    ['internal', true, ['PATCH /repos/acme/web']],
  ])('is made from a template as %s, and never more public than that', async (visibility, isPrivate, after) => {
    await using drive = await driveGitHub()
    await withTemplate(drive)
    drive.want([web({ visibility, description: 'From base', template: { owner: 'acme', repository: 'base' } })])
    const { plan } = await drive.check()
    expect(plan.commands[0]?.request.body).toEqual({
      owner: 'acme',
      name: 'web',
      description: 'From base',
      private: isPrivate,
    })
    const requests = await since(drive, () => drive.settle())
    expect(requests).toEqual(['POST /repos/acme/base/generate', ...after])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('gets with its template in the same plan what that create does not accept', long, async () => {
    await using drive = await driveGitHub()
    await withTemplate(drive)
    const template = { owner: 'acme', repository: 'base', include_all_branches: true }
    drive.want([web({ template, visibility: 'public', has_wiki: false, topics: ['api'], dependabot_alerts: true })])
    const requests = await since(drive, () => drive.settle())
    expect(requests).toEqual([
      'POST /repos/acme/base/generate',
      'PATCH /repos/acme/web',
      'PUT /repos/acme/web/vulnerability-alerts',
      'PUT /repos/acme/web/topics',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web({ has_wiki: false })])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('is a fork, and gets what the fork does not accept', long, async () => {
    await using drive = await driveGitHub()
    const other = drive.github.as('octo-owner')
    await other.request('POST', '/orgs/acme/repos', { name: 'upstream', auto_init: true })
    drive.want([web({ fork_of: { owner: 'acme', repository: 'upstream' }, has_issues: true, description: 'Ours' })])
    const requests = await since(drive, () => drive.settle())
    expect(requests).toEqual(['POST /repos/acme/upstream/forks', 'PATCH /repos/acme/web'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(await seen(drive, '/repos/acme/web')).toMatchObject({ fork: true, has_issues: true })
    expect(drive.github.violations).toEqual([])
  })

  it('is not the fork that the organisation has under another name', long, async () => {
    await using drive = await driveGitHub()
    const other = drive.github.as('octo-owner')
    await other.request('POST', '/orgs/acme/repos', { name: 'upstream', auto_init: true })
    await other.request('POST', '/repos/acme/upstream/forks', { organization: 'acme', name: 'theirs' })
    drive.want([web({ fork_of: { owner: 'acme', repository: 'upstream' }, description: 'Ours' })])
    const { digest } = await drive.check()
    const applied = await drive.apply(digest).catch((error: unknown) => error)
    expect(applied).not.toMatchObject({ status: 'succeeded' })
    expect(await seen(drive, '/repos/acme/theirs')).toMatchObject({ name: 'theirs', description: null })
    const { plan } = await drive.check()
    expect(plan.commands.map(({ request }) => request.url)).not.toContainEqual(expect.stringContaining('theirs'))
  })
})
