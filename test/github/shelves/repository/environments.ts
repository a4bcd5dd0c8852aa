import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { byId, type Call, done, listed, ok, param, repositoryOf, type Shelf } from '../../server/call.ts'
import { invalid, notFound, Refusal, refuse } from '../../server/refusal.ts'
import { addEnvironment, openProtection } from '../../state/environment.ts'
import type { BranchPolicy, Environment, EnvironmentProtection, Repository } from '../../state/parts.ts'
import type { Organization } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { accountView, nodeId } from '../../views/accounts.ts'
import { shaped } from '../../views/shaped.ts'
import { teamView } from '../../views/teams.ts'

export const environmentOf = (call: Call): Environment =>
  repositoryOf(call).environments.get(keyOf(param(call, 'environment_name'))) ?? notFound()

const organizationOwning = ({ world }: Call, { owner }: Repository): Organization | undefined =>
  world.organizations.get(keyOf(owner))

type Reviewer = EnvironmentProtection['reviewers'][number]

const reviewerView = (call: Call, repository: Repository, { type, id }: Reviewer): JsonObject => {
  const organization = organizationOwning(call, repository)
  const team = organization?.teams.get(id)
  const account = [...call.world.accounts.values()].find((each) => each.id === id)
  if (type === 'Team' && organization && team) return { type, reviewer: teamView(call.world, organization, team) }
  return account === undefined ? notFound() : { type, reviewer: accountView(call.world, account) }
}

/** The settings come back as a list of rules; a setting that is off has none. */
const rulesOf = (call: Call, repository: Repository, { id, protection }: Environment): readonly JsonObject[] => {
  const { wait_timer, prevent_self_review, reviewers, deployment_branch_policy } = protection
  const rule = (at: number, rest: JsonObject): JsonObject => ({
    id: id * 10 + at,
    node_id: nodeId('GA', id * 10 + at),
    ...rest,
  })
  return [
    ...(wait_timer > 0 ? [rule(1, { type: 'wait_timer', wait_timer })] : []),
    ...(reviewers.length > 0
      ? [
          rule(2, {
            type: 'required_reviewers',
            prevent_self_review,
            reviewers: reviewers.map((each) => reviewerView(call, repository, each)),
          }),
        ]
      : []),
    ...(deployment_branch_policy === null ? [] : [rule(3, { type: 'branch_policy' })]),
  ]
}

const view = (call: Call, repository: Repository, environment: Environment): JsonObject => {
  const { id, name, protection, created_at, updated_at } = environment
  const full = `${repository.owner}/${repository.name}`
  const described = shaped('environment', {
    id,
    node_id: nodeId('EN', id),
    name,
    url: `${call.world.url}/repos/${full}/environments/${encodeURIComponent(name)}`,
    html_url: `https://github.com/${full}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
    created_at,
    updated_at,
    protection_rules: rulesOf(call, repository, environment),
    deployment_branch_policy: protection.deployment_branch_policy,
  })
  // The description does not name it, and every answer has it.
  return { ...described, can_admins_bypass: protection.can_admins_bypass }
}

const checkReviewers = (call: Call, repository: Repository, reviewers: readonly Reviewer[]): void => {
  if (reviewers.length > 6) invalid('Environment', 'reviewers', 'custom', 'at most six reviewers')
  const teams = organizationOwning(call, repository)?.teams
  const users = new Set([...call.world.accounts.values()].map(({ id }) => id))
  for (const { type, id } of reviewers)
    if (!(type === 'Team' ? teams?.has(id) : users.has(id)))
      invalid('Environment', 'reviewers', 'invalid', `no ${type} ${id}`)
}

/**
 * "Create or update an environment with protection rules": the documentation shows every call with the whole object, so what is
 * not sent goes back to its default. A tool that sends only what it changes loses the rest here, as it would have to expect.
 */
const createOrUpdate = (call: Call) => {
  const repository = repositoryOf(call)
  const sent = Object.fromEntries(Object.entries(call.body).filter(([, value]) => value !== null))
  const protection = { ...openProtection, ...sent } as EnvironmentProtection
  const { deployment_branch_policy: policy, reviewers } = protection
  checkReviewers(call, repository, reviewers)
  if (policy !== null && policy.protected_branches === policy.custom_branch_policies)
    refuse(422, 'protected_branches and custom_branch_policies cannot have the same value')
  const environment = addEnvironment(call.world, repository, param(call, 'environment_name'))
  environment.protection = protection
  environment.updated_at = call.world.now()
  if (policy?.custom_branch_policies !== true) environment.policies.clear()
  return ok(view(call, repository, environment))
}

const policyView = ({ id, name, type }: BranchPolicy): JsonObject => ({ id, node_id: nodeId('GATE', id), name, type })

/** Patterns exist only where the environment is said to have its own ones. */
const withPolicies = (call: Call): Environment => {
  const environment = environmentOf(call)
  return environment.protection.deployment_branch_policy?.custom_branch_policies === true ? environment : notFound()
}

const addPolicy = (call: Call) => {
  const { policies } = withPolicies(call)
  const { name, type = 'branch' } = call.body as { name: string; type?: string }
  if ([...policies.values()].some((each) => each.name === name && each.type === type))
    throw new Refusal(303, { message: 'The pattern exists already.' })
  const policy = { id: call.world.newId(), name, type }
  policies.set(policy.id, policy)
  return ok(policyView(policy))
}

export const environments: Shelf = {
  'repos/get-all-environments': (call) => {
    const repository = repositoryOf(call)
    return listed(repository.environments.values(), (each) => view(call, repository, each), 'environments')
  },
  'repos/get-environment': (call) => ok(view(call, repositoryOf(call), environmentOf(call))),
  'repos/create-or-update-environment': createOrUpdate,
  'repos/delete-an-environment': (call) => {
    repositoryOf(call).environments.delete(keyOf(environmentOf(call).name))
    return done
  },
  'repos/list-deployment-branch-policies': (call) =>
    listed(withPolicies(call).policies.values(), policyView, 'branch_policies'),
  'repos/create-deployment-branch-policy': addPolicy,
  'repos/get-deployment-branch-policy': (call) =>
    ok(policyView(byId(call, withPolicies(call).policies, 'branch_policy_id'))),
  'repos/update-deployment-branch-policy': (call) => {
    const policy = byId(call, withPolicies(call).policies, 'branch_policy_id')
    policy.name = String(call.body['name'])
    return ok(policyView(policy))
  },
  'repos/delete-deployment-branch-policy': (call) => {
    const { policies } = withPolicies(call)
    policies.delete(byId(call, policies, 'branch_policy_id').id)
    return done
  },
}
