import type { statfsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asStoreError, isDiskFull } from '../../../functions/adapters/sqlite/failures.ts'

const failure = (errcode: number): Error => Object.assign(new Error('words of SQLite'), { errcode })

const diskWith = (free: number, blocks = 1_000): typeof statfsSync =>
  (() => ({ blocks, bavail: free / 4_096, bsize: 4_096 })) as unknown as typeof statfsSync

// https://sqlite.org/rescode.html
test.each([
  ['a full disk', 13, 2 ** 40, true],
  ['a file to map that cannot grow', 4_874, 20 * 1_024, true],
  ['a write that fails', 778, 0, true],
  ['a file that cannot be made', 14, 4_096, true],
  ['the same with room', 14, 2 ** 30, false],
  ['a write that fails with room', 778, 2 ** 30, false],
  ['another fault without room', 1, 0, false],
])('a full disk is known by what SQLite and the disk say: %s', (_, errcode, free, isFull) => {
  expect(isDiskFull(failure(errcode), '/data/store.sqlite', diskWith(free))).toBe(isFull)
})

test('a disk that does not tell its size is not full', () => {
  expect(isDiskFull(failure(778), '/data/store.sqlite', diskWith(0, 0))).toBe(false)
  expect(asStoreError(failure(778), '/no/such/folder/store.sqlite')).toMatchObject({ code: 'STORE_UNAVAILABLE' })
})
