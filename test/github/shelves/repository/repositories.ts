import { isObject, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, listed, ok, organizationOf, repositoryOf, type Shelf } from '../../server/call.ts'
import { refuse } from '../../server/refusal.ts'
import type { Repository } from '../../state/parts.ts'
import { moveRepository, removeRepository, repositoriesOf } from '../../state/repository.ts'
import { keyOf } from '../../state/world.ts'
import { minimalRepository, repositoryView } from '../../views/repositories.ts'
import { checkMessages, freeName, visibilityIn } from './rules.ts'

const update = (call: Call) => {
  const { world } = call
  const repository = repositoryOf(call)
  checkMessages(call.body, repository.settings)
  const { name, private: isPrivate, visibility, security_and_analysis: security, default_branch, ...rest } = call.body
  if (typeof default_branch === 'string' && !repository.branches.has(default_branch))
    refuse(422, 'Validation Failed', {
      errors: [{ resource: 'Repository', field: 'default_branch', code: 'invalid' }],
      message: `The branch ${default_branch} was not found. Please push that ref first or create it via the Git Data API.`,
    })
  if (name !== undefined) {
    const free = freeName(world, repository.owner, String(name), repository)
    if (free !== repository.name) moveRepository(world, repository, repository.owner, free)
  }
  Object.assign(
    repository.settings,
    rest,
    visibilityIn(call.body),
    default_branch === undefined ? {} : { default_branch },
  )
  if (security !== undefined && security !== null) applySecurity(repository, security as JsonObject)
  repository.updated_at = world.now()
  return ok(repositoryView(world, repository))
}

const applySecurity = (repository: Repository, security: JsonObject): void => {
  const { dependabot_security_updates: updates, advanced_security: advanced, ...rest } = security
  const isPublic = repository.settings['visibility'] === 'public'
  if (advanced !== undefined && isPublic) refuse(422, 'Advanced security is always available for public repos.')
  if (isObject(updates)) {
    // One switch with two doors: the other one is PUT /repos/{owner}/{repo}/automated-security-fixes.
    if (updates['status'] === 'enabled') repository.enabled.add('fixes')
    else repository.enabled.delete('fixes')
  }
  const own = repository.settings['security_and_analysis'] as JsonObject
  repository.settings['security_and_analysis'] = {
    ...own,
    ...rest,
    ...(advanced === undefined ? {} : { advanced_security: advanced }),
  }
}

type Order = (a: Repository, b: Repository) => number
const orders: Readonly<Record<string, Order>> = {
  created: (a, b) => b.id - a.id,
  full_name: (a, b) => (keyOf(a.name) < keyOf(b.name) ? -1 : 1),
  pushed: (a, b) => b.id - a.id,
  updated: (a, b) => (a.updated_at === b.updated_at ? b.id - a.id : a.updated_at < b.updated_at ? 1 : -1),
}

const isOfType = ({ settings, upstream }: Repository, type: string): boolean => {
  if (type === 'forks') return upstream !== undefined
  if (type === 'sources') return upstream === undefined
  return (
    type === 'all' ||
    type === 'member' ||
    settings['visibility'] === type ||
    (type === 'private' && settings['visibility'] === 'internal')
  )
}

export const repositories: Shelf = {
  'repos/list-for-org': (call) => {
    const { type = 'all', sort = 'created', direction } = call.query
    const shown = repositoriesOf(call.world, organizationOf(call)).filter((each) => isOfType(each, String(type)))
    const inOrder = [...shown].sort(orders[String(sort)])
    // `full_name` starts at A, all others with the newest.
    const turned = direction !== undefined && direction !== (sort === 'full_name' ? 'asc' : 'desc')
    return listed(turned ? inOrder.reverse() : inOrder, (each) => minimalRepository(call.world, each))
  },
  'repos/get': (call) => ok(repositoryView(call.world, repositoryOf(call))),
  'repos/update': update,
  'repos/delete': (call) => {
    removeRepository(call.world, repositoryOf(call))
    return done
  },
  'repos/get-all-topics': (call) => ok({ names: repositoryOf(call).topics }),
  'repos/replace-all-topics': (call) => {
    const repository = repositoryOf(call)
    const names = (call.body['names'] as readonly string[]).map((name) => name.toLowerCase())
    const bad = names.find((name) => !/^[a-z0-9][a-z0-9-]{0,49}$/.test(name))
    if (bad !== undefined)
      refuse(422, 'Validation Failed', {
        errors: [
          `Topic ${bad} must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens.`,
        ],
      })
    if (names.length > 20)
      refuse(422, 'Validation Failed', { errors: ['A repository cannot have more than 20 topics.'] })
    repository.topics = [...new Set(names)]
    return ok({ names: repository.topics })
  },
  'repos/transfer': (call) => {
    const repository = repositoryOf(call)
    const { new_owner: owner, new_name: name = repository.name } = call.body as { new_owner: string; new_name?: string }
    moveRepository(call.world, repository, owner, freeName(call.world, owner, name))
    return ok(minimalRepository(call.world, repository), 202)
  },
}
