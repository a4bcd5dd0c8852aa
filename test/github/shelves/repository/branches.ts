import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, listed, ok, param, type Reply, repositoryOf, type Shelf } from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import { idsOfNamed } from '../../state/actors.ts'
import type { Branch, Protection, Repository } from '../../state/parts.ts'
import { newProtection, protectionOf } from '../../state/protection.ts'
import { protectionView } from '../../views/protections.ts'
import { shaped } from '../../views/shaped.ts'

const branchOf = (call: Call): Branch =>
  repositoryOf(call).branches.get(param(call, 'branch')) ?? refuse(404, 'Branch not found')

const branchView = (call: Call, repository: Repository, { name, sha }: Branch): JsonObject => {
  const url = `${call.world.url}/repos/${repository.owner}/${repository.name}`
  const rule = protectionOf(repository, name)
  const author = { name: 'Somebody', email: 'somebody@example.com', date: repository.created_at }
  const commit = {
    url: `${url}/commits/${sha}`,
    author,
    committer: author,
    message: 'Initial commit',
    comment_count: 0,
    tree: { sha, url: `${url}/git/trees/${sha}` },
  }
  return {
    name,
    commit: shaped('commit', {
      sha,
      url: `${url}/commits/${sha}`,
      html_url: `https://github.com/${repository.owner}/${repository.name}/commit/${sha}`,
      commit,
    }),
    _links: {
      self: `${url}/branches/${name}`,
      html: `https://github.com/${repository.owner}/${repository.name}/tree/${name}`,
    },
    protected: rule !== undefined,
    protection:
      rule === undefined
        ? { enabled: false }
        : { enabled: true, ...protectionView(call.world, repository, name, rule) },
    protection_url: `${url}/branches/${name}/protection`,
  }
}

/** The rule of the branch and the default branch go with the name. */
const rename = (call: Call): Reply => {
  const repository = repositoryOf(call)
  const branch = branchOf(call)
  const name = String(call.body['new_name'])
  if (repository.branches.has(name)) refuse(422, `Branch ${name} already exists`)
  for (const rule of repository.protections.values()) if (rule.pattern === branch.name) rule.pattern = name
  if (repository.settings['default_branch'] === branch.name) repository.settings['default_branch'] = name
  repository.branches.delete(branch.name)
  branch.name = name
  repository.branches.set(name, branch)
  return ok(branchView(call, repository, branch), 201)
}

const ruleOf = (call: Call): Protection => {
  const branch = branchOf(call)
  return protectionOf(repositoryOf(call), branch.name) ?? refuse(404, 'Branch not protected')
}

interface Named {
  readonly users?: readonly string[]
  readonly teams?: readonly string[]
  readonly apps?: readonly string[]
}

interface ProtectionBody {
  readonly required_status_checks: {
    readonly strict: boolean
    readonly contexts?: readonly string[]
    readonly checks?: readonly { readonly context: string; readonly app_id?: number }[]
  } | null
  readonly enforce_admins: boolean | null
  readonly required_pull_request_reviews:
    | (JsonObject & { readonly dismissal_restrictions?: Named; readonly bypass_pull_request_allowances?: Named })
    | null
  readonly restrictions: Named | null
  readonly [name: string]: unknown
}

const checksFrom = (sent: ProtectionBody['required_status_checks']): Protection['checks'] => {
  if (sent?.checks !== undefined && sent.checks.length > 0)
    // -1: any source may report, which reads as null.
    return sent.checks.map(({ context, app_id }) => ({
      context,
      app_id: app_id === undefined || app_id === -1 ? null : app_id,
    }))
  return (sent?.contexts ?? []).map((context) => ({ context, app_id: null }))
}

const switches = {
  required_linear_history: 'requiresLinearHistory',
  allow_force_pushes: 'allowsForcePushes',
  allow_deletions: 'allowsDeletions',
  block_creations: 'blocksCreations',
  required_conversation_resolution: 'requiresConversationResolution',
  lock_branch: 'lockBranch',
  allow_fork_syncing: 'lockAllowsFetchAndMerge',
} as const

/** The whole rule: what is not sent is off. */
const replace = (call: Call): Reply => {
  const { world } = call
  const repository = repositoryOf(call)
  const { name } = branchOf(call)
  const body = call.body as unknown as ProtectionBody
  const { required_pull_request_reviews: reviews, required_status_checks: checks, restrictions } = body
  const known = [...repository.protections.values()].find(({ pattern }) => pattern === name)
  const rule = known ?? newProtection(world, name)
  const { requiresCommitSignatures = false } = rule.settings
  Object.assign(rule.settings, newProtection(world, name).settings, { requiresCommitSignatures })
  for (const [sent, own] of Object.entries(switches)) rule.settings[own] = body[sent] === true
  Object.assign(rule.settings, {
    isAdminEnforced: body.enforce_admins === true,
    requiresStatusChecks: checks !== null,
    requiresStrictStatusChecks: checks?.strict === true,
    requiresApprovingReviews: reviews !== null,
    dismissesStaleReviews: reviews?.['dismiss_stale_reviews'] === true,
    requiresCodeOwnerReviews: reviews?.['require_code_owner_reviews'] === true,
    requireLastPushApproval: reviews?.['require_last_push_approval'] === true,
    requiredApprovingReviewCount: reviews === null ? null : (reviews['required_approving_review_count'] ?? 1),
    restrictsReviewDismissals: Object.keys(reviews?.dismissal_restrictions ?? {}).length > 0,
    restrictsPushes: restrictions !== null,
  })
  rule.checks = checksFrom(checks)
  rule.actors.push = idsOfNamed(world, repository, restrictions ?? {})
  rule.actors.reviewDismissal = idsOfNamed(world, repository, reviews?.dismissal_restrictions ?? {})
  rule.actors.bypassPullRequest = idsOfNamed(world, repository, reviews?.bypass_pull_request_allowances ?? {})
  repository.protections.set(rule.id, rule)
  return ok(protectionView(world, repository, name, rule))
}

export const branches: Shelf = {
  'repos/list-languages': (call) => {
    repositoryOf(call)
    return ok({})
  },
  'repos/list-branches': (call) => {
    const repository = repositoryOf(call)
    const { protected: wanted } = call.query
    const inOrder = [...repository.branches.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    const isProtected = ({ name }: Branch): boolean => protectionOf(repository, name) !== undefined
    const shown = wanted === undefined ? inOrder : inOrder.filter((each) => isProtected(each) === wanted)
    const url = `${call.world.url}/repos/${repository.owner}/${repository.name}`
    return listed(shown, (each) => ({
      name: each.name,
      commit: { sha: each.sha, url: `${url}/commits/${each.sha}` },
      protected: isProtected(each),
    }))
  },
  'repos/get-branch': (call) => ok(branchView(call, repositoryOf(call), branchOf(call))),
  'repos/rename-branch': rename,
  'repos/get-branch-protection': (call) =>
    ok(protectionView(call.world, repositoryOf(call), branchOf(call).name, ruleOf(call))),
  'repos/update-branch-protection': replace,
  'repos/delete-branch-protection': (call) => {
    const { protections } = repositoryOf(call)
    if (!protections.delete(ruleOf(call).id)) notFound()
    return done
  },
}
