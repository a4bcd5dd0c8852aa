import { describe, expect, it } from 'vitest'
import { eachOf, long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

const inside = (type: string, spec: object, name = 'x') => ({ type, name, spec: { repository: 'web', ...spec } })
const web = { type: 'github_repository', name: 'web', spec: { name: 'web' } }
const live = (spec: object = {}, name = 'live') => inside('github_environment', { name, ...spec })
type Drive = Awaited<ReturnType<typeof driveGitHub>>
const written = ({ github }: Drive) =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
const outside = ({ github }: Drive, method: string, path: string, body?: object) =>
  github.as('octo-owner').request(method, path, body as never)

describe('an environment', () => {
  it('is created after its repository and before its contents', long, async () => {
    await using drive = await driveGitHub([
      inside('github_environment_variable', { environment: 'live', name: 'zone', value: 'a' }),
      live({ deployment_branches: 'selected', branch_policies: [{ name: 'main' }] }),
      web,
    ])
    await drive.settle()
    expect(written(drive)).toEqual([
      'POST /orgs/acme/repos',
      'PUT /repos/acme/web/environments/live',
      'POST /repos/acme/web/environments/live/deployment-branch-policies',
      'POST /repos/acme/web/environments/live/variables',
    ])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('keeps undeclared settings when something else is written', long, async () => {
    await using drive = await driveGitHub([web])
    await drive.settle()
    await outside(drive, 'PUT', '/repos/acme/web/environments/live', {
      wait_timer: 5,
      can_admins_bypass: false,
      deployment_branch_policy: { protected_branches: false, custom_branch_policies: true },
    })
    const policies = '/repos/acme/web/environments/live/deployment-branch-policies'
    await outside(drive, 'POST', policies, { name: 'main' })
    drive.want([web, live({ wait_timer: 10 })])
    await drive.settle()
    expect((await outside(drive, 'GET', '/repos/acme/web/environments/live')).body).toMatchObject({
      can_admins_bypass: false,
      deployment_branch_policy: { custom_branch_policies: true },
      protection_rules: [{ wait_timer: 10 }, { type: 'branch_policy' }],
    })
    expect((await outside(drive, 'GET', policies)).body).toMatchObject({ total_count: 1 })
  })

  eachOf(it, 1)(['a/b', 'Ünïcode ☃', '%2e%2e', '__proto__', 'a b?c#d'])('may be called %s', async (name) => {
    await using drive = await driveGitHub([web, live({ wait_timer: 5 }, name)])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    drive.want([web])
    const { plan } = await drive.settle()
    expect(plan.commands).toMatchObject([{ request: { method: 'DELETE' }, grade: 'irreversible' }])
    expect(drive.github.violations).toEqual([])
  })

  it('spelled in another case is the same one', long, async () => {
    await using drive = await driveGitHub([web, live()])
    await drive.settle()
    drive.want([web, live({ wait_timer: 0 }, 'LIVE')])
    expect((await drive.check()).plan.commands).toEqual([])
  })

  it('with a reviewer who does not exist is unchecked', async () => {
    await using drive = await driveGitHub([web, live({ reviewers: [{ type: 'User', user: 'nobody-here' }] })])
    const { plan } = await drive.check()
    expect(plan.unchecked.map(({ address }) => address)).toEqual(['github_environment.x'])
  })
})

describe('a Pages site', () => {
  const pages = (spec: object = {}) => inside('github_pages', { build_type: 'workflow', ...spec })

  it('is created with its repository, and gets afterwards what the create does not accept', long, async () => {
    await using drive = await driveGitHub([pages({ cname: 'www.acme.example' }), web])
    await drive.settle()
    expect(written(drive)).toEqual(['POST /orgs/acme/repos', 'POST /repos/acme/web/pages', 'PUT /repos/acme/web/pages'])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('that somebody switched off is created again, and an unwanted one is switched off', long, async () => {
    await using drive = await driveGitHub([pages(), web])
    await drive.settle()
    await outside(drive, 'DELETE', '/repos/acme/web/pages')
    await drive.settle()
    drive.want([web])
    await drive.settle()
    expect(written(drive).slice(-2)).toEqual(['POST /repos/acme/web/pages', 'DELETE /repos/acme/web/pages'])
  })
})

describe('the default setup of code scanning', () => {
  it('is set with its repository, and languages that GitHub lists twice are the same', long, async () => {
    await using drive = await driveGitHub([
      inside('github_code_scanning', { state: 'configured', languages: ['javascript-typescript'] }),
      web,
    ])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    await outside(drive, 'PATCH', '/repos/acme/web/code-scanning/default-setup', { state: 'not-configured' })
    const { plan } = await drive.check()
    expect(plan.changes[0]?.causes).toMatchObject([{ path: ['state'], cause: 'drift', access: 'narrows' }])
  })

  it('that may not be read is unchecked', long, async () => {
    await using drive = await driveGitHub([inside('github_code_scanning', { state: 'configured' }), web])
    await drive.settle()
    drive.github.faults.add({ kind: 'status', status: 403, when: ({ path }) => path.includes('default-setup') })
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan.unchecked).toMatchObject([{ address: 'github_code_scanning.x', reason: 'forbidden' }])
  })
})

describe('a code security configuration', () => {
  it('is not confused with those of GitHub, and is found by its id after a rename outside', long, async () => {
    const strict = {
      type: 'github_code_security_configuration',
      name: 'strict',
      spec: { name: 'Strict', default_for_new_repos: 'all', secret_scanning: 'enabled' },
    }
    await using drive = await driveGitHub([strict])
    await drive.settle()
    const [{ id } = { id: 0 }] = (await outside(drive, 'GET', '/orgs/acme/code-security/configurations'))
      .body as unknown as readonly { id: number }[]
    await outside(drive, 'PATCH', `/orgs/acme/code-security/configurations/${id}`, { name: 'Loose' })
    const { lines } = await drive.settle()
    expect(lines).toEqual([[`PATCH /orgs/acme/code-security/configurations/${id}`, { name: 'Strict' }]])
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })
})
