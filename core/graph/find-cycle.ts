import type { Address } from '../schema/resource.ts'

type Dependencies = ReadonlyMap<Address, readonly Address[]>

interface Node {
  readonly address: Address
  readonly dependsOn: readonly Address[]
}

/** Edges looked at before the best circle found so far is good enough: the report stays quick on huge tangles. */
const maxSteps = 1_000_000

/** The shortest circle among nodes of which each is in one or behind one: `a -> b -> a`. Ties by address. */
export const findCycle = (stuck: readonly Node[]): readonly Address[] => {
  const within = new Set(stuck.map(({ address }) => address))
  const dependencies: Dependencies = new Map(
    stuck.map(({ address, dependsOn }) => [address, dependsOn.filter((each) => within.has(each)).sort()]),
  )
  const budget = { steps: maxSteps }
  let best: readonly Address[] | undefined
  for (const { address } of stuck) {
    const found = shortestFrom(address, dependencies, best?.length ?? Number.POSITIVE_INFINITY, budget)
    if (found !== undefined) best = found
    if (best !== undefined && (best.length <= 2 || budget.steps <= 0)) break
  }
  return best ?? []
}

/** Breadth first from `start` back to itself; only a circle with fewer entries than `limit` counts. */
const shortestFrom = (
  start: Address,
  dependencies: Dependencies,
  limit: number,
  budget: { steps: number },
): readonly Address[] | undefined => {
  const cameFrom = new Map<Address, Address>()
  let front: readonly Address[] = [start]
  for (let length = 2; front.length > 0 && length < limit; length++) {
    const next: Address[] = []
    for (const address of front) {
      for (const dependency of dependencies.get(address) ?? []) {
        budget.steps--
        if (dependency === start) return walkBack(start, address, cameFrom)
        if (cameFrom.has(dependency)) continue
        cameFrom.set(dependency, address)
        next.push(dependency)
      }
    }
    front = next
  }
  return undefined
}

const walkBack = (start: Address, last: Address, cameFrom: ReadonlyMap<Address, Address>): readonly Address[] => {
  const path = [start]
  for (let step: Address | undefined = last; step !== undefined && step !== start; step = cameFrom.get(step)) {
    path.push(step)
  }
  return [...path, start].reverse()
}
