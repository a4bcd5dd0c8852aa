import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { githubWhole } from '../../builders/generated/github-document.ts'
import { githubTypes } from '../../builders/generated/github-reference.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

/* Repositories that the workspace does not declare: somebody renames one, and another one takes its name. */

const inside: readonly { readonly type: string; readonly spec: JsonObject }[] = [
  { type: 'github_label', spec: { name: 'incident', color: 'b60205' } },
  { type: 'github_repository_variable', spec: { name: 'ZONE', value: 'eu' } },
  {
    type: 'github_ruleset',
    spec: { name: 'main', target: 'branch', enforcement: 'active', rules: [{ type: 'deletion' }] },
  },
  {
    type: 'github_repository_webhook',
    spec: { url: 'https://ci.acme.example/hook', events: ['push'], content_type: 'json' },
  },
  { type: 'github_repository_secret', spec: { name: 'TOKEN', value: { secret: 'env:VALUE' } } },
]

const open = async (type: string, spec: JsonObject) => {
  const wanted = { type, name: 'one', spec: { repository: 'web', ...spec } }
  const drive = await driveGitHub([wanted])
  const owner = drive.github.as('octo-owner')
  owner.request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
  await drive.settle()
  return { drive, owner, wanted }
}

const writes = (drive: Awaited<ReturnType<typeof driveGitHub>>) =>
  drive.github.requests.filter(({ method }) => !['GET', 'HEAD'].includes(method))

describe.each(inside)('an object of the type $type', ({ type, spec }) => {
  it('is not looked for in another repository that has the name now', long, async () => {
    const { drive, owner, wanted } = await open(type, spec)
    await using _ = drive
    owner.request('PATCH', '/repos/acme/web', { name: 'old-web' })
    owner.request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
    drive.github.forget()
    for (const wants of [[wanted], []]) {
      drive.want(wants)
      const { plan, digest } = await drive.check()
      expect(plan.unchecked).toMatchObject([{ reason: 'other_parent' }])
      expect(plan.commands).toEqual([])
      await drive.apply(digest)
    }
    expect(writes(drive)).toEqual([])
    expect(drive.github.violations).toEqual([])
  })

  it('is unchecked where GitHub redirects from the former name to the repository', long, async () => {
    const { drive, owner } = await open(type, spec)
    await using _ = drive
    owner.request('PATCH', '/repos/acme/web', { name: 'old-web' })
    const { plan } = await drive.check()
    expect(plan.unchecked).toMatchObject([{ reason: 'other_parent' }])
    expect(plan.commands).toEqual([])
  })

  it('is not created in a repository that took the name after the check', async () => {
    const wanted = { type, name: 'one', spec: { repository: 'web', ...spec } }
    await using drive = await driveGitHub([wanted])
    const owner = drive.github.as('octo-owner')
    owner.request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
    const { plan, digest } = await drive.check()
    expect(plan.commands).not.toEqual([])
    owner.request('PATCH', '/repos/acme/web', { name: 'old-web' })
    owner.request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
    drive.github.forget()
    const applied = await drive.apply(digest)
    expect(applied.status).not.toBe('succeeded')
    expect(writes(drive)).toEqual([])
  })
})

it('all types whose requests name a repository are covered', long, () => {
  const named = Object.entries(githubWhole()['resources'] ?? {}).filter(([, { operations }]) =>
    JSON.stringify(operations).includes('{repository}'),
  )
  expect(named.length).toBeGreaterThan(15)
  const unproven = githubTypes().filter(
    ({ name, schema }) =>
      named.some(([type]) => type === name) && schema.attributes['repository']?.refersTo?.type !== 'github_repository',
  )
  expect(unproven.map(({ name }) => name)).toEqual([])
})

describe('a declared repository that was deleted and created again', () => {
  it(
    'keeps what is in it until somebody says that it is ours, and then gets its contents created again',
    long,
    async () => {
      const wants = [
        { type: 'github_repository', name: 'web', spec: { name: 'web', auto_init: true } },
        { type: 'github_label', name: 'one', spec: { repository: 'web', name: 'incident', color: 'b60205' } },
        { type: 'github_repository_variable', name: 'zone', spec: { repository: 'web', name: 'ZONE', value: 'eu' } },
      ]
      await using drive = await driveGitHub(wants)
      const owner = drive.github.as('octo-owner')
      await drive.settle()
      owner.request('DELETE', '/repos/acme/web')
      const made = owner.request('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
      const { plan } = await drive.check()
      expect(plan.changes.map(({ address, blocked }) => [address, blocked?.reason])).toEqual([
        ['github_repository.web', 'made_again'],
      ])
      expect(plan.unchecked.map(({ reason }) => reason)).toEqual(['other_parent', 'other_parent'])
      const { id } = made.body as { id: number }
      drive.want(wants, { import: [{ to: 'github_repository.web', id: { id: String(id) } }] })
      await drive.settle()
      drive.want(wants)
      expect((await drive.check()).plan).toMatchObject({ inSync: true, unchecked: [] })
      owner.request('DELETE', '/repos/acme/web')
      // All that is recorded is gone at once, which a token that lost its access shows, too.
      expect((await drive.check()).plan.unchecked.map(({ reason }) => reason)).toEqual(wants.map(() => 'out_of_sight'))
      drive.want(wants, { gone: [{ address: '*', reason: 'it was deleted' }] })
      await drive.settle()
      expect((await drive.check()).plan).toMatchObject({ inSync: true, unchecked: [] })
      expect(drive.github.violations).toEqual([])
    },
  )
})
