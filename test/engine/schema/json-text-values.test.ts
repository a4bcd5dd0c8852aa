import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { resolveValue } from '../../../core/engine/transport/secrets/resolve-value.ts'
import { textOfValue } from '../../../core/engine/values/texts/json-text.ts'
import { fillValue } from '../../../core/engine/workflows/apply/approved/fill-known.ts'
import { lawRuns } from '../../builders/laws.ts'
import { someValue } from '../../pages/render/arbitrary-plan.ts'

it.each<[string, Json, string | undefined]>([
  ['a text', 'a', 'a'],
  ['JSON in one order', { b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
  ['a number as it was written', [{ $number: '1.50' }], '[1.50]'],
  ['what only looks like a mark', { a: { $literal: { $after: 'x' } } }, '{"a":{"$after":"x"}}'],
  ['nothing where a part is not known', { a: [{ $after: 'a_b.c', pointer: '/id' }] }, undefined],
  ['nothing where a part is secret', [{ $secret: 'env:X' }], undefined],
  ['nothing where a part is sealed', [{ $sealed: 'hmac' }], undefined],
])('a value inside a text is written as %s', (_, value, text) => {
  expect(textOfValue(value)).toBe(text)
})

it('a text that is sent contains no internal mark, whatever it is made of', () =>
  fc.assert(
    fc.property(someValue, (value) => {
      expect(textOfValue(value) ?? '').not.toMatch(/\[object|\$(after|sealed|concat|number|live)"|\$secret":"env/)
    }),
    lawRuns(1_000),
  ))

const lookups = { secret: async () => '', live: () => ({}) }

it('a number that JavaScript would spell otherwise can be part of a text', async () => {
  expect(await resolveValue({ $concat: ['v', { $number: '1.50' }] }, lookups)).toBe('v1.50')
})

it('a list that an earlier command answers cannot be part of a text, and nothing is sent', async () => {
  const filled = fillValue({ $concat: ['v', { $after: 'a_b.c', pointer: '/list' }] }, () => [{ a: 1 }])
  expect(JSON.stringify(filled)).not.toContain('[object')
  await expect(resolveValue(filled, lookups)).rejects.toThrow('cannot be a part of a text')
})
