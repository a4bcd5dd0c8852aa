import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import {
  byId,
  type Call,
  done,
  listed,
  ok,
  organizationOf,
  param,
  type Reply,
  repositoryOf,
  type Shelf,
} from '../../server/call.ts'
import { invalid, notFound } from '../../server/refusal.ts'
import type { Actor } from '../../server/tokens.ts'
import type { Repository, Ruleset } from '../../state/parts.ts'
import type { Organization, World } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'
import { nodeId } from '../../views/accounts.ts'
import { shaped } from '../../views/shaped.ts'

interface Place {
  readonly rulesets: Map<number, Ruleset>
  readonly source: string
  readonly type: 'Organization' | 'Repository'
  readonly url: string
}

const ofOrganization = (world: World, { rulesets, login }: Organization): Place => ({
  rulesets,
  source: login,
  type: 'Organization',
  url: `${world.url}/orgs/${login}`,
})

const ofRepository = (world: World, { rulesets, owner, name }: Repository): Place => ({
  rulesets,
  source: `${owner}/${name}`,
  type: 'Repository',
  url: `${world.url}/repos/${owner}/${name}`,
})

/** The list has neither rules nor conditions nor actors: only the item has them. */
const shortView = ({ source, type, url }: Place, { id, settings, created_at, updated_at }: Ruleset): JsonObject =>
  shaped('repository-ruleset', {
    id,
    name: settings['name'],
    target: settings['target'],
    source_type: type,
    source,
    enforcement: settings['enforcement'],
    node_id: nodeId('RRS', id),
    _links: {
      self: { href: `${url}/rulesets/${id}` },
      html: {
        href: `https://github.com/${type === 'Organization' ? 'organizations/' : ''}${source}/settings/rules/${id}`,
      },
    },
    created_at,
    updated_at,
  })

/** Whoever may not write a ruleset does not see who need not follow it. */
const seesActors = ({ permissions }: Actor, { type }: Place): boolean =>
  permissions === undefined ||
  ['write', 'admin'].includes(
    permissions[type === 'Organization' ? 'organization_administration' : 'administration'] ?? '',
  )

const fullView = ({ actor }: Pick<Call, 'actor'>, place: Place, ruleset: Ruleset): JsonObject => {
  const { conditions, rules, bypass_actors } = ruleset.settings
  return {
    ...shortView(place, ruleset),
    ...(conditions === undefined ? {} : { conditions }),
    rules: rules ?? [],
    ...(seesActors(actor, place) && { bypass_actors: bypass_actors ?? [] }),
    current_user_can_bypass: 'always',
  }
}

/** What GitHub adds to the parameters of a rule that were not sent. */
const parametersAtFirst: Readonly<Record<string, JsonObject>> = {
  pull_request: { required_reviewers: [], allowed_merge_methods: ['merge', 'squash', 'rebase'] },
  required_status_checks: { do_not_enforce_on_create: false },
}

const ruleFrom = (rule: JsonObject): Json => {
  const added = parametersAtFirst[String(rule['type'])]
  return added === undefined ? rule : { ...rule, parameters: { ...added, ...(rule['parameters'] as JsonObject) } }
}

/** The number of an actor that is one of a kind does not count: GitHub answers null. */
const actorFrom = (actor: JsonObject): Json => ({
  ...actor,
  actor_id: ['OrganizationAdmin', 'DeployKey'].includes(String(actor['actor_type']))
    ? null
    : (actor['actor_id'] ?? null),
  bypass_mode: actor['bypass_mode'] ?? 'always',
})

const conditionsFrom = (conditions: JsonObject): Json =>
  Object.fromEntries(
    Object.entries(conditions).map(([name, value]) => {
      const lists = name === 'ref_name' || name === 'repository_name' ? { include: [], exclude: [] } : {}
      return [name, { ...lists, ...(value as JsonObject) }]
    }),
  )

const settingsFrom = (body: JsonObject): Record<string, Json> => ({
  ...body,
  ...(body['rules'] && { rules: (body['rules'] as readonly JsonObject[]).map(ruleFrom) }),
  ...(body['bypass_actors'] && { bypass_actors: (body['bypass_actors'] as readonly JsonObject[]).map(actorFrom) }),
  ...(body['conditions'] && { conditions: conditionsFrom(body['conditions'] as JsonObject) }),
})

const checkName = ({ rulesets }: Place, name: Json | undefined, own?: Ruleset): void => {
  if ([...rulesets.values()].some((each) => each !== own && each.settings['name'] === name))
    invalid('RepositoryRuleset', 'name', 'custom', 'Name must be unique')
}

const create = (call: Call, place: Place) => {
  checkName(place, call.body['name'])
  const now = call.world.now()
  const settings = { target: 'branch', ...settingsFrom(call.body) }
  const ruleset: Ruleset = { id: call.world.newId(), settings, created_at: now, updated_at: now }
  place.rulesets.set(ruleset.id, ruleset)
  return ok(fullView(call, place, ruleset), 201)
}

/** A member that is not sent stays as it is; a list that is sent replaces the whole list. */
const update = (call: Call, place: Place) => {
  const ruleset = byId(call, place.rulesets, 'ruleset_id')
  if (call.body['name'] !== undefined) checkName(place, call.body['name'], ruleset)
  ruleset.settings = { ...ruleset.settings, ...settingsFrom(call.body) }
  ruleset.updated_at = call.world.now()
  return ok(fullView(call, place, ruleset))
}

const remove = (call: Call, place: Place) => {
  place.rulesets.delete(byId(call, place.rulesets, 'ruleset_id').id)
  return done
}

const glob = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'i',
  )

const matches = (patterns: Json | undefined, name: string): boolean =>
  ((patterns ?? []) as readonly string[]).some((pattern) => pattern === '~ALL' || glob(pattern).test(name))

const reaches = ({ settings }: Ruleset, repository: Repository): boolean => {
  const { repository_name: byName, repository_id: byNumber } = (settings['conditions'] ?? {}) as Record<
    string,
    JsonObject
  >
  if (byNumber !== undefined) return ((byNumber['repository_ids'] ?? []) as readonly number[]).includes(repository.id)
  if (byName === undefined) return true
  return matches(byName['include'], repository.name) && !matches(byName['exclude'], repository.name)
}

/** The rulesets of the organisation that hold for a repository; a `false` in the query leaves them out. */
const inherited = (call: Call, repository: Repository): readonly (readonly [Place, Ruleset])[] => {
  const organization = call.world.organizations.get(keyOf(repository.owner))
  if (organization === undefined || call.query['includes_parents'] === false) return []
  const place = ofOrganization(call.world, organization)
  return [...organization.rulesets.values()].filter((each) => reaches(each, repository)).map((each) => [place, each])
}

const isWanted = (call: Call, { settings }: Ruleset): boolean => {
  const { targets } = call.query
  return typeof targets !== 'string' || targets.split(',').includes(String(settings['target']))
}

/** Which refs a ruleset means: full names, patterns, the default branch, or all. */
const holdsFor = ({ settings }: Ruleset, repository: Repository, branch: string): boolean => {
  if (settings['target'] !== 'branch' || settings['enforcement'] !== 'active') return false
  const { ref_name: byRef } = (settings['conditions'] ?? {}) as Record<string, JsonObject>
  const fits = (patterns: Json | undefined): boolean =>
    ((patterns ?? []) as readonly string[]).some((pattern) =>
      pattern === '~DEFAULT_BRANCH'
        ? branch === repository.settings['default_branch']
        : matches([pattern], `refs/heads/${branch}`),
    )
  return fits(byRef?.['include']) && !fits(byRef?.['exclude'])
}

const branchRules = (call: Call): Reply => {
  const repository = repositoryOf(call)
  const branch = param(call, 'branch')
  const place = inRepository(call)
  const own = [...place.rulesets.values()].map((each) => [place, each] as const)
  const held = [...own, ...inherited(call, repository)].filter(([, each]) => holdsFor(each, repository, branch))
  const rules = held.flatMap(([{ source, type }, { id, settings }]) =>
    ((settings['rules'] ?? []) as readonly JsonObject[]).map((rule) => ({
      ...rule,
      ruleset_source_type: type,
      ruleset_source: source,
      ruleset_id: id,
    })),
  )
  return listed(rules, (rule) => rule)
}

const inRepository = (call: Call): Place => ofRepository(call.world, repositoryOf(call))
const inOrganization = (call: Call): Place => ofOrganization(call.world, organizationOf(call))

export const rulesets: Shelf = {
  'repos/get-org-rulesets': (call) => {
    const place = inOrganization(call)
    return listed(
      [...place.rulesets.values()].filter((each) => isWanted(call, each)),
      (each) => shortView(place, each),
    )
  },
  'repos/create-org-ruleset': (call) => create(call, inOrganization(call)),
  'repos/get-org-ruleset': (call) => {
    const place = inOrganization(call)
    return ok(fullView(call, place, byId(call, place.rulesets, 'ruleset_id')))
  },
  'repos/update-org-ruleset': (call) => update(call, inOrganization(call)),
  'repos/delete-org-ruleset': (call) => remove(call, inOrganization(call)),
  'repos/get-branch-rules': branchRules,
  'repos/get-repo-rulesets': (call) => {
    const repository = repositoryOf(call)
    const place = inRepository(call)
    const own = [...place.rulesets.values()].map((each) => [place, each] as const)
    const shown = [...own, ...inherited(call, repository)].filter(([, each]) => isWanted(call, each))
    return listed(shown, ([where, each]) => shortView(where, each))
  },
  'repos/create-repo-ruleset': (call) => create(call, inRepository(call)),
  'repos/get-repo-ruleset': (call) => {
    const repository = repositoryOf(call)
    const id = Number(call.params['ruleset_id'])
    const place = inRepository(call)
    const own = place.rulesets.get(id)
    if (own !== undefined) return ok(fullView(call, place, own))
    const [where, above] = inherited(call, repository).find(([, each]) => each.id === id) ?? notFound()
    return ok(fullView(call, where, above))
  },
  'repos/update-repo-ruleset': (call) => update(call, inRepository(call)),
  'repos/delete-repo-ruleset': (call) => remove(call, inRepository(call)),
}
