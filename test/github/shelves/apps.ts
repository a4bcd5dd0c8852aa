import { byId, type Call, done, listed, ok, organizationOf, param, type Reply, type Shelf } from '../server/call.ts'
import { notFound, refuse } from '../server/refusal.ts'
import type { Repository } from '../state/parts.ts'
import { repositoriesOf, repositoryByName } from '../state/repository.ts'
import type { App, Installation } from '../state/shapes.ts'
import { keyOf } from '../state/world.ts'
import { appView, installationView } from '../views/apps.ts'
import { fullOf } from '../views/repositories.ts'

/** A GitHub App: it signs in with a JSON Web Token, and takes tokens for its installations. */

const appOf = ({ world, actor }: Call): App =>
  world.apps.get(actor.app ?? 0) ?? refuse(401, 'A JSON web token could not be decoded')

const ownInstallation = (call: Call): Installation => {
  const installation = byId(call, call.world.installations, 'installation_id')
  return installation.app === appOf(call).id ? installation : notFound()
}

const readable = (call: Call, { account, repositories }: Installation): readonly Repository[] =>
  repositoriesOf(call.world, { login: account }).filter(({ id }) => repositories === undefined || repositories.has(id))

const levels = ['read', 'write', 'admin']

/** A token can have less than the installation, never more. */
const permissionsFor = ({ body }: Call, { permissions }: Installation): Readonly<Record<string, string>> => {
  const asked = body['permissions'] as Readonly<Record<string, string>> | undefined
  if (asked === undefined) return permissions
  const tooMuch = Object.entries(asked).find(
    ([name, level]) => levels.indexOf(level) > levels.indexOf(permissions[name] ?? ''),
  )
  if (tooMuch !== undefined) refuse(422, 'The permissions requested are not granted to this installation.')
  return asked
}

const repositoriesFor = (call: Call, installation: Installation): ReadonlySet<number> | undefined => {
  const { repositories: names, repository_ids: ids } = call.body as {
    repositories?: string[]
    repository_ids?: number[]
  }
  if (names === undefined && ids === undefined) return installation.repositories
  const named = (names ?? []).map((name) => repositoryByName(call.world, `${installation.account}/${name}`)?.id ?? 0)
  const wanted = [...named, ...(ids ?? [])]
  const all = new Set(readable(call, installation).map(({ id }) => id))
  if (wanted.some((id) => !all.has(id)))
    refuse(422, 'There is at least one repository that does not exist or is not accessible to the parent installation.')
  return new Set(wanted)
}

const hour = 60 * 60 * 1000

const issueToken = (call: Call): Reply => {
  const { world, tokens } = call
  const installation = ownInstallation(call)
  if (installation.suspended_at !== null) refuse(403, 'This installation has been suspended')
  const permissions = permissionsFor(call, installation)
  const repositories = repositoriesFor(call, installation)
  const expires = world.clock.now() + hour
  const { slug } = appOf(call)
  const token = tokens.issueInstallation({
    login: `${slug}[bot]`,
    installation: installation.id,
    permissions,
    expires,
    ...(repositories && { repositories }),
  })
  return ok(
    {
      token,
      expires_at: `${new Date(expires).toISOString().slice(0, 19)}Z`,
      permissions,
      repository_selection: repositories === undefined ? 'all' : 'selected',
    },
    201,
  )
}

export const apps: Shelf = {
  'apps/get-authenticated': (call) => ok(appView(call.world, appOf(call))),
  'apps/list-installations': (call) => {
    const { id } = appOf(call)
    const own = [...call.world.installations.values()].filter(({ app }) => app === id)
    return listed(own, (each) => installationView(call.world, each))
  },
  'apps/get-installation': (call) => ok(installationView(call.world, ownInstallation(call))),
  'apps/create-installation-access-token': issueToken,
  'apps/get-by-slug': (call) => {
    const slug = param(call, 'app_slug')
    return ok(appView(call.world, [...call.world.apps.values()].find((each) => each.slug === slug) ?? notFound()))
  },
  'apps/get-org-installation': (call) => {
    const { login } = organizationOf(call)
    const { id } = appOf(call)
    const own = [...call.world.installations.values()].find(
      ({ app, account }) => app === id && keyOf(account) === keyOf(login),
    )
    return ok(installationView(call.world, own ?? notFound()))
  },
  'orgs/list-app-installations': (call) => {
    const { login } = organizationOf(call)
    const own = [...call.world.installations.values()].filter(({ account }) => keyOf(account) === keyOf(login))
    return listed(own, (each) => installationView(call.world, each), 'installations')
  },
  'apps/list-repos-accessible-to-installation': (call) => {
    const installation = call.world.installations.get(call.actor.installation ?? 0)
    const own = installation ?? refuse(403, 'You must authenticate with an installation access token')
    const { repositories } = call.actor
    const shown = readable(call, own).filter(({ id }) => repositories === undefined || repositories.has(id))
    return listed(shown, (each) => fullOf(call.world, each), 'repositories')
  },
  'apps/revoke-installation-access-token': (call) => {
    call.tokens.revoke(call.actor)
    return done
  },
}
