import { describe, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { addBranch, repositoryByName } from '../../github/state/repository.ts'
import { driveGitHub } from './drive.ts'

type Drive = Awaited<ReturnType<typeof driveGitHub>>

const web = (spec: object = {}) => ({ type: 'github_repository', name: 'web', spec: { name: 'web', ...spec } })

const sent = ({ github }: Drive) =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

const since = async (drive: Drive, act: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = sent(drive).length
  await act()
  return sent(drive).slice(before)
}

describe('the features of a repository', () => {
  it('are unknown where GitHub may hide them', long, async () => {
    await using drive = await driveGitHub([web({ dependabot_alerts: true })])
    await drive.settle()
    // The rights of an owner are gone: 404 is what GitHub answers for what it hides.
    const body = '{"message":"Not Found"}'
    const ends = (end: string) => ({ when: ({ path }: { path: string }) => path.endsWith(end), body })
    drive.github.faults.add({ kind: 'status', status: 404, ...ends('/vulnerability-alerts') })
    drive.github.faults.add({ kind: 'status', status: 403, ...ends('/orgs/acme') })
    const { plan } = await drive.check()
    expect(plan.unchecked).toMatchObject([{ address: 'github_repository.web', reason: 'out_of_sight' }])
    expect(plan.commands).toEqual([])
  })

  it('include private reporting in public repositories only; elsewhere it is refused with words', long, async () => {
    await using drive = await driveGitHub([web({ visibility: 'private', private_vulnerability_reporting: true })])
    const first = await drive.check()
    expect(first.plan.ignored).toMatchObject([{ path: ['private_vulnerability_reporting'] }])
    expect(await since(drive, () => drive.settle())).toEqual(['POST /orgs/acme/repos'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web({ visibility: 'public', private_vulnerability_reporting: true })])
    expect(await since(drive, () => drive.settle())).toEqual([
      'PATCH /repos/acme/web',
      'PUT /repos/acme/web/private-vulnerability-reporting',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true, ignored: [] })
    // It comes back as it was the last time, in the middle of the change.
    drive.github.as('octo-owner').request('PATCH', '/repos/acme/web', { visibility: 'private' })
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, ignored: [] })
    drive.want([web({ visibility: 'private', private_vulnerability_reporting: false })])
    expect(await since(drive, () => drive.settle())).toEqual(['PATCH /repos/acme/web'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('include discussions', long, async () => {
    await using drive = await driveGitHub([web({ has_discussions: true })])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web({ has_discussions: false })])
    expect((await drive.check()).plan.changes.map(({ causes }) => causes.map(({ path }) => path))).toEqual([
      [['has_discussions']],
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('include values of custom properties; null removes one, and others stay', long, async () => {
    await using drive = await driveGitHub([web()])
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    for (const name of ['tier', 'team', 'other'])
      await owner.request('PUT', `/orgs/acme/properties/schema/${name}`, { value_type: 'string' })
    await owner.request('PATCH', '/repos/acme/web/properties/values', {
      properties: [{ property_name: 'other', value: 'theirs' }],
    })
    drive.want([web({ custom_properties: { tier: 'gold', team: 'core' } })])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web({ custom_properties: { tier: 'gold', team: null } })])
    const { plan } = await drive.check()
    expect(plan.commands.map(({ request, inverse }) => [request.body, inverse?.body])).toEqual([
      [
        { properties: [{ property_name: 'team', value: null }] },
        { properties: [{ property_name: 'team', value: 'core' }] },
      ],
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect((await owner.request('GET', '/repos/acme/web')).body).toMatchObject({
      custom_properties: { other: 'theirs', tier: 'gold' },
    })
    expect(drive.github.violations).toEqual([])
  })

  it('include the default branch, which is renamed if the declared branch does not exist', long, async () => {
    await using drive = await driveGitHub([web({ auto_init: true, default_branch: 'main' })])
    await drive.settle()
    drive.want([web({ default_branch: 'trunk/new' })])
    const { plan } = await drive.check()
    expect(plan.commands.map(({ request, grade }) => [request.method, request.url, request.body, grade])).toEqual([
      ['POST', expect.stringMatching(/\/branches\/main\/rename$/), { new_name: 'trunk/new' }, 'lossy'],
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('include an existing branch as the default, and then no branch is renamed', async () => {
    await using drive = await driveGitHub()
    const owner = drive.github.as('octo-owner')
    await owner.request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
    const repository = repositoryByName(drive.github.world, 'acme/web')
    if (repository !== undefined) addBranch(repository, 'next')
    drive.want([web({ default_branch: 'next' })])
    expect(await since(drive, () => drive.settle())).toEqual(['PATCH /repos/acme/web'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })
})

it('an undeclared feature costs no request, and an import reads it', long, async () => {
  await using drive = await driveGitHub([web({ description: 'one' })])
  await drive.settle()
  drive.github.forget()
  await drive.check()
  const asked = drive.github.requests.map(({ path }) => path)
  expect(asked.filter((path) => /alerts|reporting|immutable|branches/.test(path))).toEqual([])
  drive.want([web()])
  await drive.check()
  expect(drive.github.requests.map(({ path }) => path)).toContain('/repos/acme/web/vulnerability-alerts')
})

it('GitHub is asked whether a branch exists only if the default branch must change', long, async () => {
  await using drive = await driveGitHub([web({ default_branch: 'main', auto_init: true })])
  await drive.settle()
  const asked = async () => {
    drive.github.forget()
    await drive.check()
    return drive.github.requests.map(({ path }) => path).filter((path) => path.includes('/branches/'))
  }
  expect(await asked()).toEqual([])
  drive.want([web({ default_branch: 'trunk', auto_init: true })])
  expect(await asked()).toEqual(['/repos/acme/web/branches/trunk'])
})
