import type { Address } from '../schema/resource.ts'

type Dependencies = ReadonlyMap<Address, ReadonlySet<Address>>

/** Edges looked at before the best circle found so far is good enough: the report stays quick on huge tangles. */
const maxSteps = 1_000_000

/** The shortest circle among `stuck`, closed by its first address: `a -> b -> a`. Ties by address. */
export const findCycle = (stuck: readonly Address[], dependencies: Dependencies): readonly Address[] => {
  const within = new Set(stuck)
  const budget = { steps: maxSteps }
  let best: readonly Address[] | undefined
  for (const start of stuck) {
    const found = shortestFrom(start, dependencies, within, best?.length ?? Number.POSITIVE_INFINITY, budget)
    if (found !== undefined) best = found
    if (best !== undefined && (best.length <= 2 || budget.steps <= 0)) break
  }
  return best ?? []
}

/** Breadth first from `start` back to itself; only a circle with fewer entries than `limit` counts. */
const shortestFrom = (
  start: Address,
  dependencies: Dependencies,
  within: ReadonlySet<Address>,
  limit: number,
  budget: { steps: number },
): readonly Address[] | undefined => {
  const cameFrom = new Map<Address, Address>()
  let front: readonly Address[] = [start]
  for (let length = 2; front.length > 0 && length < limit; length++) {
    const next: Address[] = []
    for (const address of front) {
      for (const dependency of [...(dependencies.get(address) ?? [])].sort()) {
        budget.steps--
        if (dependency === start) return walkBack(start, address, cameFrom)
        if (!within.has(dependency) || cameFrom.has(dependency)) continue
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
