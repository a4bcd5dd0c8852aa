import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReader, readStream } from '../../../../core/pages/tofu/read/read-json.ts'
import { parts, type Selection } from '../../../../core/pages/tofu/read/scan.ts'
import { createScanner } from '../../../../core/pages/tofu/read/scan-json.ts'
import { identityOf, type Value } from '../../../../core/pages/tofu/read/value.ts'
import { lawRuns } from '../../../builders/laws.ts'

/** Read in pieces of a length. */
const scan = (text: string, wanted: Selection, length: number): Value | undefined => {
  const scanner = createScanner('plan.json', wanted)
  for (let at = 0; at < text.length; at += length) scanner.push(text.slice(at, at + length))
  return scanner.end()
}

const isRead = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}

describe('a document that is read in pieces', () => {
  const length = fc.integer({ min: 1, max: 9 })

  test('is the same as read at once, however it is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue(), length, fc.constantFrom(0, 1), (value, pieces, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(identityOf(scan(text, 'all', pieces))).toBe(identityOf(scan(text, 'all', text.length)))
        expect(JSON.parse(identityOf(scan(text, 'all', pieces)))).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each<[string, Selection]>([
    ['wanted', 'all'],
    ['passed over', 'nothing'],
    ['looked into', { member: () => 'all', element: 'nothing' }],
  ])('is refused exactly where JSON.parse refuses it, for %s', (_, wanted) => {
    const text = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n\tu01.-+eEtrufalsn') })
    fc.assert(
      fc.property(text, length, (candidate, pieces) => {
        expect(isRead(() => scan(candidate, wanted, pieces))).toBe(isRead(() => JSON.parse(candidate)))
      }),
      lawRuns(3000),
    )
  })

  test('makes values only of the parts that are wanted', () => {
    const texts: string[] = []
    const wanted: Selection = parts({
      a: 'all',
      list: {
        element: {
          ...parts({ head: 'all' }),
          text: (text, head) => {
            texts.push(`${text} ${identityOf(head)}`)
            return head === undefined ? text : undefined
          },
        },
      },
      inner: parts({ y: 'all' }),
    })
    const text = '{"a":[1.0],"b":{"a":2},"list":[{"x":[{}],"head":"h"},7],"inner":{"x":[1],"y":null},"__proto__":1}'
    for (const pieces of [1, 2, 7, 1000]) {
      texts.length = 0
      expect(identityOf(scan(text, wanted, pieces))).toBe('{"a":[1.0],"inner":{"y":null},"list":["7"]}')
      expect(texts).toEqual(['{"x":[{}],"head":"h"} {"head":"h"}', '7 null'])
    }
  })

  test.each([
    ['{\n  "a": 1,\n  "b" 2\n}', 'plan.json is not JSON: ":" is missing (line 3, character 7)'],
    ['{"a": [1, 2', 'plan.json is not JSON: the document ends within a value (line 1, character 12)'],
    ['', 'plan.json is not JSON: the document ends within a value (line 1, character 1)'],
    ['{}\nx', 'plan.json is not JSON: something follows the value (line 2, character 1)'],
    ['[01]', 'plan.json is not JSON: no JSON value'],
    [`${'['.repeat(401)}`, 'plan.json is not JSON: more than 400 levels deep (line 1, character 401)'],
  ])('is refused as %j at its place', (text, why) => {
    for (const pieces of [1, 3, 1000]) expect(() => scan(text, 'nothing', pieces)).toThrow(why)
  })

  test('may be 400 levels deep', () => {
    expect(scan('['.repeat(400) + ']'.repeat(400), 'all', 50)).toHaveLength(1)
  })

  test.each(['utf8', 'utf16le', 'utf16be'] as const)('is read in %s, cut anywhere', async (encoding) => {
    const bytes = Buffer.from('\ufeff{"ä":"😀\\ud83d\\ude00"}', encoding === 'utf8' ? 'utf8' : 'utf16le')
    if (encoding === 'utf16be') bytes.swap16()
    const chunks = (async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte)
    })()
    const value = await readStream({ name: 'x', chunks }, createReader('x', 'all'))
    expect(identityOf(value)).toBe('{"ä":"😀😀"}')
  })
})
