import { expect, test } from 'vitest'
import type { JsonObject } from '../../core/engine/schema/json.ts'
import { asking } from './asking.ts'
import { startGitHub } from './start-github.ts'

const start = async () => {
  const github = await startGitHub({ members: ['alice'] })
  const ask = asking(github, github.token())
  const query = async (text: string, variables: JsonObject = {}) =>
    (await ask('POST', '/graphql', { query: text, variables })).body
  return { github, ask, query }
}

const createRule = `mutation ($input: CreateBranchProtectionRuleInput!) {
  createBranchProtectionRule(input: $input) { branchProtectionRule { id pattern requiredApprovingReviewCount } }
}`

const rulesOf = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    branchProtectionRules(first: 100) {
      nodes {
        id pattern isAdminEnforced requiresApprovingReviews requiredApprovingReviewCount
        requiredStatusChecks { context app { slug } }
        pushAllowances(first: 100) { nodes { actor { __typename ... on User { login } ... on Team { combinedSlug } ... on App { slug } } } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

test('rules for branches are created, changed, read with their actors, and deleted; REST shows the same rule', async () => {
  const { github, ask, query } = await start()
  await using _ = github
  const { body: web } = await ask('POST', '/orgs/acme/repos', { name: 'web', auto_init: true })
  const { body: team } = await ask('POST', '/orgs/acme/teams', { name: 'core' })
  const { body: alice } = await ask('GET', '/users/alice')
  const input = {
    repositoryId: web.node_id,
    pattern: 'ma*',
    requiresApprovingReviews: true,
    requiresStatusChecks: true,
    requiredStatusChecks: [{ context: 'ci' }],
    restrictsPushes: true,
    pushActorIds: [alice.node_id, team.node_id],
  }
  const { data } = await query(createRule, { input })
  const { id } = data.createBranchProtectionRule.branchProtectionRule
  expect((await query(rulesOf, { owner: 'acme', name: 'web' })).data.repository.branchProtectionRules).toEqual({
    nodes: [
      {
        id,
        pattern: 'ma*',
        isAdminEnforced: false,
        requiresApprovingReviews: true,
        requiredApprovingReviewCount: 1,
        requiredStatusChecks: [{ context: 'ci', app: null }],
        pushAllowances: {
          nodes: [
            { actor: { __typename: 'User', login: 'alice' } },
            { actor: { __typename: 'Team', combinedSlug: 'acme/core' } },
          ],
        },
      },
    ],
    pageInfo: { hasNextPage: false, endCursor: 'Y3Vyc29yOjA' },
  })
  expect((await ask('GET', '/repos/acme/web/branches/main/protection')).body).toMatchObject({
    required_pull_request_reviews: { required_approving_review_count: 1 },
    restrictions: { users: [{ login: 'alice' }], teams: [{ slug: 'core' }] },
  })
  const update =
    'mutation ($input: UpdateBranchProtectionRuleInput!) { updateBranchProtectionRule(input: $input) { clientMutationId } }'
  await query(update, { input: { branchProtectionRuleId: id, isAdminEnforced: true } })
  expect((await ask('GET', '/repos/acme/web/branches/main/protection')).body.enforce_admins.enabled).toBe(true)
  const remove =
    'mutation ($id: ID!) { deleteBranchProtectionRule(input: { branchProtectionRuleId: $id }) { clientMutationId } }'
  await query(remove, { id })
  expect((await ask('GET', '/repos/acme/web/branches/main/protection')).status).toBe(404)
  expect([github.violations, github.world.audit.at(-1)?.action]).toEqual([[], 'protected_branch.destroy'])
})

test('repositories of an organisation and the permissions of its teams come in bulk, in pages', async () => {
  const { github, ask, query } = await start()
  await using _ = github
  await ask('POST', '/orgs/acme/teams', { name: 'core' })
  for (const name of ['c', 'a', 'b']) await ask('POST', '/orgs/acme/repos', { name, description: `of ${name}` })
  await ask('PUT', '/orgs/acme/teams/core/repos/acme/b', { permission: 'push' })
  const text = `query ($after: String) {
    organization(login: "acme") {
      repositories(first: 2, after: $after, orderBy: { field: NAME, direction: ASC }) {
        nodes { ...Fields } pageInfo { hasNextPage endCursor } totalCount
      }
      teams(first: 10) { nodes { slug repositories(first: 100) { edges { permission node { name } } } } }
    }
    rateLimit { cost remaining }
  }
  fragment Fields on Repository { name description visibility hasWikiEnabled squashMergeCommitTitle repositoryTopics(first: 20) { nodes { topic { name } } } }`
  const first = (await query(text)).data
  expect(first.organization.repositories).toMatchObject({
    nodes: [{ name: 'a', description: 'of a', visibility: 'PUBLIC' }, { name: 'b' }],
    pageInfo: { hasNextPage: true },
    totalCount: 3,
  })
  expect(first.organization.teams.nodes).toEqual([
    { slug: 'core', repositories: { edges: [{ permission: 'WRITE', node: { name: 'b' } }] } },
  ])
  const { endCursor } = first.organization.repositories.pageInfo
  expect((await query(text, { after: endCursor })).data.organization.repositories.nodes).toMatchObject([{ name: 'c' }])
  // Two lists, ten teams and two times the topics: fourteen requests are less than a point, and a query costs one at least.
  expect(first.rateLimit.cost).toBe(1)
  expect(github.violations).toEqual([])
})

test.each([
  ['a field that is not there', '{ viewer { nickname } }', "Field 'nickname' doesn't exist on type 'User'"],
  ['an argument that is not there', '{ organization(name: "acme") { id } }', "doesn't accept argument 'name'"],
  ['a value of another type', '{ organization(login: 1) { id } }', 'organization(login): 1 is no String'],
  ['a document that ends early', '{ viewer { login }', 'Parse error'],
  ['an object without fields', '{ viewer }', "Field 'viewer' of type User! must have a selection of subfields"],
])('%s is an error, and is kept as a violation', async (_name, text, message) => {
  const { github, query } = await start()
  await using _ = github
  expect((await query(text)).errors.map((each: { message: string }) => each.message).join()).toContain(message)
  expect(github.violations).toMatchObject([{ operation: 'graphql' }])
})

test('what is not there is null with an error beside it; a list without a size is refused', async () => {
  const { github, query } = await start()
  await using _ = github
  expect(await query('{ a: organization(login: "acme") { login } b: organization(login: "other") { login } }')).toEqual(
    {
      data: { a: { login: 'acme' }, b: null },
      errors: [
        { type: 'NOT_FOUND', path: ['b'], message: "Could not resolve to an Organization with the login of 'other'." },
      ],
    },
  )
  const text = '{ organization(login: "acme") { teams { totalCount } } }'
  expect((await query(text)).errors).toMatchObject([{ type: 'MISSING_PAGINATION_BOUNDARIES' }])
  const many = '{ organization(login: "acme") { teams(first: 101) { totalCount } } }'
  expect((await query(many)).errors).toMatchObject([{ type: 'EXCESSIVE_PAGINATION' }])
})
