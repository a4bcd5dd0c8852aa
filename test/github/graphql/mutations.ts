import type { Protection, ProtectionActors, Repository } from '../state/parts.ts'
import { newProtection } from '../state/protection.ts'
import type { World } from '../state/shapes.ts'
import { nodeId } from '../views/accounts.ts'
import { type Args, GraphqlFault } from './object.ts'
import { protectionObject } from './objects.ts'

/** Rules for branches: https://docs.github.com/en/graphql/reference/mutations#createbranchprotectionrule */

interface Input {
  readonly branchProtectionRuleId?: string
  readonly repositoryId?: string
  readonly pattern?: string
  readonly requiredStatusChecks?: readonly { readonly context: string; readonly appId?: string }[]
  readonly requiredStatusCheckContexts?: readonly string[]
  readonly clientMutationId?: string
  readonly [setting: string]: unknown
}

const actorLists: Readonly<Record<string, ProtectionActors>> = {
  pushActorIds: 'push',
  reviewDismissalActorIds: 'reviewDismissal',
  bypassPullRequestActorIds: 'bypassPullRequest',
  bypassForcePushActorIds: 'bypassForcePush',
}

const notFound = (id: unknown): never => {
  throw new GraphqlFault('NOT_FOUND', `Could not resolve to a node with the global id of '${String(id)}'`)
}

const unprocessable = (message: string): never => {
  throw new GraphqlFault('UNPROCESSABLE', message)
}

/** `any` or nothing: any source may report. */
const appIdOf = (world: World, id: string | undefined): number | null => {
  if (id === undefined || id === 'any') return null
  return [...world.apps.values()].find((app) => nodeId('A', app.id) === id || String(app.id) === id)?.id ?? notFound(id)
}

const actorIds = (world: World): ReadonlySet<string> =>
  new Set([
    ...[...world.accounts.values()].map(({ id }) => nodeId('U', id)),
    ...[...world.organizations.values()].flatMap(({ teams }) => [...teams.keys()].map((id) => nodeId('T', id))),
    ...[...world.apps.keys()].map((id) => nodeId('A', id)),
  ])

/** Only what was sent changes. */
const apply = (world: World, repository: Repository, rule: Protection, input: Input): void => {
  const { pattern, requiredStatusChecks: checks, requiredStatusCheckContexts: contexts } = input
  if (pattern !== undefined) {
    if ([...repository.protections.values()].some((each) => each !== rule && each.pattern === pattern))
      unprocessable(`Name already protected: ${pattern}`)
    rule.pattern = pattern
  }
  const known = actorIds(world)
  for (const [name, kind] of Object.entries(actorLists)) {
    const ids = input[name] as readonly string[] | undefined
    if (ids === undefined || ids === null) continue
    const missing = ids.find((id) => !known.has(id))
    if (missing !== undefined) notFound(missing)
    rule.actors[kind] = ids
  }
  if (contexts) rule.checks = contexts.map((context) => ({ context, app_id: null }))
  if (checks) rule.checks = checks.map(({ context, appId }) => ({ context, app_id: appIdOf(world, appId) }))
  for (const name of Object.keys(rule.settings))
    if (input[name] !== undefined) Object.assign(rule.settings, { [name]: input[name] })
  const { settings } = rule
  // Reviews that are required need a number; none has no number.
  if (settings['requiresApprovingReviews'] !== true) settings['requiredApprovingReviewCount'] = null
  else settings['requiredApprovingReviewCount'] ??= 1
}

const found = (world: World, id: unknown): { readonly repository: Repository; readonly rule: Protection } => {
  for (const repository of world.repositories.values())
    for (const rule of repository.protections.values()) if (nodeId('BPR', rule.id) === id) return { repository, rule }
  return notFound(id)
}

const payload = (typename: string, input: Input, fields: object) => ({
  typename,
  fields: { clientMutationId: input.clientMutationId ?? null, ...fields },
})

/** `audited` writes the entry of the audit log. */
export const mutationsOf = (world: World, audited: (action: string, repository: Repository, name: string) => void) => ({
  createBranchProtectionRule: ({ input: sent }: Args) => {
    const input = sent as unknown as Input
    const repository = [...world.repositories.values()].find(({ id }) => nodeId('R', id) === input.repositoryId)
    const place = repository ?? notFound(input.repositoryId)
    const rule = newProtection(world, String(input.pattern))
    apply(world, place, rule, input)
    place.protections.set(rule.id, rule)
    audited('protected_branch.create', place, rule.pattern)
    return payload('CreateBranchProtectionRulePayload', input, {
      branchProtectionRule: protectionObject(world, place, rule),
    })
  },
  updateBranchProtectionRule: ({ input: sent }: Args) => {
    const input = sent as unknown as Input
    const { repository, rule } = found(world, input.branchProtectionRuleId)
    apply(world, repository, rule, input)
    audited('protected_branch.update', repository, rule.pattern)
    return payload('UpdateBranchProtectionRulePayload', input, {
      branchProtectionRule: protectionObject(world, repository, rule),
    })
  },
  deleteBranchProtectionRule: ({ input: sent }: Args) => {
    const input = sent as unknown as Input
    const { repository, rule } = found(world, input.branchProtectionRuleId)
    repository.protections.delete(rule.id)
    audited('protected_branch.destroy', repository, rule.pattern)
    return payload('DeleteBranchProtectionRulePayload', input, {})
  },
})
