import { expect, test } from 'vitest'
import { defined, present } from '../../../core/engine/values/defined.ts'

test('a member that is undefined is left out; null, false, 0 and an empty text are values', () => {
  const members = { a: undefined, b: null, c: false, d: 0, e: '' }
  expect(Object.entries(defined(members))).toEqual([
    ['b', null],
    ['c', false],
    ['d', 0],
    ['e', ''],
  ])
})

test('an item that is undefined or false is left out, the others keep their order; an empty text is an item', () => {
  expect(present('b', undefined, '', false, 'a')).toEqual(['b', '', 'a'])
  expect(present()).toEqual([])
})
