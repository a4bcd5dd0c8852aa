import type { Protection, Repository, Settings } from './parts.ts'
import type { World } from './shapes.ts'

/** What a new rule says: https://docs.github.com/en/graphql/reference/objects#branchprotectionrule */
const settingsAtFirst = (): Settings => ({
  allowsDeletions: false,
  allowsForcePushes: false,
  blocksCreations: false,
  dismissesStaleReviews: false,
  isAdminEnforced: false,
  lockAllowsFetchAndMerge: false,
  lockBranch: false,
  requireLastPushApproval: false,
  requiredApprovingReviewCount: null,
  requiredDeploymentEnvironments: [],
  requiresApprovingReviews: false,
  requiresCodeOwnerReviews: false,
  requiresCommitSignatures: false,
  requiresConversationResolution: false,
  requiresDeployments: false,
  requiresLinearHistory: false,
  requiresStatusChecks: false,
  requiresStrictStatusChecks: true,
  restrictsPushes: false,
  restrictsReviewDismissals: false,
})

export const newProtection = (world: World, pattern: string): Protection => ({
  id: world.newId(),
  pattern,
  settings: settingsAtFirst(),
  checks: [],
  actors: { push: [], reviewDismissal: [], bypassPullRequest: [], bypassForcePush: [] },
})

const glob = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')}$`,
  )

/** The rule with exactly the branch's name wins over one with a pattern. */
export const protectionOf = ({ protections }: Repository, branch: string): Protection | undefined => {
  const all = [...protections.values()]
  return all.find(({ pattern }) => pattern === branch) ?? all.find(({ pattern }) => glob(pattern).test(branch))
}
