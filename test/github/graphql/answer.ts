import { isObject, type Json, type JsonObject } from '../../../core/engine/schema/json.ts'
import type { Actor } from '../server/tokens.ts'
import type { Repository } from '../state/parts.ts'
import { repositoryByName } from '../state/repository.ts'
import type { World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { nodeId } from '../views/accounts.ts'
import { executeGraphql } from './execute.ts'
import { mutationsOf } from './mutations.ts'
import { type Args, GraphqlFault, type GraphqlObject } from './object.ts'
import { organizationObject, protectionObject, repositoryObject, teamObject, userObject } from './objects.ts'

const missing = (message: string): never => {
  throw new GraphqlFault('NOT_FOUND', message)
}

const nodeOf = (world: World, id: Json | undefined): GraphqlObject | null => {
  for (const repository of world.repositories.values()) {
    if (nodeId('R', repository.id) === id) return repositoryObject(world, repository)
    for (const rule of repository.protections.values())
      if (nodeId('BPR', rule.id) === id) return protectionObject(world, repository, rule)
  }
  for (const organization of world.organizations.values()) {
    if (nodeId('O', organization.id) === id) return organizationObject(world, organization)
    for (const team of organization.teams.values())
      if (nodeId('T', team.id) === id) return teamObject(world, organization, team)
  }
  const account = [...world.accounts.values()].find((each) => nodeId('U', each.id) === id)
  return account === undefined ? null : userObject(world, account)
}

const queriesOf = (world: World, actor: Actor, limit: JsonObject, cost: () => number) => {
  const organization = ({ login }: Args) => {
    const found = world.organizations.get(keyOf(String(login)))
    return found === undefined
      ? missing(`Could not resolve to an Organization with the login of '${login}'.`)
      : organizationObject(world, found)
  }
  const user = ({ login }: Args) => {
    const found = world.accounts.get(keyOf(String(login)))
    return found === undefined
      ? missing(`Could not resolve to a User with the login of '${login}'.`)
      : userObject(world, found)
  }
  return {
    organization,
    repositoryOwner: (args: Args) =>
      world.organizations.has(keyOf(String(args['login']))) ? organization(args) : user(args),
    user,
    viewer: () => user({ login: actor.login }),
    repository: ({ owner, name }: Args) => {
      const moved = world.movedRepositories.get(keyOf(String(owner), String(name)))
      const found = repositoryByName(world, `${owner}/${name}`) ?? world.repositories.get(moved ?? 0)
      return found === undefined
        ? missing(`Could not resolve to a Repository with the name '${owner}/${name}'.`)
        : repositoryObject(world, found)
    },
    node: ({ id }: Args) => nodeOf(world, id) ?? missing(`Could not resolve to a node with the global id of '${id}'`),
    nodes: ({ ids }: Args) => (ids as readonly string[]).map((id) => nodeOf(world, id)),
    rateLimit: () => ({
      typename: 'RateLimit',
      fields: {
        cost,
        limit: limit['limit'],
        remaining: limit['remaining'],
        used: limit['used'],
        nodeCount: 0,
        resetAt: `${new Date(Number(limit['reset']) * 1000).toISOString().slice(0, 19)}Z`,
      },
    }),
  }
}

/** Rules of branch protection belong to the administration of a repository; everybody who may ask sees the rest. */
const refusedAt = ({ permissions }: Actor, query: string): JsonObject | undefined => {
  const [mutation] = /(create|update|delete)BranchProtectionRule(?=\()/.exec(query) ?? []
  const has = permissions?.['administration']
  const isAllowed = permissions === undefined || has === 'write' || (mutation === undefined && has !== undefined)
  if (isAllowed || !/\bbranchProtectionRules?\b|BranchProtectionRule\(/.test(query)) return undefined
  const path =
    mutation !== undefined
      ? [mutation]
      : /\brepositories\(/.test(query)
        ? ['organization', 'repositories', 'nodes', 0, 'branchProtectionRules']
        : ['repository', 'branchProtectionRules']
  const [root = ''] = path
  return {
    data: { [root]: null },
    errors: [{ type: 'FORBIDDEN', path, message: 'Resource not accessible by personal access token' }],
  }
}

export interface GraphqlResult {
  readonly body: Json
  readonly cost: number
  readonly problems: readonly string[]
}

export const answerGraphql = (world: World, actor: Actor, limit: JsonObject, body: Json | undefined): GraphqlResult => {
  if (!isObject(body) || typeof body['query'] !== 'string')
    return { body: { message: 'Problems parsing JSON' }, cost: 1, problems: ['the body has no query'] }
  const audited = (action: string, { owner, name }: Repository, rule: string): void => {
    const facts = {
      actor: actor.login,
      actor_id: world.accounts.get(keyOf(actor.login))?.id ?? 0,
      repo: `${owner}/${name}`,
      name: rule,
    }
    world.audit.push({
      action,
      at: world.clock.now(),
      organization: owner,
      facts: { operation_type: 'modify', ...facts },
    })
  }
  let cost = 1
  const roots = { query: queriesOf(world, actor, limit, () => cost), mutation: mutationsOf(world, audited) }
  const { query, variables, operationName } = body
  const refused = refusedAt(actor, query)
  if (refused !== undefined) return { body: refused, cost, problems: [] }
  try {
    const run = executeGraphql(
      { query, variables: (variables ?? null) as Args | null, operationName: (operationName ?? null) as string | null },
      roots,
      (points) => {
        cost = points
      },
    )
    const { data, errors, problems } = run
    const shown = { ...(data === undefined ? {} : { data }), ...(errors === undefined ? {} : { errors }) }
    return { body: shown as unknown as Json, cost, problems }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (!message.startsWith('Parse error')) throw error
    return { body: { errors: [{ message }] }, cost, problems: [message] }
  }
}
