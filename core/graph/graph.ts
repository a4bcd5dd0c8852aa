import { AppError } from '../errors.ts'
import type { Address } from '../schema/resource.ts'
import { findCycle } from './find-cycle.ts'

export interface GraphNode {
  readonly address: Address
  readonly dependsOn: readonly Address[]
}

/** Free of circles. Dependencies on addresses that are no node of it are left out. */
export interface Graph {
  readonly dependencies: ReadonlyMap<Address, ReadonlySet<Address>>
  readonly waves: readonly (readonly Address[])[]
}

/** Throws GRAPH_CYCLE with the shortest circle. */
export const buildGraph = (nodes: readonly GraphNode[]): Graph => {
  const dependencies = dependenciesOf(nodes)
  const { waves, stuck } = generations(dependencies)
  if (stuck.length > 0) throw new AppError('GRAPH_CYCLE', { cycle: findCycle(stuck, dependencies) })
  return { dependencies, waves }
}

/** Each wave depends on earlier ones only; within a wave, by address. */
export const waves = (graph: Graph): readonly (readonly Address[])[] => graph.waves

/** All addresses, dependencies first; ties by address. */
export const order = (graph: Graph): readonly Address[] => graph.waves.flat()

/** The same order for nodes that may hold circles, as records of different days do: what stands in one comes last. */
export const orderLeniently = (nodes: readonly GraphNode[]): readonly Address[] => {
  const { waves, stuck } = generations(dependenciesOf(nodes))
  return [...waves.flat(), ...stuck]
}

const dependenciesOf = (nodes: readonly GraphNode[]): Map<Address, Set<Address>> => {
  const known = new Map<Address, Set<Address>>(nodes.map(({ address }) => [address, new Set()]))
  for (const { address, dependsOn } of nodes) {
    for (const dependency of dependsOn) if (known.has(dependency)) known.get(address)?.add(dependency)
  }
  return known
}

/** Kahn's algorithm by generations; `stuck` are the nodes in a circle or behind one, by address. */
const generations = (dependencies: ReadonlyMap<Address, ReadonlySet<Address>>) => {
  const dependents = invert(dependencies)
  const missing = new Map([...dependencies].map(([address, { size }]) => [address, size]))
  const waves: Address[][] = []
  let wave = [...dependencies.keys()].filter((address) => missing.get(address) === 0).sort()
  while (wave.length > 0) {
    waves.push(wave)
    wave = release(wave, dependents, missing)
  }
  return { waves, stuck: [...missing].flatMap(([address, count]) => (count > 0 ? [address] : [])).sort() }
}

const release = (
  wave: readonly Address[],
  dependents: ReadonlyMap<Address, readonly Address[]>,
  missing: Map<Address, number>,
): Address[] => {
  const next: Address[] = []
  for (const done of wave) {
    for (const dependent of dependents.get(done) ?? []) {
      const left = (missing.get(dependent) ?? 0) - 1
      missing.set(dependent, left)
      if (left === 0) next.push(dependent)
    }
  }
  return next.sort()
}

const invert = (dependencies: ReadonlyMap<Address, ReadonlySet<Address>>): Map<Address, Address[]> => {
  const dependents = new Map<Address, Address[]>()
  for (const [address, needs] of dependencies) {
    for (const need of needs) {
      const list = dependents.get(need)
      if (list === undefined) dependents.set(need, [address])
      else list.push(address)
    }
  }
  return dependents
}
