import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerPage, readCursor, writeCursor } from '../../../../functions/api/route/cursor.ts'

const list = ['ledger', 'acme', { actor: 'ada' }]
const refused = expect.objectContaining({ code: 'REQUEST_INVALID', status: 400 })

test('a cursor that was written can be read', () => {
  fc.assert(
    fc.property(fc.string(), (after) => {
      expect(readCursor(list, writeCursor(list, after))).toEqual({ after })
      expect(writeCursor(list, after)).toMatch(/^[\w-]*$/)
    }),
  )
})

test('a missing cursor means the first page', () => {
  expect(readCursor(list, undefined)).toEqual({})
})

test('a cursor with any changed character is refused', () => {
  const cursor = writeCursor(list, '01KAJ5V4X7Q2M3N4P5R6S7T8V9')
  for (let at = 0; at < cursor.length; at += 1) {
    const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    expect(() => readCursor(list, changed), changed).toThrow(refused)
  }
})

test.each([
  ['', list],
  ['x', list],
  ['%%', list],
  [Buffer.from('[1]').toString('base64url'), list],
  [Buffer.from('{"1":"a"}').toString('base64url'), list],
  [`${writeCursor(list, 'a')}=`, list],
  [writeCursor(list, 'a'), ['ledger', 'other', { actor: 'ada' }]],
  [writeCursor(list, 'a'), ['ledger', 'acme', {}]],
  [writeCursor(list, 'a'), ['export', 'acme', { actor: 'ada' }]],
])('%s is refused as a cursor of this list', (cursor, other) => {
  expect(() => readCursor(other, cursor)).toThrow(refused)
})

test('the last page has no cursor', async () => {
  const all = { limit: 5 }
  expect(await answerPage(list, all, async () => ({ items: [1] }))).toEqual({ status: 200, body: { items: [1] } })
  const { body } = await answerPage(list, all, async () => ({ items: [1], next: 'a' }))
  expect(body).toEqual({ items: [1], next: writeCursor(list, 'a') })
})

test('a page begins where the cursor says, and has the requested length', async () => {
  const query = { limit: 5, cursor: writeCursor(list, 'a') }
  const { body } = await answerPage(list, query, async (paging) => ({ items: [paging] }))
  expect(body).toEqual({ items: [{ limit: 5, after: 'a' }] })
})
