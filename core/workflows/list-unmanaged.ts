import { normalise } from '../diff/normalise.ts'
import { canonicalJson } from '../digest.ts'
import { asAppError } from '../errors.ts'
import type { PlannedResource } from '../plan/planning.ts'
import type { ResourceType } from '../providers/provider.ts'
import type { JsonObject } from '../schema/json.ts'
import type { Unmanaged } from '../schema/plan.ts'
import type { Channels } from './channels.ts'
import type { LoadedWorkspace } from './loaded-workspace.ts'
import type { PlannedOne } from './plan-one.ts'

export interface ListedUnmanaged {
  readonly found: readonly Unmanaged[]
  /** Listings that were not complete: what they would have shown is not known. */
  readonly unchecked: readonly PlannedResource[]
}

/** What exists beside the declared resources, type by type, where the configuration wants to know and the API can tell. */
export const listUnmanaged = async (
  { loaded, channels }: { readonly loaded: LoadedWorkspace; readonly channels: Channels },
  resources: readonly PlannedOne[],
): Promise<ListedUnmanaged> => {
  if (loaded.configuration.unmanaged !== 'report') return { found: [], unchecked: [] }
  const found: Unmanaged[] = []
  const unchecked: PlannedResource[] = []
  const groups = Map.groupBy(resources, ({ provider, type }) => `${provider} ${type?.name}`)
  for (const group of groups.values()) {
    const [{ provider = '', type } = {}] = group
    if (type?.list === undefined) continue
    try {
      const scope = group.map(({ target }) => target)
      const listed = await type.list(scope, { transport: channels.of(provider).plan })
      const declared = new Set(scope.map(({ attributes }) => identityOf(type, attributes)))
      const known = new Set(
        group.flatMap(({ looked: { result }, target }) =>
          result.kind === 'present' ? numberOf(type, target.attributes, result.ids) : [],
        ),
      )
      for (const { identity, ids } of listed) {
        const isOurs =
          declared.has(identityOf(type, identity)) || numberOf(type, identity, ids).some((key) => known.has(key))
        if (!isOurs) found.push({ type: type.name, provider, identity })
      }
    } catch (error) {
      const address = `${type.name}.*`
      const detail = `what else exists could not be listed: ${asAppError(error).message}`
      unchecked.push({
        address,
        unobserved: [],
        ignored: [],
        unchecked: { address, reason: 'unexpected_status', detail },
      })
    }
  }
  return { found, unchecked }
}

/** The server's ids of an object, under which it is the same by any name; they may count anew within each parent, so
 * what cannot change of the identity belongs to them. None where it has no ids. */
const numberOf = (type: ResourceType, attributes: JsonObject, ids: JsonObject = {}): readonly string[] =>
  Object.keys(ids).length === 0
    ? []
    : [canonicalJson([ids, identityOf(type, attributes, (name) => type.schema.attributes[name]?.immutable === true)])]

const identityOf = (
  { schema }: ResourceType,
  attributes: JsonObject,
  counts: (name: string) => boolean = () => true,
): string => {
  const canonical = normalise(schema, attributes, 'observed')
  const names = Object.keys(schema.attributes).filter((name) => schema.attributes[name]?.identity && counts(name))
  return canonicalJson(names.map((name) => canonical[name] ?? null))
}
