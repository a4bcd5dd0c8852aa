import { identityOf } from '../../../config/check/check-resources.ts'
import type { Listed } from '../../../provider/listing.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { Address, DesiredResource, RecordedResource } from '../../../schema/resource.ts'
import { pick } from '../../../values/members.ts'
import { isCovered } from './covered.ts'

/** The resources that an object belongs to, by its ids in their records or by its keys: none, or those that own it. */
export const findingOwners = (
  type: ResourceType,
  desired: readonly DesiredResource[],
  recorded: readonly RecordedResource[],
) => {
  const keyOf = (attributes: JsonObject): string | undefined => {
    const identity = identityOf(attributes, type.schema)
    return identity === undefined ? undefined : JSON.stringify(identity)
  }
  const idText = (ids: Listed['ids'] = {}): readonly string[] =>
    Object.entries(ids).map(([name, id]) => JSON.stringify([name, id]))
  const isFollowed = new Set(type.idNames)
  const owners = new Map<string, Address[]>()
  const put = (key: string | undefined, address: Address): void => {
    if (key !== undefined) owners.set(key, [...(owners.get(key) ?? []), address])
  }
  const known = new Set(desired.map(({ address }) => address))
  for (const each of desired) put(keyOf(each.attributes), each.address)
  for (const { address, attributes, ids } of recorded) {
    if (isCovered(type.name, address)) continue
    for (const id of idText(pick(ids ?? {}, [...isFollowed]) as Listed['ids'])) put(id, address)
    // What leaves the configuration belongs to it until it is forgotten.
    if (!known.has(address)) put(keyOf(attributes), address)
  }
  return ({ identity, ids }: Pick<Listed, 'identity' | 'ids'>): readonly Address[] | undefined =>
    [...idText(ids), keyOf(identity)]
      .flatMap((key) => (key === undefined ? [] : [owners.get(key) ?? []]))
      .find((found) => found.length > 0)
}
