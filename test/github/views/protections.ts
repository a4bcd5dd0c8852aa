import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { actorsBehind, organizationOwning } from '../state/actors.ts'
import type { Protection, Repository } from '../state/parts.ts'
import type { Organization, World } from '../state/shapes.ts'
import { accountView } from './accounts.ts'
import { appView } from './apps.ts'
import { teamView } from './teams.ts'

const actorsView = (world: World, repository: Repository, ids: readonly string[]): JsonObject => {
  const { users, teams, apps } = actorsBehind(world, repository, ids)
  const organization = organizationOwning(world, repository) as Organization
  return {
    users: users.map((each) => accountView(world, each)),
    teams: teams.map((each) => teamView(world, organization, each)),
    apps: apps.map((each) => appView(world, each)),
  }
}

const reviewsView = (
  world: World,
  repository: Repository,
  { settings, actors }: Protection,
  url: string,
): JsonObject => {
  const own = `${url}/required_pull_request_reviews`
  const dismissal = {
    url: `${url}/dismissal_restrictions`,
    users_url: `${url}/dismissal_restrictions/users`,
    teams_url: `${url}/dismissal_restrictions/teams`,
    ...actorsView(world, repository, actors.reviewDismissal),
  }
  return {
    url: own,
    dismiss_stale_reviews: settings['dismissesStaleReviews'] ?? false,
    require_code_owner_reviews: settings['requiresCodeOwnerReviews'] ?? false,
    required_approving_review_count: settings['requiredApprovingReviewCount'] ?? 0,
    require_last_push_approval: settings['requireLastPushApproval'] ?? false,
    ...(settings['restrictsReviewDismissals'] === true ? { dismissal_restrictions: dismissal } : {}),
    ...(actors.bypassPullRequest.length > 0
      ? { bypass_pull_request_allowances: actorsView(world, repository, actors.bypassPullRequest) }
      : {}),
  }
}

/** A switch comes back as an object: what is sent as `true` reads as `{ "enabled": true }`. */
const enabled = (value: unknown): JsonObject => ({ enabled: value === true })

/** What is off is left out: the checks, the reviews and the restrictions have no member then. */
export const protectionView = (world: World, repository: Repository, branch: string, rule: Protection): JsonObject => {
  const url = `${world.url}/repos/${repository.owner}/${repository.name}/branches/${branch}/protection`
  const { settings, checks, actors } = rule
  const restrictions = `${url}/restrictions`
  return {
    url,
    ...(settings['requiresStatusChecks'] === true
      ? {
          required_status_checks: {
            url: `${url}/required_status_checks`,
            contexts_url: `${url}/required_status_checks/contexts`,
            strict: settings['requiresStrictStatusChecks'] === true,
            contexts: checks.map(({ context }) => context),
            checks: checks.map((each) => ({ ...each })),
          },
        }
      : {}),
    ...(settings['requiresApprovingReviews'] === true
      ? { required_pull_request_reviews: reviewsView(world, repository, rule, url) }
      : {}),
    ...(settings['restrictsPushes'] === true
      ? {
          restrictions: {
            url: restrictions,
            users_url: `${restrictions}/users`,
            teams_url: `${restrictions}/teams`,
            apps_url: `${restrictions}/apps`,
            ...actorsView(world, repository, actors.push),
          },
        }
      : {}),
    required_signatures: { url: `${url}/required_signatures`, ...enabled(settings['requiresCommitSignatures']) },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: settings['isAdminEnforced'] === true },
    required_linear_history: enabled(settings['requiresLinearHistory']),
    allow_force_pushes: enabled(settings['allowsForcePushes']),
    allow_deletions: enabled(settings['allowsDeletions']),
    block_creations: enabled(settings['blocksCreations']),
    required_conversation_resolution: enabled(settings['requiresConversationResolution']),
    lock_branch: enabled(settings['lockBranch']),
    allow_fork_syncing: enabled(settings['lockAllowsFetchAndMerge']),
  }
}
