import { expect, test } from 'vitest'
import { commonEnds } from '../../../../core/engine/values/texts/common-ends.ts'

test.each<[string, string, number | undefined, [number, number]]>([
  ['abXYcd', 'abZcd', undefined, [2, 2]],
  ['aaa', 'aaaa', undefined, [3, 0]],
  ['', 'a', undefined, [0, 0]],
  ['abcd', 'abcd', 3, [3, 1]],
  ['abcXdef', 'abcYdef', 2, [2, 2]],
  ['xxend', 'yyyyend', 2, [0, 2]],
])('%s and %s share their ends (at most %s)', (left, right, most, [head, tail]) => {
  expect(commonEnds(left, right, most)).toEqual({ head, tail })
  expect(commonEnds(right, left, most)).toEqual({ head, tail })
})
