import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asStoreError, whyFull } from '../../../functions/adapters/sqlite/failures.ts'

const failure = (errcode: number): Error => Object.assign(new Error('words of SQLite'), { errcode })

// https://sqlite.org/rescode.html
test.each([
  ['a full disk', 13, undefined, 'the disk is full'],
  ['a file to map that cannot grow', 4_874, 'ENOSPC', 'the disk is full'],
  ['a write that fails', 778, 'ENOSPC', 'the disk is full'],
  ['a write over the quota', 778, 'EDQUOT', 'the disk quota is used up'],
  ['a file that cannot be made', 14, 'EDQUOT', 'the disk quota is used up'],
  ['the same with room', 14, undefined, undefined],
  ['the same without the right', 14, 'EACCES', undefined],
  ['a write that fails with room', 778, undefined, undefined],
  ['another fault without room', 1, 'ENOSPC', undefined],
])('a full disk is known by what SQLite and a write say: %s', (_, errcode, code, words) => {
  expect(whyFull(failure(errcode), '/data/store.sqlite', () => code)).toBe(words)
})

test('the write leaves nothing behind, and no folder is no full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-room-'))
  using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
  expect(whyFull(failure(778), join(folder, 'store.sqlite'))).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
  expect(asStoreError(failure(778), '/no/such/folder/store.sqlite')).toMatchObject({ code: 'STORE_UNAVAILABLE' })
})
