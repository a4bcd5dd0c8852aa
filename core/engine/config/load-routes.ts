import { type AlertRoute, type RouteMember, routeMembers } from '../schema/alert-route.ts'
import { parseSecretSource, type SecretRules, secretKinds, whySecretRefused } from '../values/secret-source.ts'
import { secretRefusals } from '../values/words.ts'
import { say } from './shared/words.ts'
import type { Report } from './syntax/parse-document.ts'

const members: readonly RouteMember[] = ['url', 'key']

/** Each route must have what its kind needs, and name secrets that the workspace may read. */
export const checkRoutes = (
  routes: readonly AlertRoute[],
  { workspace, secrets }: { readonly workspace: string; readonly secrets?: SecretRules },
  report: Report,
): void => {
  for (const [index, route] of routes.entries()) {
    const { needs, may } = routeMembers[route.kind]
    const path = ['alerts', 'routes', index]
    for (const member of members) {
      const source = route[member]?.secret
      if (source === undefined && needs.includes(member)) report(path, say('routeNeeds', route.kind, member))
      if (source === undefined) continue
      if (![...needs, ...may].includes(member))
        report([...path, member], say('routeIgnores', route.kind, member), 'key')
      const refused = secrets
        ? whySecretRefused(source, workspace, secrets)
        : parseSecretSource(source) === undefined
          ? secretRefusals.noSource(secretKinds)
          : undefined
      if (refused !== undefined) report([...path, member, 'secret'], refused)
    }
  }
}
