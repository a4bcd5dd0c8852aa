import type { ForeseenRequest, Worth } from '../../../provider/provider.ts'
import type { Address, RecordedResource } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import { type LoadedWorkspace, typeOf } from '../shared/loaded-workspace.ts'

export interface Foreseen {
  /**
   * Number of requests for each resource. Requests that several resources share are divided among them; a list has at
   * least the pages that they need. Resources without known requests are left out.
   */
  readonly costs: ReadonlyMap<Address, number>
  /** Which lists may save requests, by provider. */
  readonly worth: ReadonlyMap<string, Worth>
}

export const foreseeRequests = (loaded: LoadedWorkspace, recorded: readonly RecordedResource[]): Foreseen => {
  const records = new Map(recorded.map((each) => [each.address, each]))
  const addresses = new Set(loaded.configuration.resources.map(({ address }) => address))
  const all = [...loaded.configuration.resources, ...recorded.filter(({ address }) => !addresses.has(address))]
  const requests = new Map<Address, ForeseenRead>()
  for (const { address, provider, type: name, attributes } of all) {
    const ids = records.get(address)?.ids
    const found = typeOf(loaded, provider, name)?.foresee?.({ address, attributes, ...defined({ ids }) })
    if (found !== undefined) requests.set(address, { provider, requests: found })
  }
  const worth = worthOf([...requests.values()])
  const sent = new Map([...requests].map(([address, own]) => [address, sentInstead(own, worth.get(own.provider))]))
  const users = Map.groupBy([...sent.values()].flat(), ({ key }) => key)
  const costs = new Map(
    [...sent].map(([address, own]) => [
      address,
      own.reduce((sum, one) => sum + shareOf(one, users.get(one.key)?.length ?? 1), 0),
    ]),
  )
  return { costs, worth }
}

interface ForeseenRead {
  readonly provider: string
  readonly requests: readonly ForeseenRequest[]
}

/** A list that saves fewer requests than this is not used. */
const leastSpared = 10

const worthOf = (all: readonly ForeseenRead[]): ReadonlyMap<string, Worth> => {
  const spared = new Map<string, Map<string, Set<string>>>()
  for (const { provider, requests } of all) {
    const lists = spared.get(provider) ?? new Map<string, Set<string>>()
    spared.set(provider, lists)
    for (const { name, instead = [] } of requests)
      for (const list of instead) lists.set(list.name, (lists.get(list.name) ?? new Set()).add(name))
  }
  return new Map(
    [...spared].map(([provider, lists]) => [
      provider,
      new Map([...lists].flatMap(([name, { size }]) => (size < leastSpared ? [] : [[name, size] as const]))),
    ]),
  )
}

interface ListCost {
  readonly key: string
  readonly size: number | undefined
  /** The number of requests that the list saves. It has at least that many items. */
  readonly spared: number | undefined
}

/** Each request once; lists replace the requests that they may save. */
const sentInstead = ({ provider, requests }: ForeseenRead, worth: Worth = new Map()): readonly ListCost[] => {
  const sent = requests.flatMap((own) => {
    const { instead } = own
    return instead?.every(({ name }) => worth.has(name)) === true ? instead : [own]
  })
  const named = sent.map(({ name, size }): [string, ListCost] => [
    name,
    { key: JSON.stringify([provider, name]), size, spared: worth.get(name) },
  ])
  return [...new Map(named).values()]
}

const shareOf = ({ size, spared }: ListCost, users: number): number =>
  (size === undefined ? 1 : Math.ceil(Math.min(spared ?? users, users) / size)) / users
