import { expect, test } from 'vitest'
import { byPlace, diagnostics, said } from '../../../core/engine/values/diagnose.ts'

test('problems are in the order of files, lines and columns', () => {
  const at = (file: string, line: number, column: number) => ({ file, line, column })
  const ordered = [at('a', 2, 9), at('b', 1, 1), at('b', 1, 2), at('b', 3, 1)]
  expect(ordered.toReversed().toSorted(byPlace)).toEqual(ordered)
  expect([...ordered.slice(2), ...ordered.slice(0, 2)].toSorted(byPlace)).toEqual(ordered)
})

test('a problem has a code, and sentences about its facts', () => {
  const say = diagnostics({ missing: (name: string) => said(`${name} is missing`, 'add it') })
  expect(say('missing', 'a')).toEqual({ code: 'missing', message: 'a is missing', fix: 'add it' })
})
