import { describe, expect, it } from 'vitest'
import { normalise } from '../../../core/engine/diff/normalise.ts'
import type { ObjectSchema } from '../../../core/engine/schema/attribute.ts'

const content = {
  type: 'string',
  cases: [
    { when: { type: ['AAAA'] }, normalise: ['ipv6'] },
    { when: { type: ['CNAME', 'MX'] }, normalise: ['oneSpace', 'trailingDot'] },
  ],
} as const

const schema: ObjectSchema = {
  attributes: {
    rrsets: {
      type: 'set',
      key: ['type'],
      element: {
        type: 'object',
        attributes: {
          type: { type: 'string', normalise: ['upper'] },
          records: { type: 'set', element: { type: 'object', attributes: { content } } },
        },
      },
    },
  },
}

const rrset = (type: string, text: string) => ({ rrsets: [{ type, records: [{ content: text }] }] })

describe('normalisers by case', () => {
  it.each([
    ['aaaa', '2001:0DB8::0001', 'AAAA', '2001:db8::1'],
    ['MX', '10  mail.example.org', 'MX', '10 mail.example.org.'],
    ['TXT', '"2001:0DB8::1"  ', 'TXT', '"2001:0DB8::1"  '],
  ])('%s %j is %s %j', (type, text, canonicalType, canonical) => {
    for (const side of ['desired', 'observed'] as const) {
      const once = normalise(schema, rrset(type, text), side)
      expect(once).toEqual(rrset(canonicalType, canonical))
      expect(normalise(schema, once, side)).toEqual(once)
    }
  })
})
