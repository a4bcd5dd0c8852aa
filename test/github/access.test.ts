import { expect, test } from 'vitest'
import { asking, jwtOf } from './asking.ts'
import { startGitHub } from './start-github.ts'

/* Tokens, apps, what they may do, and who did it. */

test.each([
  ['a fine-grained token', { permissions: { members: 'read' } }, 'GET', '/orgs/acme/teams', 200, undefined],
  ['a fine-grained token', { permissions: { members: 'read' } }, 'POST', '/orgs/acme/teams', 403, 'members=write'],
  ['a fine-grained token', { permissions: {} }, 'GET', '/orgs/acme/hooks', 403, 'organization_hooks=read'],
  ['a fine-grained token', { permissions: {} }, 'GET', '/repos/acme/web/actions/secrets', 403, 'secrets=read'],
  ['a fine-grained token', { permissions: {} }, 'GET', '/repos/acme/web/topics', 200, undefined],
  ['a classic token', { scopes: ['repo'] }, 'GET', '/orgs/acme/hooks', 404, undefined],
  ['a classic token', { scopes: ['repo', 'admin:org_hook'] }, 'GET', '/orgs/acme/hooks', 200, undefined],
  ['a classic token', { scopes: ['repo'] }, 'DELETE', '/repos/acme/web', 404, undefined],
  ['a member', { login: 'alice' }, 'DELETE', '/repos/acme/web', 403, undefined],
  ['a member', { login: 'alice' }, 'GET', '/repos/acme/secret', 200, undefined],
  ['a stranger', { login: 'carol' }, 'GET', '/repos/acme/secret', 404, undefined],
  ['a stranger', { login: 'carol' }, 'GET', '/repos/acme/web', 200, undefined],
] as const)(
  'the stand-in answers %s with %j to %s %s by the status %i',
  async (_who, options, method, path, status, accepted) => {
    await using github = await startGitHub({ members: ['alice'], people: ['carol'] })
    github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web' })
    github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'secret', private: true })
    const answer = await asking(github, github.token(options))(
      method,
      path,
      method === 'POST' ? { name: 'x' } : undefined,
    )
    expect([answer.status, answer.headers.get('x-accepted-github-permissions') ?? undefined]).toEqual([
      status,
      accepted,
    ])
  },
)

test('somebody who may not administer an organisation sees it without its settings', async () => {
  await using github = await startGitHub()
  const own = (await asking(github, github.token())('GET', '/orgs/acme')).body
  const less = (await asking(github, github.token({ permissions: {} }))('GET', '/orgs/acme')).body
  expect([own.default_repository_permission, less.default_repository_permission]).toEqual(['read', undefined])
  expect(less.login).toBe('acme')
})

test('an app signs in, takes a token for an hour, and sees what it was given', async () => {
  await using github = await startGitHub()
  for (const name of ['web', 'api'])
    github.as('octo-owner').request('POST', '/orgs/acme/repos', { name, private: true })
  const app = github.app({ permissions: { administration: 'write', members: 'read' }, repositories: ['web'] })
  const asApp = asking(github, jwtOf(app, github.clock.now()))
  const path = `/app/installations/${app.installation}/access_tokens`
  const made = await asApp('POST', path, { permissions: { administration: 'read' } })
  expect(made.body).toMatchObject({ expires_at: '2030-01-01T01:00:00Z', repository_selection: 'selected' })
  const ask = asking(github, made.body.token)
  expect((await ask('GET', '/repos/acme/web')).status).toBe(200)
  expect((await ask('GET', '/repos/acme/api')).status).toBe(404)
  expect((await ask('PATCH', '/repos/acme/web', {})).body.message).toBe('Resource not accessible by integration')
  expect((await asApp('POST', path, { permissions: { members: 'write' } })).status).toBe(422)
  github.clock.advance(60 * 60 * 1000)
  expect((await ask('GET', '/repos/acme/web')).status).toBe(401)
  expect((await asApp('GET', '/app')).body.message).toContain("'exp'")
})

test.each(['a.b.c', '', 'gh p', '..'])('the token %j is no token', async (token) => {
  await using github = await startGitHub()
  expect((await asking(github, token)('GET', '/orgs/acme/hooks')).status).toBe(401)
})

test('a path that cannot be decoded is a bad request, not a fault of the stand-in', async () => {
  await using github = await startGitHub()
  expect((await asking(github, github.token())('GET', '/repos/acme/%E0%A4')).status).toBe(400)
})

test('a signature of somebody else, and one that holds for too long', async () => {
  await using github = await startGitHub()
  const [one, other] = [github.app({ slug: 'one' }), github.app({ slug: 'other' })]
  const now = github.clock.now()
  expect((await asking(github, jwtOf({ ...one, privateKey: other.privateKey }, now))('GET', '/app')).status).toBe(401)
  const late = await asking(github, jwtOf(one, now + 50_000 + 100 * 1000))('GET', '/app')
  expect([late.status, late.body.message]).toEqual([401, expect.stringContaining('claim')])
})

test('the audit log says who changed what, newest first, and can be searched', async () => {
  await using github = await startGitHub()
  const ask = asking(github, github.token())
  await ask('POST', '/orgs/acme/repos', { name: 'web' })
  github.clock.advance(60_000)
  github.as('mallory').request('PATCH', '/repos/acme/web', { visibility: 'private', has_wiki: false, archived: true })
  const entries = (await ask('GET', '/orgs/acme/audit-log')).body
  expect(entries.map(({ action, actor, repo }: Record<string, string>) => [action, actor, repo])).toEqual([
    ['repo.archived', 'mallory', 'acme/web'],
    ['repo.update', 'mallory', 'acme/web'],
    ['repo.access', 'mallory', 'acme/web'],
    ['repo.create', 'octo-owner', 'acme/web'],
  ])
  expect(entries[0].created_at).toBe(github.clock.now())
  const found = async (phrase: string): Promise<number> =>
    (await ask('GET', `/orgs/acme/audit-log?phrase=${encodeURIComponent(phrase)}`)).body.length
  expect(await found('actor:mallory')).toBe(3)
  expect(await found('-actor:mallory action:repo')).toBe(1)
  expect(await found('created:>=2030-01-01T00:01:00Z action:repo.access')).toBe(1)
  const page = await ask('GET', '/orgs/acme/audit-log?per_page=3')
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
  expect((await ask('GET', next)).body).toMatchObject([{ action: 'repo.create' }])
})
