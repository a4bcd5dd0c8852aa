import type { Address } from '../../../schema/resource.ts'
import type { PastRead, ReadHistory } from '../../../state/runs/reads.ts'
import { defined } from '../../../values/defined.ts'
import type { Forecast } from '../../deps.ts'

export interface ReadBudget {
  /** Counted requests of all providers together; absent without a limit. */
  readonly all?: number
  readonly providers: ReadonlyMap<string, number>
}

/** Milliseconds that the given number of requests to a provider takes. */
export type TimeOf = (provider: string, requests: number) => number

export interface ReadCandidate {
  readonly address: Address
  readonly provider: string
  readonly type: string
  readonly dependsOn: readonly Address[]
  /** Number of requests for its read, as far as its provider knows. */
  readonly foreseen?: number
}

export interface Choice {
  readonly left: ReadonlySet<Address>
  readonly forecast: Forecast
}

/**
 * Decides which resources a check reads: all if they fit, otherwise those that were not read for the longest time, with
 * everything that they refer to. Each check reads at least one, so every resource is read after a limited number of
 * checks, whatever fails.
 */
export const chooseReads = (
  all: readonly ReadCandidate[],
  history: ReadHistory,
  budget: ReadBudget,
  timeOf?: TimeOf,
): Choice => {
  const byAddress = new Map(all.map((each) => [each.address, each]))
  const costOf = costsFrom(all, history)
  const age = ({ address }: ReadCandidate): number => history.resources[address]?.[0] ?? Number.NEGATIVE_INFINITY
  const oldest = all.toSorted((a, b) => age(a) - age(b) || (a.address < b.address ? -1 : 1))
  const spend = createPurse(budget)
  const chosen = new Set<Address>()
  for (const one of oldest) {
    const group = withNeeds(one, byAddress, chosen)
    if (
      group.length > 0 &&
      spend(
        group.map((each) => [each.provider, costOf(each).counted]),
        chosen.size === 0,
      )
    )
      for (const { address } of group) chosen.add(address)
  }
  const left = new Set(all.map(({ address }) => address).filter((address) => !chosen.has(address)))
  return { left, forecast: forecastOf(all, chosen, costOf, timeOf, budget) }
}

const withNeeds = (
  one: ReadCandidate,
  byAddress: ReadonlyMap<Address, ReadCandidate>,
  chosen: ReadonlySet<Address>,
): readonly ReadCandidate[] => {
  const needed = new Map<Address, ReadCandidate>()
  const waiting = [one]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (chosen.has(next.address) || needed.has(next.address)) continue
    needed.set(next.address, next)
    for (const address of next.dependsOn) {
      const found = byAddress.get(address)
      if (found !== undefined) waiting.push(found)
    }
  }
  return [...needed.values()]
}

/** Once a resource does not fit, no younger resource of that provider may pass it. */
const createPurse = ({ all = Number.POSITIVE_INFINITY, providers }: ReadBudget) => {
  const rest = new Map(providers)
  const closed = new Set<string>()
  let whole = all
  return (costs: readonly (readonly [provider: string, cost: number])[], isFirst: boolean): boolean => {
    const sums = new Map<string, number>()
    for (const [provider, cost] of costs) sums.set(provider, (sums.get(provider) ?? 0) + cost)
    const total = [...sums.values()].reduce((sum, cost) => sum + cost, 0)
    const isOver = [...sums].filter(
      ([provider, cost]) =>
        (closed.has(provider) && cost > 0) || cost > (rest.get(provider) ?? Number.POSITIVE_INFINITY),
    )
    if (!isFirst && (total > whole || isOver.length > 0)) {
      // Resources that cost nothing still fit.
      if (total > whole) whole = 0
      else for (const [provider] of isOver) closed.add(provider)
      return false
    }
    whole = Math.max(0, whole - total)
    for (const [provider, cost] of sums)
      rest.set(provider, Math.max(0, (rest.get(provider) ?? Number.POSITIVE_INFINITY) - cost))
    return true
  }
}

type Cost = { readonly counted: number; readonly free: number }

/**
 * The cost of the latest read, changed by what its provider expects now compared with then. For a resource that was
 * never read: what its provider expects, else the mean of its type, else the mean of all, else one request.
 */
const costsFrom = (all: readonly ReadCandidate[], { resources }: ReadHistory) => {
  const known = all.flatMap((one) => {
    const past = resources[one.address]
    return past === undefined ? [] : [{ type: one.type, cost: nextCost(past, one.foreseen) }]
  })
  const byType = new Map([...Map.groupBy(known, ({ type }) => type)].map(([type, some]) => [type, mean(some)]))
  const usual = known.length === 0 ? { counted: 1, free: 0 } : mean(known)
  return ({ address, type, foreseen }: ReadCandidate): Cost => {
    const past = resources[address]
    if (past !== undefined) return nextCost(past, foreseen)
    return foreseen === undefined ? (byType.get(type) ?? usual) : { counted: foreseen, free: 0 }
  }
}

/**
 * Requests whose answers were kept are free now. If fewer requests are expected, counted and free ones decrease alike.
 */
const nextCost = ([, counted, free, kept = 0, before]: PastRead, foreseen: number | undefined): Cost => {
  const all = counted + free
  const change = before === undefined || foreseen === undefined ? 0 : foreseen - before
  const share = all === 0 ? 1 : Math.max(0, all + change) / all
  return { counted: (counted - kept) * share, free: (free + kept) * share }
}

const mean = (some: readonly { readonly cost: Cost }[]): Cost => ({
  counted: some.reduce((sum, { cost }) => sum + cost.counted, 0) / some.length,
  free: some.reduce((sum, { cost }) => sum + cost.free, 0) / some.length,
})

const forecastOf = (
  all: readonly ReadCandidate[],
  chosen: ReadonlySet<Address>,
  costOf: (one: ReadCandidate) => Cost,
  timeOf: TimeOf | undefined,
  budget: ReadBudget,
): Forecast => {
  const sum = (some: readonly ReadCandidate[], part: keyof Cost): number =>
    some.reduce((total, one) => total + costOf(one)[part], 0)
  const read = all.filter(({ address }) => chosen.has(address))
  const [counted, free] = [Math.round(sum(read, 'counted')), Math.round(sum(read, 'free'))]
  // By requests and by resources, because the resources that are left out may cost nothing, and the chosen ones may
  // have all the cost.
  const share = Math.min(read.length / Math.max(1, all.length), ratio(sum(read, 'counted'), sum(all, 'counted')))
  const byProvider = Map.groupBy(read, ({ provider }) => provider)
  const times = [...byProvider].map(([provider, some]) => timeOf?.(provider, sum(some, 'counted') + sum(some, 'free')))
  const told = [...budget.providers.values()]
  const most = Math.min(
    budget.all ?? Number.POSITIVE_INFINITY,
    ...(told.length === 0 ? [] : [told.reduce((a, b) => a + b)]),
  )
  return {
    counted,
    free,
    chosen: read.length,
    of: all.length,
    checks: share >= 1 ? 1 : Math.ceil(1 / share),
    ...defined({
      budget: Number.isFinite(most) ? most : undefined,
      seconds: timeOf && Math.ceil(Math.max(0, ...times.map((ms) => ms ?? 0)) / 1000),
    }),
  }
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)
