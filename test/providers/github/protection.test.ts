import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../builders/long.ts'
import { driveGitHub, type Wanted } from './drive.ts'

const rule = (pattern: string, spec: JsonObject = {}, name = 'rule'): Wanted => ({
  type: 'github_branch_protection_rule',
  name,
  spec: { repository: 'web', pattern, ...spec },
})
const web: Wanted = { type: 'github_repository', name: 'web', spec: { name: 'web' } }
const core: Wanted = { type: 'github_team', name: 'core', spec: { name: 'Core', privacy: 'closed' } }

type Drive = Awaited<ReturnType<typeof driveGitHub>>

/** A workspace over an organisation that has a repository. */
const live = async (resources: readonly Wanted[], more: Parameters<typeof driveGitHub>[1] = {}): Promise<Drive> => {
  const drive = await driveGitHub(resources, { members: ['mona', 'hubot'], ...more })
  drive.github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web' })
  return drive
}

const rules = ({ github }: Drive) =>
  [...github.world.repositories.values()].flatMap(({ protections }) => [...protections.values()])
const patterns = (drive: Drive): readonly string[] => rules(drive).map(({ pattern }) => pattern)
const nodeId = ({ github }: Drive, path: string): Json =>
  ((github.as('octo-owner').request('GET', path).body as JsonObject)['node_id'] ?? null) as Json

/** Somebody else asks GraphQL. */
const outside = ({ github }: Drive, query: string, variables: JsonObject) =>
  (github.as('octo-owner').request('POST', '/graphql', { query, variables }).body as JsonObject)['data'] as JsonObject
const makeOutside = (drive: Drive, input: JsonObject) =>
  outside(
    drive,
    'mutation ($input: CreateBranchProtectionRuleInput!) { createBranchProtectionRule(input: $input) { clientMutationId } }',
    { input: { repositoryId: nodeId(drive, '/repos/acme/web'), ...input } },
  )

/** The answer to a query of GraphQL alone. */
const answering = (drive: Drive, body: Json, status = 200) =>
  drive.github.faults.add({
    kind: 'status',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    when: ({ method, path }) => method === 'POST' && path.endsWith('/graphql'),
  })

const unchecked = async (drive: Drive) => {
  const { plan } = await drive.check()
  expect(plan).toMatchObject({ inSync: false, commands: [] })
  return plan.unchecked.map(({ reason }) => reason)
}

describe('rules of branch protection', () => {
  it('are created with their repository and their team in one apply', long, async () => {
    const push_restrictions = [{ team: 'Core' }, { user: 'mona' }]
    await using drive = await driveGitHub([web, core, rule('main', { restricts_pushes: true, push_restrictions })], {
      members: ['mona'],
    })
    await drive.settle()
    expect(patterns(drive)).toEqual(['main'])
    expect(rules(drive)[0]?.actors.push).toHaveLength(2)
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect([drive.github.violations, drive.github.ignored]).toEqual([[], []])
  })

  it('have patterns that are plain texts: each is a separate rule, and only the own one is deleted', long, async () => {
    const all = ['main', 'Main', 'ma*', '*', 'release/**/x', '[a-z]?', '${x}'.replace('$', '$$$$')]
    await using drive = await live(all.map((pattern, index) => rule(pattern, {}, `r${index}`)))
    await drive.settle()
    expect(patterns(drive).toSorted()).toEqual([...all.slice(0, -1), '${x}'].toSorted())
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    drive.want(all.slice(1).map((pattern, index) => rule(pattern, {}, `r${index + 1}`)))
    await drive.settle()
    expect(patterns(drive)).not.toContain('main')
    expect(patterns(drive)).toHaveLength(all.length - 1)
  })

  it('can get another pattern and stay the same rule', long, async () => {
    await using drive = await live([rule('main', { lock_branch: true })])
    await drive.settle()
    const [before] = rules(drive)
    drive.want([rule('trunk', { lock_branch: true })])
    const { plan } = await drive.settle()
    expect(plan.changes.map(({ action }) => action)).toEqual(['update'])
    expect(rules(drive).map(({ id, pattern }) => [id, pattern])).toEqual([[before?.id, 'trunk']])
  })

  it('keep undeclared actors, checks and settings', long, async () => {
    await using drive = await live([rule('main', { requires_linear_history: true })])
    const pushActorIds = [nodeId(drive, '/users/mona')]
    makeOutside(drive, {
      pattern: 'main',
      restrictsPushes: true,
      pushActorIds,
      requiredStatusChecks: [{ context: 'ci' }],
    })
    const { plan } = await drive.settle()
    expect(
      plan.commands.map(({ request }) =>
        Object.keys((request.body as { variables: { input: object } }).variables.input),
      ),
    ).toEqual([['requiresLinearHistory', 'branchProtectionRuleId']])
    expect(rules(drive)).toMatchObject([
      {
        actors: { push: pushActorIds },
        checks: [{ context: 'ci' }],
        settings: { requiresLinearHistory: true, restrictsPushes: true },
      },
    ])
  })

  it('name a check, and keep the app that GitHub has chosen for it', long, async () => {
    await using drive = await live([rule('main', { required_status_checks: [{ context: 'ci' }, { context: 'lint' }] })])
    const { id } = drive.github.app({ slug: 'ci-app' })
    makeOutside(drive, { pattern: 'main', requiredStatusChecks: [{ context: 'ci', appId: String(id) }] })
    await drive.settle()
    expect(rules(drive)[0]?.checks).toEqual([
      { context: 'ci', app_id: id },
      { context: 'lint', app_id: null },
    ])
  })

  it.each([
    ['a person', { user: 'nobody-here' }],
    ['a team', { team: 'No such team' }],
    ['an app', { app: 'no-such-app' }],
  ])('are unchecked with %s that does not exist, and nothing is sent', async (_name, actor) => {
    await using drive = await live([rule('main', { push_restrictions: [{ user: 'mona' }, actor] })])
    expect(await unchecked(drive)).toEqual(['unresolved'])
    expect(rules(drive)).toEqual([])
  })

  it('are refused with an actor of no kind', async () => {
    await using drive = await live([rule('main', { push_restrictions: [{}] })])
    await expect(drive.check()).rejects.toThrow('give it one of: user, team, app')
    expect(rules(drive)).toEqual([])
  })

  it('do not use a rule with the same name in another repository', long, async () => {
    await using drive = await live([rule('main', { lock_branch: true })])
    drive.github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'other' })
    makeOutside(drive, { repositoryId: nodeId(drive, '/repos/acme/other'), pattern: 'main' })
    await drive.settle()
    expect(rules(drive).map(({ settings }) => settings['lockBranch'])).toEqual([true, false])
  })

  it('are all read if they fill more than one page', async () => {
    await using drive = await live([rule('r/59', { lock_branch: true })])
    for (let n = 0; n < 60; n += 1) makeOutside(drive, { pattern: `r/${n}`, lockBranch: n === 59 })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })
})

describe('an incomplete answer of GraphQL', () => {
  const node = (actor: Json, more = false): Json => {
    const list = (nodes: readonly Json[]) => ({ nodes, pageInfo: { hasNextPage: more } })
    const allowances = { pushAllowances: list([{ actor }]) }
    return {
      data: {
        repository: {
          branchProtectionRules: {
            ...list([{ id: 'BPR_1', pattern: 'main', ...allowances }]),
            pageInfo: { hasNextPage: false },
          },
        },
      },
    }
  }
  const failed = (type: string, path: readonly string[] = ['repository']): Json => ({
    data: { repository: null },
    errors: [{ type, path, message: 'Resource not accessible by integration' }],
  })

  eachOf(
    it,
    1,
  )<[string, Json, string]>([
    ['forbidden', failed('FORBIDDEN'), 'forbidden'],
    ['too few scopes', failed('INSUFFICIENT_SCOPES'), 'forbidden'],
    ['a limit', failed('RATE_LIMITED'), 'rate_limited'],
    [
      'a failure of GitHub',
      { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] },
      'unexpected_status',
    ],
    ['an actor of an unknown kind', node({}), 'bad_body'],
    ['an actor that is hidden', node(null), 'bad_body'],
    ['a list of actors that is cut off', node({ user: 'U_1' }, true), 'bad_body'],
  ])('makes a resource unchecked: %s', async (_name, body, reason) => {
    await using drive = await live([rule('main', { push_restrictions: [{ user: 'mona' }] })])
    await drive.settle()
    answering(drive, body)
    expect(await unchecked(drive)).toEqual([reason])
    expect(patterns(drive)).toEqual(['main'])
  })

  it('does not prove that a rule is gone: GitHub is asked whether the repository can be seen', long, async () => {
    await using drive = await live([rule('main')])
    await drive.settle()
    answering(drive, failed('NOT_FOUND'))
    drive.github.faults.add({ kind: 'status', status: 403, body: '{}', when: ({ path }) => path === '/orgs/acme' })
    expect(await unchecked(drive)).toEqual(['out_of_sight'])
  })

  it('fails a write that GitHub refuses with a 200', async () => {
    await using drive = await live([rule('main', { lock_branch: true })])
    const { digest } = await drive.check()
    const refused = {
      data: { createBranchProtectionRule: null },
      errors: [
        { type: 'UNPROCESSABLE', path: ['createBranchProtectionRule'], message: 'Name already protected: main' },
      ],
    }
    let asked = 0
    drive.github.faults.add({
      kind: 'status',
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(refused),
      when: ({ path }) => path.endsWith('/graphql') && ++asked === 2,
    })
    const applied = await drive.apply(digest)
    expect(applied.status).not.toBe('succeeded')
    expect(JSON.stringify(applied)).toContain('Name already protected')
  })
})
