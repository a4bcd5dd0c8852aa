import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wavesOf } from '../../../core/engine/graph/graph.ts'
import { buildGraph } from '../../../core/engine/graph/resource-graph.ts'
import type { Change } from '../../../core/engine/schema/stored/plan.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aChange, object } from '../../builders/values/plans.ts'

const resource = (address: string, ...dependsOn: string[]) => ({ address, type: 'a_b', dependsOn })
const deleted = (address: string): Change => aChange({ address, action: 'delete', diff: object({}) })

describe('the graph of a workspace', () => {
  it('has all resources that are declared, recorded or changed, and no edge to a missing one', () => {
    const graph = buildGraph({
      workspace: 'w',
      desired: [resource('a_b.zone'), resource('a_b.www', 'a_b.zone')],
      recorded: [resource('a_b.zone'), resource('a_b.old', 'a_b.zone', 'a_b.forgotten')],
      plan: { changes: [deleted('a_b.lost')], unchecked: [{ address: 'a_b.zone', reason: 'timeout', detail: '' }] },
    })
    expect(graph.nodes).toEqual([
      { address: 'a_b.lost', type: 'a_b', action: 'delete' },
      { address: 'a_b.old', type: 'a_b', orphan: true },
      { address: 'a_b.www', type: 'a_b' },
      { address: 'a_b.zone', type: 'a_b', unchecked: true },
    ])
    expect(graph.edges).toEqual([
      { from: 'a_b.old', to: 'a_b.zone' },
      { from: 'a_b.www', to: 'a_b.zone' },
    ])
  })

  it('law: between two deletes the arrow is reversed, all others lead to the dependency, and no circle appears', () => {
    const drawn = fc.array(fc.record({ needs: fc.array(fc.nat(20)), goes: fc.boolean() }), {
      minLength: 1,
      maxLength: 10,
    })
    fc.assert(
      fc.property(drawn, (given) => {
        const all = given.map(({ needs }, n) =>
          resource(`a_b.n${n}`, ...(n === 0 ? [] : [...new Set(needs.map((each) => `a_b.n${each % n}`))])),
        )
        const goes = new Set(all.filter((_, n) => given[n]?.goes).map(({ address }) => address))
        const plan = { changes: [...goes].map(deleted), unchecked: [] }
        const { edges } = buildGraph({ workspace: 'w', desired: [], recorded: all, plan })
        const expected = all.flatMap(({ address, dependsOn }) =>
          dependsOn.map((each) => (goes.has(address) && goes.has(each) ? `${each} ${address}` : `${address} ${each}`)),
        )
        expect(edges.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(expected.toSorted())
        const deletes = [...goes].map((address) => ({
          address,
          dependsOn: edges.filter(({ from, to }) => from === address && goes.has(to)).map(({ to }) => to),
        }))
        expect(wavesOf(deletes).flat()).toHaveLength(goes.size)
      }),
      lawRuns(300),
    )
  })
})
