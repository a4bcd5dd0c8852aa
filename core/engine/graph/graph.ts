import { AppError } from '../errors/errors.ts'
import type { Address } from '../schema/resource.ts'
import { naturally } from '../values/texts/natural-order.ts'

export interface GraphNode {
  readonly address: Address
  readonly dependsOn: readonly Address[]
}

/**
 * Addresses in waves: each wave depends only on earlier ones; within a wave they are sorted by address, as people count. Dependencies on
 * addresses that are not nodes are ignored. Throws GRAPH_CYCLE with the shortest cycle.
 */
export const wavesOf = (nodes: readonly GraphNode[]): readonly (readonly Address[])[] => {
  const { waves, stuck } = generations(nodes)
  if (stuck.length > 0) throw new AppError('GRAPH_CYCLE', { cycle: findCycle(stuck) })
  return waves
}

/** Cycles without common addresses, the shortest first; at most `most` cycles. */
export const findCycles = (nodes: readonly GraphNode[], most: number): readonly (readonly Address[])[] => {
  const found: (readonly Address[])[] = []
  let { stuck } = generations(nodes)
  while (stuck.length > 0 && found.length < most) {
    const cycle = findCycle(stuck)
    found.push(cycle)
    stuck = generations(stuck.filter(({ address }) => !cycle.includes(address))).stuck
  }
  return found
}

/**
 * All addresses, dependencies first. The nodes may contain cycles, because records are from different times; their
 * addresses come last.
 */
export const orderLeniently = (nodes: readonly GraphNode[]): readonly Address[] => {
  const { waves, stuck } = generations(nodes)
  return [...waves.flat(), ...stuck.map(({ address }) => address)]
}

/** Kahn's algorithm; `stuck` are the nodes in a cycle or behind one, sorted by address. */
const generations = (nodes: readonly GraphNode[]) => {
  const { targets, from, missing } = invert(nodes)
  const waves: Address[][] = []
  let wave = nodes.flatMap((_, index) => (missing[index] === 0 ? [index] : []))
  while (wave.length > 0) {
    waves.push(wave.map((index) => nodes[index]?.address ?? '').sort(naturally))
    const next: number[] = []
    for (const done of wave) {
      for (let edge = from[done] ?? 0; edge < (from[done + 1] ?? 0); edge++) {
        const dependent = targets[edge] ?? 0
        const left = (missing[dependent] ?? 0) - 1
        missing[dependent] = left
        if (left === 0) next.push(dependent)
      }
    }
    wave = next
  }
  const stuck = nodes.filter((_, index) => (missing[index] ?? 0) > 0)
  return { waves, stuck: stuck.sort((left, right) => naturally(left.address, right.address)) }
}

/**
 * The dependents of each node, by index: those of `n` are `targets[from[n]]` up to `targets[from[n + 1]]`; `missing`
 * counts the dependencies that a node still waits for. Typed arrays are used, because a hundred thousand sets need more
 * memory than the plan.
 */
const invert = (nodes: readonly GraphNode[]) => {
  const place = new Map(nodes.map(({ address }, index) => [address, index]))
  const edges = (visit: (dependency: number, dependent: number) => void): void => {
    for (const [dependent, { dependsOn }] of nodes.entries()) {
      for (const address of dependsOn) {
        const dependency = place.get(address)
        if (dependency !== undefined) visit(dependency, dependent)
      }
    }
  }
  const from = new Int32Array(nodes.length + 1)
  const missing = new Int32Array(nodes.length)
  edges((dependency, dependent) => {
    from[dependency + 1] = (from[dependency + 1] ?? 0) + 1
    missing[dependent] = (missing[dependent] ?? 0) + 1
  })
  for (let index = 0; index < nodes.length; index++) from[index + 1] = (from[index + 1] ?? 0) + (from[index] ?? 0)
  const targets = new Int32Array(from[nodes.length] ?? 0)
  const used = from.slice()
  edges((dependency, dependent) => {
    const slot = used[dependency] ?? 0
    targets[slot] = dependent
    used[dependency] = slot + 1
  })
  return { targets, from, missing }
}

/** After this number of edges the search keeps the best cycle found so far, so that huge graphs are reported fast. */
const maxSteps = 1_000_000

/**
 * The shortest cycle among nodes in or behind a cycle: `a -> b -> a`. Of equally short cycles, the first one by
 * address.
 */
const findCycle = (stuck: readonly GraphNode[]): readonly Address[] => {
  const within = new Set(stuck.map(({ address }) => address))
  const dependencies = new Map(
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

/** Breadth-first search from `start` back to itself; only a cycle with fewer entries than `limit` counts. */
const shortestFrom = (
  start: Address,
  dependencies: ReadonlyMap<Address, readonly Address[]>,
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
