import { describe, expect, test } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import { align } from '../../../core/engine/diff/matching/align.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'

/** Objects that count how often one of them is looked into. */
const counted = (n: number, more: (place: number) => JsonObject) => {
  let looks = 0
  const elements = Array.from({ length: n }, (_, place) => {
    const element: Record<string, unknown> = { ...more(place) }
    Object.defineProperty(element, 'name', {
      enumerable: true,
      get: () => {
        looks += 1
        return `name-${place}`
      },
    })
    return element as JsonObject
  })
  return { elements, looks: () => looks }
}

const looksOf = (type: 'list' | 'set', n: number): number => {
  const v: Attribute = {
    type,
    element: { type: 'object', attributes: { name: { type: 'string' }, v: { type: 'any' } } },
  }
  const before = counted(n, (place) => ({ v: place }))
  const after = counted(n, (place) => ({ v: place % 100 === 7 ? -place : place }))
  const order = type === 'set' ? after.elements.toReversed() : after.elements
  const diff = compare({ attributes: { v } }, { v: before.elements }, { v: order })
  expect(diff.action).toBe('update')
  return before.looks() + after.looks()
}

describe('comparing lists costs time in proportion to their length, and not to its square', () => {
  test('objects of a list are compared with only a few others each', () => {
    const [one, two] = [looksOf('list', 1_000), looksOf('list', 2_000)]
    expect(one / 2_000).toBeLessThan(20)
    expect(two / one).toBeLessThan(2.2)
  })

  test('of 10,000 lines with 100 edits only those near an edit are compared with each other', () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n}`)
    const edited = lines.map((line, n) => (n % 100 === 50 ? `${line} edited` : line))
    let asked = 0
    const likeness = () => {
      asked += 1
      return 1
    }
    expect(align(lines, edited, { likeness }).filter(({ before, after }) => before !== after)).toEqual([])
    expect(asked).toBe(100)
  })
})

test('elements of a set are found by their content, and not by comparing each with each', () => {
  const [one, two] = [looksOf('set', 1_000), looksOf('set', 2_000)]
  expect(one / 2_000).toBeLessThan(50)
  expect(two / one).toBeLessThan(2.5)
})
