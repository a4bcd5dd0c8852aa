import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../../../core/engine/schema/json.ts'
import { present } from '../../../core/engine/values/defined.ts'
import { entry, map, openMap, writeYaml } from '../../../core/tools/authoring/init/draft/yaml.ts'
import { lawRuns } from '../../builders/laws.ts'

const odd = fc.constantFrom(
  '',
  'yes',
  'null',
  '#',
  'a: b',
  '- a',
  '\u0000',
  '\u0007',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '1',
  '{x}',
  'a\nb',
)
const text = fc.oneof(odd, fc.string({ unit: 'grapheme' }))
const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom<Json>(null, true, false, 0, -1.5),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      tie('json'),
      { maxKeys: 3 },
    ) as fc.Arbitrary<Json>,
  ),
})).json

describe('a draft as YAML', () => {
  it('says what was written, whatever the values and the comments', () => {
    return fc.assert(
      fc.property(json, fc.array(text, { maxLength: 2 }), (of, comments) => {
        const entries = present(
          entry('a', of, comments),
          { key: 'b', node: map(entry('c', of, comments)) },
          { key: 'd', node: openMap(entry('e', of), entry('none', undefined), false) },
          { key: 'f', node: { kind: 'list' as const, items: [present(entry('g', of, comments))] } },
        )
        const written = writeYaml(entries, ['A header.', ...comments])
        expect(parse(written)).toEqual({ a: of, b: { c: of }, d: { e: of }, f: [{ g: of }] })
      }),
      lawRuns(300),
    )
  })

  it('spells control characters out, and keeps what fits on one line', () => {
    const entries = [{ key: 'a', node: map(entry('b', '\u0085x')) }]
    expect(writeYaml(entries, [])).toBe('a: { b: "\\u0085x" }\n')
    const long = [{ key: 'a', node: map(entry('b', 'x'.repeat(120))) }]
    expect(writeYaml(long, ['h'])).toBe(`# h\na:\n  b: ${'x'.repeat(120)}\n`)
  })
})
