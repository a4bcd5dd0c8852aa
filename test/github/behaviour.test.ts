import { expect, test } from 'vitest'
import { asking } from './asking.ts'
import { startGitHub } from './start-github.ts'

/* What GitHub does beside keeping what it is sent, each as one test. */

const start = async () => {
  const github = await startGitHub({ members: ['alice', 'bob'] })
  return { github, ask: asking(github, github.token()) }
}

test('a team has the slug of its name, a rename changes the slug, and its creator is its maintainer', async () => {
  const { github, ask } = await start()
  await using _ = github
  expect((await ask('POST', '/orgs/acme/teams', { name: 'Équipe Coeur!' })).body).toMatchObject({
    slug: 'equipe-coeur',
  })
  expect((await ask('GET', '/orgs/acme/teams/equipe-coeur/members')).body).toMatchObject([{ login: 'octo-owner' }])
  await ask('PATCH', '/orgs/acme/teams/equipe-coeur', { name: 'Core' })
  expect((await ask('GET', '/orgs/acme/teams/equipe-coeur')).status).toBe(404)
  expect((await ask('GET', '/orgs/acme/teams/core')).body).toMatchObject({ name: 'Core', members_count: 1 })
})

test('a former name of a repository leads to it, with 301 for reads and 307 for writes', async () => {
  const { github, ask } = await start()
  await using _ = github
  const { body: web } = await ask('POST', '/orgs/acme/repos', { name: 'web' })
  await ask('PATCH', '/repos/acme/web', { name: 'site' })
  const read = await ask('GET', '/repos/acme/web/topics?page=1')
  expect([read.status, read.headers.get('location')]).toEqual([
    301,
    `${github.url}/repositories/${web.id}/topics?page=1`,
  ])
  expect((await ask('PATCH', '/repos/acme/web', { description: 'x' })).status).toBe(307)
  expect((await ask('GET', read.headers.get('location') ?? '')).body).toEqual({ names: [] })
  await ask('POST', '/orgs/acme/repos', { name: 'web' })
  expect((await ask('GET', '/repos/acme/web')).body.id).not.toBe(web.id)
})

test('a list comes in pages of 30, at most 100, with links to the others', async () => {
  const { github, ask } = await start()
  await using _ = github
  for (let at = 0; at < 120; at += 1) github.as('bob').request('POST', '/orgs/acme/repos', { name: `repo-${at}` })
  const first = await ask('GET', '/orgs/acme/repos?sort=full_name')
  expect(first.body).toHaveLength(30)
  expect(first.headers.get('link')).toBe(
    `<${github.url}/orgs/acme/repos?sort=full_name&page=2>; rel="next", <${github.url}/orgs/acme/repos?sort=full_name&page=4>; rel="last"`,
  )
  expect((await ask('GET', '/orgs/acme/repos?per_page=1000')).body).toHaveLength(100)
  expect(github.requests).toHaveLength(2)
})

test('an unchanged answer is 304 and does not count', async () => {
  const { github, ask } = await start()
  await using _ = github
  const etag = (await ask('GET', '/orgs/acme')).headers.get('etag') ?? ''
  expect((await ask('GET', '/orgs/acme', undefined, { 'if-none-match': etag })).status).toBe(304)
  github.as('mallory').request('PATCH', '/orgs/acme', { description: 'changed' })
  expect((await ask('GET', '/orgs/acme', undefined, { 'if-none-match': etag })).status).toBe(200)
  expect(github.requests.map(({ status, counted }) => [status, counted])).toEqual([
    [200, true],
    [304, false],
    [200, true],
  ])
})

test('the list of rulesets has no rules; an actor that is one of a kind has no number', async () => {
  const { github, ask } = await start()
  await using _ = github
  const { body: made } = await ask('POST', '/orgs/acme/rulesets', {
    name: 'main',
    enforcement: 'active',
    conditions: {
      ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] },
      repository_name: { include: ['web*'], exclude: [] },
    },
    rules: [{ type: 'deletion' }],
    bypass_actors: [{ actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' }],
  })
  expect(made).toMatchObject({ target: 'branch', bypass_actors: [{ actor_id: null }] })
  expect((await ask('GET', '/orgs/acme/rulesets')).body[0]).not.toHaveProperty('rules')
  await ask('POST', '/orgs/acme/repos', { name: 'web-site' })
  await ask('POST', '/orgs/acme/repos', { name: 'api' })
  expect((await ask('GET', '/repos/acme/web-site/rulesets')).body).toMatchObject([
    { source_type: 'Organization', id: made.id },
  ])
  expect((await ask('GET', '/repos/acme/web-site/rulesets?includes_parents=false')).body).toEqual([])
  expect((await ask('GET', '/repos/acme/api/rulesets')).body).toEqual([])
})

test('the secret of a webhook shows as asterisks, and goes with a configuration that does not name it', async () => {
  const { github, ask } = await start()
  await using _ = github
  const config = { url: 'https://example.com/hook', content_type: 'json', secret: 's3cret' }
  const { body: hook } = await ask('POST', '/orgs/acme/hooks', { name: 'web', config })
  expect(hook).toMatchObject({ config: { secret: '********', insecure_ssl: '0' }, events: ['push'], active: true })
  await ask('PATCH', `/orgs/acme/hooks/${hook.id}/config`, { content_type: 'form' })
  expect((await ask('GET', `/orgs/acme/hooks/${hook.id}`)).body.config).toMatchObject({
    content_type: 'form',
    secret: '********',
  })
  await ask('PATCH', `/orgs/acme/hooks/${hook.id}`, { config: { url: 'https://example.com/hook' } })
  expect((await ask('GET', `/orgs/acme/hooks/${hook.id}`)).body.config).not.toHaveProperty('secret')
})

test('an archived repository refuses writes until it is live again', async () => {
  const { github, ask } = await start()
  await using _ = github
  await ask('POST', '/orgs/acme/repos', { name: 'old' })
  await ask('PATCH', '/repos/acme/old', { archived: true })
  expect((await ask('PATCH', '/repos/acme/old', { description: 'x' })).status).toBe(403)
  expect((await ask('PUT', '/repos/acme/old/topics', { names: ['x'] })).status).toBe(403)
  expect((await ask('PATCH', '/repos/acme/old', { archived: false })).body).toMatchObject({ archived: false })
})

test('a request that the description does not allow is refused and kept; a member that it does not know is ignored and kept', async () => {
  const { github, ask } = await start()
  await using _ = github
  await ask('POST', '/orgs/acme/repos', { name: 'web', has_wikis: false })
  expect((await ask('PATCH', '/repos/acme/web', { has_wiki: 'no' })).status).toBe(422)
  expect(github.violations).toMatchObject([{ operation: 'repos/update', problems: ['has_wiki must be boolean'] }])
  expect(github.ignored).toMatchObject([{ operation: 'repos/create-in-org', problems: ['body has_wikis'] }])
})

test('without a known token nothing is answered but 401', async () => {
  const { github } = await start()
  await using _ = github
  expect((await asking(github, 'nobody')('GET', '/orgs/acme')).status).toBe(401)
})
