import type { SourcedBundle } from '../../../config/files/source.ts'
import type { Provider, ResourceType } from '../../../provider/provider.ts'
import type { Permissions } from '../../../schema/permissions.ts'
import type {
  NeededPermission,
  PermissionReport,
  ProviderPermissions,
} from '../../../schema/reports/permission-report.ts'
import { defined } from '../../../values/defined.ts'
import type { Deps } from '../../deps.ts'
import { typeOf, withSpec } from '../shared/loaded-workspace.ts'
import { loadWorkspaceLater } from './load-later.ts'

/**
 * What the credentials of each provider must be allowed to do for the types that the configuration uses. Reads nothing.
 * Throws CONFIG_INVALID.
 */
export const listPermissions = async (
  bundle: SourcedBundle,
  deps: Pick<Deps, 'providers' | 'sources'>,
): Promise<PermissionReport> => {
  const loaded = await loadWorkspaceLater(bundle, deps)
  const { configuration, providers } = loaded
  const used = Map.groupBy(withSpec(loaded), ({ provider }) => provider)
  return {
    workspace: configuration.workspace,
    providers: [...used].map(([alias, resources]) => {
      const names = [...new Set(resources.map(({ type }) => type))].toSorted()
      const types = names.flatMap((name) => typeOf(loaded, alias, name) ?? [])
      return addUp(alias, types, providers.get(alias))
    }),
  }
}

const addUp = (
  alias: string,
  types: readonly ResourceType[],
  provider: Pick<Provider, 'permissionLevels'> | undefined,
): ProviderPermissions => {
  const levels = provider?.permissionLevels ?? []
  const names = types.flatMap(({ permissions }) => [
    ...Object.keys(permissions?.check ?? {}),
    ...Object.keys(permissions?.apply ?? {}),
  ])
  const needed = [...new Set(names)].toSorted().map((permission): NeededPermission => {
    const check = types.flatMap((type) => type.permissions?.check[permission] ?? [])
    const apply = types.flatMap((type) => type.permissions?.apply[permission] ?? [])
    return {
      permission,
      ...defined({ check: highest(levels, check), apply: highest(levels, [...check, ...apply]) }),
      types: types.filter((type) => needs(type, permission)).map(({ name }) => name),
    }
  })
  const unknown = types.filter(({ permissions }) => permissions === undefined).map(({ name }) => name)
  return { provider: alias, permissions: needed, unknown }
}

const needs = ({ permissions }: ResourceType, permission: string): boolean =>
  permissions !== undefined && [permissions.check, permissions.apply].some((each) => Object.hasOwn(each, permission))

/** A level that the provider does not list counts as the highest, so that the answer never asks for too little. */
const highest = (levels: readonly string[], needed: readonly string[]): Permissions[string] | undefined => {
  const rank = (level: string): number => (levels.includes(level) ? levels.indexOf(level) : levels.length)
  return needed.toSorted((left, right) => rank(right) - rank(left))[0]
}
