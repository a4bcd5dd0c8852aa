import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIds } from '../../../functions/adapters/ids.ts'

const at = (time: number) => ({ now: () => new Date(time) })

test('a known ULID is spelled as in its specification', () => {
  const ids = createIds(at(1469918176385), () => new Uint8Array(10).fill(0xff))
  expect(ids.ulid()).toBe('01ARYZ6S41ZZZZZZZZZZZZZZZZ')
})

test('the next millisecond is used after the last random value of a millisecond', () => {
  const ids = createIds(at(1000), () => new Uint8Array(10).fill(0xff))
  const first = ids.ulid()
  const second = ids.ulid()
  expect(second > first).toBe(true)
  expect(second.slice(0, 10) > first.slice(0, 10)).toBe(true)
})

test('ids increase whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 2 ** 45 }), { minLength: 2, maxLength: 50 }), (times) => {
      let now = 0
      const ids = createIds({ now: () => new Date(now) })
      const made = times.map((time) => {
        now = time
        return ids.ulid()
      })
      expect([...made].sort()).toEqual(made)
      expect(new Set(made).size).toBe(made.length)
      for (const id of made) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    }),
  )
})
