import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { Wanted } from '../../builders/workspaces/example-workspace.ts'
import type { startGitHub } from '../../github/start-github.ts'

/** An organisation of many repositories, each with what is usual, and the workspace that describes it. */

type GitHub = Awaited<ReturnType<typeof startGitHub>>

const nameOf = (n: number): string => `service-${String(n).padStart(5, '0')}`

/** What a repository has of one kind: the requests that make it, and the resources that declare it. */
interface Kind {
  make(github: GitHub, name: string, n: number): void
  readonly declared: (name: string, n: number) => readonly Wanted[]
}

const owner = 'octo-owner'

const settingsOf = (n: number): JsonObject => ({
  description: `Service ${n}`,
  homepage: `https://${n}.acme.example`,
  has_issues: true,
  has_wiki: n % 2 === 0,
  allow_squash_merge: true,
  allow_merge_commit: n % 5 === 0,
  allow_rebase_merge: false,
  allow_auto_merge: true,
  delete_branch_on_merge: true,
  allow_update_branch: n % 7 === 0,
  web_commit_signoff_required: false,
  squash_merge_commit_title: 'PR_TITLE',
  squash_merge_commit_message: 'PR_BODY',
})

const rulesetOf = (): JsonObject => ({
  name: 'main',
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
  rules: [
    { type: 'deletion' },
    { type: 'non_fast_forward' },
    {
      type: 'pull_request',
      parameters: {
        dismiss_stale_reviews_on_push: true,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_approving_review_count: 1,
        required_review_thread_resolution: true,
      },
    },
  ],
})

const zones = ['eu', 'us'] as const
const labels = [
  { name: 'incident', color: 'b60205', description: 'Something failed in production' },
  { name: 'debt', color: 'fbca04', description: 'To be made simple' },
  { name: 'customer', color: '0e8a16', description: 'A customer asked for it' },
] as const

const inside = (type: string, name: string, spec: JsonObject): Wanted => ({
  type,
  name: `${name}-${String(spec['name'] ?? spec['url'] ?? spec['pattern']).replaceAll(/\W+/g, '-')}`,
  spec: { repository: name, ...spec },
})

const kinds = {
  settings: {
    make: (github, name, n) => {
      const [as, { description, homepage, ...rest }] = [github.as(owner), settingsOf(n)]
      as.request('POST', '/orgs/acme/repos', {
        name,
        visibility: 'private',
        auto_init: true,
        description: description ?? '',
        homepage: homepage ?? '',
      })
      as.request('PATCH', `/repos/acme/${name}`, rest)
      as.request('PUT', `/repos/acme/${name}/topics`, { names: ['service', `tier-${n % 3}`] })
    },
    declared: (name, n) => [
      {
        type: 'github_repository',
        name,
        spec: {
          name,
          visibility: 'private',
          default_branch: 'main',
          topics: ['service', `tier-${n % 3}`],
          ...settingsOf(n),
        },
      },
    ],
  },
  rulesets: {
    make: (github, name) => github.as(owner).request('POST', `/repos/acme/${name}/rulesets`, rulesetOf()),
    declared: (name) => [inside('github_ruleset', name, rulesetOf())],
  },
  protection: {
    make: (github, name) => {
      const as = github.as(owner)
      const { body } = as.request('GET', `/repos/acme/${name}`)
      as.request('POST', '/graphql', {
        query:
          'mutation ($input: CreateBranchProtectionRuleInput!) { createBranchProtectionRule(input: $input) { clientMutationId } }',
        variables: {
          input: {
            repositoryId: String((body as JsonObject)['node_id']),
            pattern: 'main',
            requiresLinearHistory: true,
          },
        },
      })
    },
    declared: (name) => [
      inside('github_branch_protection_rule', name, {
        pattern: 'main',
        requires_linear_history: true,
        push_restrictions: [],
      }),
    ],
  },
  variables: {
    make: (github, name) => {
      for (const zone of zones)
        github.as(owner).request('POST', `/repos/acme/${name}/actions/variables`, { name: `ZONE_${zone}`, value: zone })
    },
    declared: (name) =>
      zones.map((zone) =>
        inside('github_repository_variable', name, { name: `ZONE_${zone.toUpperCase()}`, value: zone }),
      ),
  },
  labels: {
    make: (github, name) => {
      for (const label of labels) github.as(owner).request('POST', `/repos/acme/${name}/labels`, label)
    },
    declared: (name) => labels.map((label) => inside('github_label', name, label)),
  },
  webhooks: {
    make: (github, name) =>
      github.as(owner).request('POST', `/repos/acme/${name}/hooks`, {
        name: 'web',
        events: ['push'],
        config: { url: 'https://ci.acme.example/hook', content_type: 'json' },
      }),
    declared: (name) => [
      inside('github_repository_webhook', name, {
        url: 'https://ci.acme.example/hook',
        events: ['push'],
        content_type: 'json',
      }),
    ],
  },
} satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds) as readonly KindName[]

/** Makes the repositories with everything that is in them. */
export const fillOrganization = (github: GitHub, count: number, names: readonly KindName[] = kindNames): void => {
  for (let n = 0; n < count; n += 1) for (const kind of names) kinds[kind].make(github, nameOf(n), n)
}

/** The resources of what was made. */
export const declaredResources = (count: number, names: readonly KindName[] = kindNames): readonly Wanted[] =>
  Array.from({ length: count }, (_, n) => n).flatMap((n) => names.flatMap((kind) => kinds[kind].declared(nameOf(n), n)))
