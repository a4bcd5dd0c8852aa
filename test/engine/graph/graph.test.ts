import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GraphNode } from '../../../core/engine/graph/graph.ts'
import { orderLeniently, wavesOf } from '../../../core/engine/graph/graph.ts'
import { long } from '../../builders/long.ts'

const nodes = (edges: Record<string, string[]>): GraphNode[] =>
  Object.entries(edges).map(([address, dependsOn]) => ({ address, dependsOn }))

const cycleOf = (edges: Record<string, string[]>): string => {
  try {
    wavesOf(nodes(edges))
    return 'none'
  } catch (error) {
    return String((error as Error).message)
  }
}

describe('waves of addresses', () => {
  test.each([
    ['nothing', {}, []],
    ['no dependency', { b: [], a: [] }, [['a', 'b']]],
    ['a chain', { a: ['b'], b: ['c'], c: [] }, [['c'], ['b'], ['a']]],
    ['a diamond', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, [['d'], ['b', 'c'], ['a']]],
    ['an edge written twice', { a: ['b', 'b'], b: [] }, [['b'], ['a']]],
    ['an edge to an unknown address', { a: ['gone'] }, [['a']]],
  ])('put each address after what it depends on: %s', (_, edges, expected) =>
    expect(wavesOf(nodes(edges))).toEqual(expected),
  )
})

describe('a circle is refused and printed', () => {
  test.each([
    ['of one', { a: ['a'] }, 'a -> a'],
    ['of two', { a: ['b'], b: ['a'] }, 'a -> b -> a'],
    ['with tails on both ends', { x: ['a'], a: ['b'], b: ['c'], c: ['a', 'y'], y: [] }, 'a -> b -> c -> a'],
    ['the shortest of several', { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['c'] }, 'c -> d -> c'],
  ])('prints the circle: %s', (_, edges, expected) =>
    expect(cycleOf(edges)).toBe(`the dependencies of the resources form a cycle: ${expected}`),
  )

  test('is put last by orderLeniently instead', () => {
    expect(orderLeniently(nodes({ a: ['b'], b: ['a'], c: [] }))).toEqual(['c', 'a', 'b'])
  })
})

const acyclic = fc
  .array(fc.array(fc.nat({ max: 30 }), { maxLength: 5 }), { maxLength: 30 })
  .map((rows) => rows.map((row, i) => ({ address: `n${i}`, dependsOn: row.filter((j) => j < i).map((j) => `n${j}`) })))

test('every dependency comes before its dependents, whatever the order of the nodes', () =>
  fc.assert(
    fc.property(acyclic, (list) => {
      const ranked = new Map(
        wavesOf(list)
          .flat()
          .map((address, rank) => [address, rank]),
      )
      expect(ranked.size).toBe(list.length)
      for (const { address, dependsOn } of list) {
        for (const need of dependsOn) expect(ranked.get(need)).toBeLessThan(ranked.get(address)!)
      }
      expect(wavesOf([...list].reverse()).flat()).toEqual([...ranked.keys()])
    }),
  ))

test('100,000 nodes are put in order, and a ring among them is found', long, () => {
  const many = Array.from({ length: 100_000 }, (_, i) => ({
    address: `n${i}`,
    dependsOn: i === 0 ? [] : [`n${i >> 1}`, `n${i - 1}`],
  }))
  expect(wavesOf(many).flat()).toHaveLength(100_000)
  const ring = many.map(({ address }, i) => ({ address, dependsOn: [`n${(i + 1) % many.length}`] }))
  expect(() => wavesOf(ring)).toThrow('cycle')
})
