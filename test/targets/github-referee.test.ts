import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Json } from '../../core/engine/schema/json.ts'
import { asking } from '../github/asking.ts'
import { performSteps } from '../github/operations/perform.ts'
import { startGitHub } from '../github/start-github.ts'
import { freePort, makeFolder, removeFolder, requirePrograms, runGuarded, waitUntilUp } from './servers/run-server.ts'

/*
 * A referee and a second opinion, so that the stand-in does not confirm itself: Prism checks every request and every answer with
 * the whole official description, and `emulate`, which somebody else wrote, performs the same scenario as far as it goes.
 */

const folder = join(import.meta.dirname, 'github-referee/node_modules')
const description = join(folder, '@octokit/openapi/generated/api.github.com.json')
const prism = join(folder, '@stoplight/prism-cli/dist/index.js')

const startPrism = async (upstream: string) => {
  requirePrograms([prism, description], 'npm ci --prefix test/targets/github-referee')
  const own = await makeFolder('prism')
  const port = await freePort()
  const running = runGuarded(own, [
    process.execPath,
    prism,
    'proxy',
    description,
    upstream,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
  ])
  const url = `http://127.0.0.1:${port}`
  await waitUntilUp(`${url}/meta`, {}, own)
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await removeFolder(own)
    },
  }
}

interface Found {
  readonly location: readonly string[]
  readonly message: string
}

/** Operations that only the description of GitHub Enterprise Cloud has; Prism has that of github.com. */
const isElsewhere = (line: string): boolean =>
  /audit-log|(POST|PATCH|DELETE) \S+organization-roles(\/\{role\})?$/.test(line)

/** Where the stand-in answers as GitHub does and the description says otherwise: test/github/server/exceptions.ts. */
const isExcepted = (line: string, { message }: Found): boolean =>
  (/\/orgs\/acme$/.test(line) && /must be string/.test(message)) ||
  (line.endsWith('/app/installations') && /account/.test(message))

test('Prism finds no request and no answer that the official description forbids', async () => {
  await using github = await startGitHub({ members: ['alice', 'bob'], people: ['carol'] })
  await using proxy = await startPrism(github.url)
  const found: string[] = []
  const wrong = await performSteps(github, proxy.url, ({ ask, status = 200 }, headers) => {
    const violations = JSON.parse(headers.get('sl-violations') ?? '[]') as readonly Found[]
    if (isElsewhere(ask) || status >= 400) return
    for (const each of violations)
      if (!isExcepted(ask, each)) found.push(`${ask}: ${each.location.join('.')} ${each.message}`)
  })
  expect({ found, wrong }).toEqual({ found: [], wrong: [] })
})

const emulate = join(folder, 'emulate/dist/index.js')

const startEmulate = async () => {
  requirePrograms([emulate], 'npm ci --prefix test/targets/github-referee')
  const own = await makeFolder('emulate')
  const port = await freePort()
  const place = join(import.meta.dirname, 'github-referee')
  const options = ['--service', 'github', '--port', String(port), '--seed', join(place, 'seed.yaml')]
  const running = runGuarded(own, [process.execPath, '-r', join(place, 'loopback.cjs'), emulate, ...options])
  const url = `http://127.0.0.1:${port}`
  await waitUntilUp(`${url}/zen`, {}, own)
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await removeFolder(own)
    },
  }
}

/** What both servers are asked, and the members of the answer that must be the same. */
const scenario: readonly (readonly [line: string, body: Json | undefined, members: readonly string[]])[] = [
  [
    'POST /orgs/acme/repos',
    { name: 'web', private: true, has_wiki: false, auto_init: true },
    [
      'name',
      'full_name',
      'private',
      'visibility',
      'has_wiki',
      'has_issues',
      'default_branch',
      'archived',
      'allow_squash_merge',
    ],
  ],
  [
    'PATCH /repos/acme/web',
    { description: 'x', delete_branch_on_merge: true },
    ['description', 'delete_branch_on_merge'],
  ],
  ['GET /repos/acme/web', undefined, ['description', 'has_wiki', 'delete_branch_on_merge', 'allow_merge_commit']],
  ['PUT /repos/acme/web/topics', { names: ['b', 'a'] }, ['names']],
  ['GET /repos/acme/web/topics', undefined, ['names']],
  ['POST /repos/acme/web/labels', { name: 'x', color: 'ff0000' }, ['name', 'color', 'default']],
  ['PATCH /repos/acme/web/labels/x', { new_name: 'y' }, ['name', 'color']],
  ['GET /repos/acme/web/labels/x', undefined, []],
  ['DELETE /repos/acme/web/labels/y', undefined, []],
  ['POST /orgs/acme/teams', { name: 'Core Team', privacy: 'closed' }, ['name', 'slug', 'privacy', 'description']],
  ['GET /orgs/acme/teams/core-team', undefined, ['slug']],
  ['PUT /orgs/acme/teams/core-team/memberships/alice', { role: 'maintainer' }, ['role', 'state']],
  ['PUT /orgs/acme/teams/core-team/repos/acme/web', { permission: 'push' }, []],
  ['DELETE /orgs/acme/teams/core-team/repos/acme/web', undefined, []],
  ['DELETE /orgs/acme/teams/core-team', undefined, []],
  ['GET /orgs/acme/teams/core-team', undefined, []],
  [
    'POST /repos/acme/web/hooks',
    { name: 'web', events: ['push'], active: true, config: { url: 'https://example.com/hook' } },
    ['name', 'events', 'active'],
  ],
  [
    'PUT /repos/acme/web/branches/main/protection',
    { required_status_checks: null, enforce_admins: true, required_pull_request_reviews: null, restrictions: null },
    ['allow_deletions', 'required_linear_history'],
  ],
  ['DELETE /repos/acme/web/branches/main/protection', undefined, []],
  ['GET /repos/acme/web/branches/main/protection', undefined, []],
  ['DELETE /repos/acme/web', undefined, []],
  ['GET /repos/acme/web', undefined, []],
]

const heardFrom = async (url: string, token: string): Promise<readonly Json[]> => {
  const ask = asking({ url }, token)
  const heard: Json[] = []
  for (const [line, body, members] of scenario) {
    const [method = '', path = ''] = line.split(' ')
    const answer = await ask(method, path, body)
    heard.push([line, answer.status, Object.fromEntries(members.map((name) => [name, answer.body?.[name] ?? null]))])
  }
  return heard
}

test('the stand-in and another one answer a scenario alike', async () => {
  await using github = await startGitHub({ members: ['alice'] })
  await using other = await startEmulate()
  expect(await heardFrom(github.url, github.token())).toEqual(await heardFrom(other.url, 'tok_admin'))
})
