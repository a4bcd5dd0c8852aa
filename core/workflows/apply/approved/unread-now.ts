import type { GraphNode } from '../../../graph/graph.ts'
import type { Command } from '../../../schema/command.ts'
import type { Unchecked } from '../../../schema/plan.ts'

/**
 * What could not be read of all that these commands are about: their own resources and what these depend on. In the order
 * of the commands, which is that of what depends on what; what only follows from something else comes last.
 */
export const unreadNow = (
  commands: readonly Command[],
  unchecked: readonly Unchecked[],
  nodes: readonly GraphNode[],
): readonly Unchecked[] => {
  const needs = Map.groupBy(nodes, ({ address }) => address)
  const about = new Set<string>()
  const pending = commands.map(({ address }) => address)
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    if (about.has(address)) continue
    about.add(address)
    pending.push(...(needs.get(address) ?? []).flatMap(({ dependsOn }) => dependsOn))
  }
  const place = new Map(commands.map(({ address }, index) => [address, index]))
  const rank = ({ address, reason }: Unchecked): number =>
    reason === 'unresolved' || reason === 'dependency' ? commands.length : (place.get(address) ?? -1)
  return unchecked.filter(({ address }) => about.has(address)).toSorted((left, right) => rank(left) - rank(right))
}
