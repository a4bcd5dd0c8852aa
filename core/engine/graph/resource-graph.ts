import type { Address, DesiredResource, RecordedResource } from '../schema/resource.ts'
import type { ResourceGraph, ResourceNode } from '../schema/stored/graph.ts'
import type { Plan } from '../schema/stored/plan.ts'
import { defined } from '../values/defined.ts'

interface GraphParts {
  readonly workspace: string
  readonly runId?: string | undefined
  /** `dependsOn` includes the dependencies that references and providers imply. */
  readonly desired: readonly Pick<DesiredResource, 'address' | 'type' | 'dependsOn'>[]
  readonly recorded: readonly Pick<RecordedResource, 'address' | 'type' | 'dependsOn'>[]
  readonly plan?: Pick<Plan, 'changes' | 'unchecked'> | undefined
}

/**
 * Everything that is declared, recorded or changed, and what each waits for. Of two deletes, the dependent is first.
 * Dependencies on addresses that no longer exist are left out.
 */
export const buildGraph = ({ workspace, runId, desired, recorded, plan }: GraphParts): ResourceGraph => {
  const declared = new Set(desired.map(({ address }) => address))
  const left = recorded.filter(({ address }) => !declared.has(address))
  const orphans = new Set(left.map(({ address }) => address))
  const changes = new Map((plan?.changes ?? []).map((change) => [change.address, change]))
  const unchecked = new Set((plan?.unchecked ?? []).map(({ address }) => address))
  const types = new Map([...changes.values(), ...left, ...desired].map(({ address, type }) => [address, type]))
  const nodes = [...types].map(([address, type]): ResourceNode => {
    const change = changes.get(address)
    return {
      address,
      type,
      ...defined({
        action: change?.action,
        blocked: change?.blocked && (true as const),
        unchecked: unchecked.has(address) ? (true as const) : undefined,
        orphan: orphans.has(address) ? (true as const) : undefined,
      }),
    }
  })
  const goes = (address: Address): boolean =>
    plan === undefined ? orphans.has(address) : changes.get(address)?.action === 'delete'
  const edges = [...desired, ...left].flatMap(({ address, dependsOn }) =>
    dependsOn
      .filter((needed) => types.has(needed))
      .map((needed) => (goes(address) && goes(needed) ? { from: needed, to: address } : { from: address, to: needed })),
  )
  return {
    workspace,
    ...defined({ runId }),
    nodes: nodes.toSorted((left, right) => inOrder(left.address, right.address)),
    edges: edges.toSorted((left, right) => inOrder(left.from, right.from) || inOrder(left.to, right.to)),
  }
}

const inOrder = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
