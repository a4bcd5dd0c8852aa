import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import {
  byId,
  type Call,
  done,
  type Handler,
  listed,
  ok,
  organizationOf,
  repositoryOf,
  type Shelf,
} from '../../server/call.ts'
import { invalid } from '../../server/refusal.ts'
import type { Hook } from '../../state/parts.ts'
import { shaped } from '../../views/shaped.ts'

/** Webhooks of organisations and of repositories differ only in where they stand. */

interface Place {
  readonly hooks: Map<number, Hook>
  readonly url: string
  readonly component: 'org-hook' | 'hook'
  readonly type: 'Organization' | 'Repository'
}

const shownConfig = ({ config }: Hook): JsonObject =>
  // The secret cannot be read back: eight asterisks say that there is one.
  config['secret'] === undefined ? config : { ...config, secret: '********' }

const view = ({ url, component, type }: Place, hook: Hook): JsonObject => {
  const { id, active, events, created_at, updated_at } = hook
  const own = `${url}/hooks/${id}`
  return shaped(component, {
    id,
    type,
    name: 'web',
    active,
    events,
    config: shownConfig(hook),
    url: own,
    test_url: `${own}/test`,
    ping_url: `${own}/pings`,
    deliveries_url: `${own}/deliveries`,
    last_response: { code: null, status: 'unused', message: null },
    created_at,
    updated_at,
  })
}

const configFrom = (sent: JsonObject): Record<string, JsonObject[string]> => ({
  content_type: 'form',
  ...sent,
  // A number is taken as well; it comes back as text.
  insecure_ssl: String(sent['insecure_ssl'] ?? '0'),
})

const checkUrl = ({ hooks }: Place, config: JsonObject, events: readonly string[], own?: Hook): void => {
  if (!/^https?:\/\//.test(String(config['url']))) invalid('Hook', 'url', 'custom', 'url is missing or invalid')
  const same = [...hooks.values()].some(
    (hook) => hook !== own && hook.config['url'] === config['url'] && `${hook.events}` === `${events}`,
  )
  if (same) invalid('Hook', 'config', 'custom', 'Hook already exists on this repository')
}

const create = (call: Call, place: Place) => {
  const { config, events = ['push'], active = true } = call.body as unknown as Hook
  checkUrl(place, config, events)
  const now = call.world.now()
  const hook: Hook = {
    id: call.world.newId(),
    active,
    events,
    config: configFrom(config),
    created_at: now,
    updated_at: now,
  }
  place.hooks.set(hook.id, hook)
  return ok(view(place, hook), 201)
}

const update = (call: Call, place: Place) => {
  const hook = byId(call, place.hooks, 'hook_id')
  const {
    config,
    events = hook.events,
    active = hook.active,
    add_events,
    remove_events,
  } = call.body as unknown as Hook & {
    readonly add_events?: readonly string[]
    readonly remove_events?: readonly string[]
  }
  // https://docs.github.com/en/rest/repos/webhooks#update-a-repository-webhook: a `config` replaces the whole one, and a
  // secret that is not sent again is removed.
  if (config !== undefined) {
    checkUrl(place, config, events, hook)
    hook.config = configFrom(config)
  }
  const kept = [...events, ...(add_events ?? [])].filter((event) => !remove_events?.includes(event))
  Object.assign(hook, { events: [...new Set(kept)], active, updated_at: call.world.now() })
  return ok(view(place, hook))
}

/** The one operation that changes parts of the configuration, and leaves the secret alone. */
const updateConfig = (call: Call, place: Place) => {
  const hook = byId(call, place.hooks, 'hook_id')
  hook.config = configFrom({ ...hook.config, ...call.body })
  hook.updated_at = call.world.now()
  return ok(shownConfig(hook))
}

const shelfOf = (prefix: string, suffix: string, placeOf: (call: Call) => Place): Shelf => {
  const at =
    (handler: (call: Call, place: Place) => ReturnType<Handler>): Handler =>
    (call) =>
      handler(call, placeOf(call))
  return {
    [`${prefix}/list-webhooks`]: at((_, place) => listed(place.hooks.values(), (hook) => view(place, hook))),
    [`${prefix}/create-webhook`]: at(create),
    [`${prefix}/get-webhook`]: at((call, place) => ok(view(place, byId(call, place.hooks, 'hook_id')))),
    [`${prefix}/update-webhook`]: at(update),
    [`${prefix}/delete-webhook`]: at((call, place) => {
      place.hooks.delete(byId(call, place.hooks, 'hook_id').id)
      return done
    }),
    [`${prefix}/get-webhook-config-for-${suffix}`]: at((call, place) =>
      ok(shownConfig(byId(call, place.hooks, 'hook_id'))),
    ),
    [`${prefix}/update-webhook-config-for-${suffix}`]: at(updateConfig),
  }
}

export const hooks: Shelf = {
  ...shelfOf('orgs', 'org', (call) => {
    const { hooks: own, login } = organizationOf(call)
    return { hooks: own, url: `${call.world.url}/orgs/${login}`, component: 'org-hook', type: 'Organization' }
  }),
  ...shelfOf('repos', 'repo', (call) => {
    const { hooks: own, owner, name } = repositoryOf(call)
    return { hooks: own, url: `${call.world.url}/repos/${owner}/${name}`, component: 'hook', type: 'Repository' }
  }),
}
