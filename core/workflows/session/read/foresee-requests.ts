import type { ForeseenRequest } from '../../../providers/provider.ts'
import type { Address, RecordedResource } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import { type LoadedWorkspace, typeOf } from '../load/loaded-workspace.ts'

/**
 * How many requests each resource takes, as its provider knows before anything is sent. What several resources share is divided
 * among them, and a list has at least the pages that they need. Resources of which nothing is known are left out.
 */
export const foreseeRequests = (
  loaded: LoadedWorkspace,
  recorded: readonly RecordedResource[],
): ReadonlyMap<Address, number> => {
  const records = new Map(recorded.map((each) => [each.address, each]))
  const declared = new Set(loaded.configuration.resources.map(({ address }) => address))
  const all = [...loaded.configuration.resources, ...recorded.filter(({ address }) => !declared.has(address))]
  const requests = new Map<Address, readonly (ForeseenRequest & { readonly provider: string })[]>()
  for (const { address, provider, type: name, attributes } of all) {
    const ids = records.get(address)?.ids
    const found = typeOf(loaded, provider, name)?.foresee?.({ address, attributes, ...defined({ ids }) })
    if (found !== undefined)
      requests.set(
        address,
        found.map((each) => ({ ...each, provider })),
      )
  }
  const users = Map.groupBy([...requests.values()].flat(), keyOf)
  return new Map(
    [...requests].map(([address, own]) => [
      address,
      own.reduce((sum, each) => sum + pagesFor(each, users.get(keyOf(each))?.length ?? 1), 0),
    ]),
  )
}

const keyOf = ({ provider, name }: { readonly provider: string; readonly name: string }): string =>
  JSON.stringify([provider, name])

/** The share of one of so many resources. */
const pagesFor = ({ size }: ForeseenRequest, users: number): number =>
  (size === undefined ? 1 : Math.ceil(users / size)) / users
