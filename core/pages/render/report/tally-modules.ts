import { moduleSteps } from '../../../engine/values/addresses/address.ts'
import type { Block, ModuleTally } from './report.ts'

type Counted = Pick<Block, 'symbol' | 'risk' | 'module'>

/**
 * Counts by module, parents before children, the gravest count first. A module without changes of its own is there where
 * a child has some. Empty where all is in the root.
 */
export const tallyModules = (blocks: readonly Counted[]): readonly ModuleTally[] => {
  const own = Map.groupBy(blocks, (block) => block.module ?? '')
  if ([...own.keys()].every((module) => module === '')) return []
  const chains = new Map<string, readonly string[]>()
  for (const module of own.keys()) {
    const steps = stepsOf(module)
    for (let depth = steps.length; depth > 0; depth -= 1) {
      const chain = steps.slice(0, depth)
      chains.set(chain.join('.'), chain)
    }
  }
  const below = [...chains].toSorted(([, a], [, b]) => compareChains(a, b))
  return [
    ...(own.has('') ? [{ module: '', depth: 0, label: 'root module', counts: countsOf(own.get('')) }] : []),
    ...below.map(([module, chain]) => ({
      module,
      depth: chain.length - 1,
      label: chain.at(-1) ?? '',
      counts: countsOf(own.get(module)),
    })),
  ]
}

/** `module.a["x.y"].module.b` as its steps; what is no such address is one step. */
const stepsOf = (module: string): readonly string[] => {
  if (module === '') return []
  const steps = moduleSteps(module)
  return steps.join('.') === module ? steps : [module]
}

const compareChains = (left: readonly string[], right: readonly string[]): number => {
  const at = left.findIndex((step, position) => step !== right[position])
  if (at === -1) return left.length - right.length
  const [one, other] = [left[at] ?? '', right[at]]
  if (other === undefined) return 1
  return one.localeCompare(other, 'en', { numeric: true }) || (one < other ? -1 : 1)
}

const countsOf = (blocks: readonly Counted[] = []): ModuleTally['counts'] =>
  [
    ...Map.groupBy(
      blocks.toSorted((a, b) => a.risk - b.risk),
      (block) => block.symbol,
    ),
  ].map(([symbol, group]) => ({
    symbol,
    n: group.length,
  }))
