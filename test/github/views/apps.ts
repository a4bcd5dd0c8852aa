import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { App, Installation, World } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { loginView, nodeId } from './accounts.ts'
import { shaped } from './shaped.ts'

export const appView = (world: World, { id, slug, name, owner, permissions, created_at }: App): JsonObject =>
  shaped('integration', {
    id,
    slug,
    node_id: nodeId('A', id),
    client_id: `Iv1.${id}`,
    owner: loginView(world, owner),
    name,
    description: null,
    external_url: `https://example.com/${slug}`,
    html_url: `https://github.com/apps/${slug}`,
    permissions,
    events: [],
    installations_count: [...world.installations.values()].filter(({ app }) => app === id).length,
    created_at,
    updated_at: created_at,
  })

export const installationView = (world: World, installation: Installation): JsonObject => {
  const { id, app, account, permissions, repositories, suspended_at, created_at } = installation
  return shaped('installation', {
    id,
    account: loginView(world, account),
    repository_selection: repositories === undefined ? 'all' : 'selected',
    access_tokens_url: `${world.url}/app/installations/${id}/access_tokens`,
    repositories_url: `${world.url}/installation/repositories`,
    html_url: `https://github.com/organizations/${account}/settings/installations/${id}`,
    app_id: app,
    app_slug: world.apps.get(app)?.slug ?? '',
    target_id: world.organizations.get(keyOf(account))?.id ?? 0,
    target_type: 'Organization',
    permissions,
    events: [],
    single_file_name: null,
    suspended_by: null,
    suspended_at,
    created_at,
    updated_at: created_at,
  })
}
