import { describe, expect, test } from 'vitest'
import { entry, pageOf, planOf, readPage, schemasWith } from '../builders/read-reports.ts'

/** The block of one update, from its first line to its last. */
const bodyOf = (block: object, change: object): string => {
  const page = pageOf(planOf([entry({ actions: ['update'], ...change })]), { schemas: schemasWith(block) })
  const lines = page.split('\n')
  return lines.slice(lines.findIndex((line) => line.includes('"thing" "a"')) + 1, lines.lastIndexOf('    }')).join('\n')
}

const attribute = (type: unknown, before: unknown, after: unknown, more: object = {}): string =>
  bodyOf({ attributes: { v: { type } } }, { before: { v: before }, after: { v: after }, ...more })

describe('values of attributes', () => {
  test.each<[string, unknown, unknown, unknown, string]>([
    ['number', 'number', 1, 2, '      ~ v = 1 -> 2'],
    ['empty text', 'string', '', 'x', '      + v = "x"'],
    ['escapes', 'string', 'a"\\\u0001', '\u200b\t', '      ~ v = "a\\"\\\\\\x01" -> "\\u200b\\t"'],
    [
      'explicit null in a map',
      ['map', 'string'],
      { a: 'x' },
      { a: null },
      '      ~ v = {\n          ~ "a" = "x" -> null\n        }',
    ],
    [
      'map key gone',
      ['map', 'string'],
      { a: 'x', 'b c': '1' },
      { 'b c': '1' },
      '      ~ v = {\n          - "a"   = "x" -> null\n            # (1 unchanged element hidden)\n        }',
    ],
    [
      'tuple',
      ['tuple', ['string', 'number']],
      ['a', 1],
      ['a', 2],
      '      ~ v = [\n            "a",\n          ~ 1 -> 2,\n        ]',
    ],
    [
      'dynamic',
      'dynamic',
      { a: 1 },
      [1],
      '      ~ v = {\n          - a = 1\n        } -> [\n          + 1,\n        ]',
    ],
    [
      'value of another kind than its type',
      ['list', 'string'],
      { a: '1' },
      { a: '2' },
      '      ~ v = {\n          ~ a = "1" -> "2"\n        }',
    ],
    [
      'JSON to text',
      'string',
      '{"a":1}',
      'x',
      '      ~ v = jsonencode(\n            {\n              - a = 1\n            }\n        ) -> "x"',
    ],
    [
      'JSON spelled otherwise',
      'string',
      '[1, 2]',
      '[1,2]',
      '      ~ v = jsonencode( # whitespace changes\n            [\n                1,\n                2,\n            ]\n        )',
    ],
    ['empty JSON gone', 'string', '{}', null, '      - v = jsonencode({})'],
    [
      'several lines from nothing',
      'string',
      null,
      'a\nb',
      '      + v = <<-EOT\n            a\n            b\n        EOT',
    ],
    ['several lines from one', 'string', 'a', 'a\nb', '      ~ v = <<-EOT\n            a\n          + b\n        EOT'],
    [
      'set of objects',
      ['set', ['object', { a: 'number' }]],
      [{ a: 1 }, { a: 2 }],
      [{ a: 2 }, { a: 3 }],
      '      ~ v = [\n          - {\n              - a = 1\n            },\n          + {\n              + a = 3\n            },\n            # (1 unchanged element hidden)\n        ]',
    ],
    [
      'list around a change',
      ['list', 'string'],
      ['a', 'b', 'c', 'd', 'e'],
      ['a', 'b', 'c', 'x', 'e'],
      '      ~ v = [\n            # (2 unchanged elements hidden)\n            "c",\n          - "d",\n          + "x",\n            "e",\n        ]',
    ],
    [
      'inner object',
      ['object', { tags: ['map', 'string'], z: 'string' }],
      { tags: { k: 'v' }, z: 'a' },
      { tags: { k: 'v' }, z: 'b' },
      '      ~ v = {\n            tags = {\n                "k" = "v"\n            }\n          ~ z    = "a" -> "b"\n        }',
    ],
  ])('are shown as OpenTofu shows them: %s', (_, type, before, after, lines) => {
    expect(attribute(type, before, after)).toBe(lines)
  })

  test('keep every digit of a number', () => {
    const text = JSON.stringify(planOf([entry({ actions: ['update'], before: { v: 1 }, after: { v: 2 } })]))
    const exact = text.replace('{"v":1}', '{"v":123456789012345678901}').replace('{"v":2}', '{"v":1.0}')
    expect(pageOf(exact, { schemas: schemasWith({ attributes: { v: { type: 'number' } } }) })).toContain(
      'v = 123456789012345678901 -> 1.0',
    )
  })

  test('can be unknown and force a replacement', () => {
    expect(attribute('string', 'a', null, { after: {}, after_unknown: { v: true }, replace_paths: [['v']] })).toBe(
      '      ~ v = "a" # forces replacement -> (known after apply) # forces replacement',
    )
  })

  test('can become sensitive', () => {
    expect(attribute('string', 'a', 'a', { after_sensitive: { v: true } })).toBe(
      '      # Warning: this attribute value will be marked as sensitive and will not\n      # display in UI output after applying this change. The value is unchanged.\n      ~ v = (sensitive value)',
    )
  })

  test('say that they force the replacement where they are hidden', () => {
    const sensitive = { before_sensitive: { v: true }, after_sensitive: { v: true }, replace_paths: [['v']] }
    expect(attribute('dynamic', 'a', 'b', sensitive)).toBe('      ~ v = (sensitive value) # forces replacement')
  })

  test('are not in the tree where they are secret', () => {
    const change = {
      actions: ['update'],
      before: { v: 'S3CR' },
      after: { v: ['S3CR'] },
      before_sensitive: { v: true },
      after_sensitive: { v: true },
    }
    expect(JSON.stringify(readPage(planOf([entry(change)])))).not.toContain('S3CR')
  })

  test('follow their object where they are write-only', () => {
    const block = { attributes: { v: { type: 'string' }, w: { type: 'string', write_only: true } } }
    expect(bodyOf(block, { before: { v: 'a', w: null }, after: { v: 'b', w: null } })).toBe(
      '      ~ v = "a" -> "b"\n      ~ w = (write-only attribute)',
    )
  })
})

describe('nested attributes', () => {
  const nested = (nesting_mode: string) => ({
    attributes: { v: { nested_type: { nesting_mode, attributes: { a: { type: 'string' }, id: { type: 'string' } } } } },
  })
  const one = { a: '1', id: 'i' }
  const two = { a: '2', id: 'i' }
  test.each<[string, unknown, unknown, string]>([
    ['single', one, two, '      ~ v = {\n          ~ a  = "1" -> "2"\n            id = "i"\n        }'],
    [
      'list',
      [two, one],
      [two],
      '      ~ v = [\n          - {\n              - a  = "1" -> null\n              - id = "i" -> null\n            },\n            # (1 unchanged element hidden)\n        ]',
    ],
    [
      'map',
      { long: one, k: one },
      { long: one, k: two },
      '      ~ v = {\n          ~ "k" = {\n              ~ a  = "1" -> "2"\n                id = "i"\n            },\n            # (1 unchanged element hidden)\n        }',
    ],
    [
      'set',
      [one],
      [],
      '      ~ v = [\n          - {\n              - a  = "1" -> null\n              - id = "i" -> null\n            },\n        ]',
    ],
  ])('are shown as OpenTofu shows them: %s', (mode, before, after, lines) => {
    expect(bodyOf(nested(mode), { before: { v: before }, after: { v: after } })).toBe(lines)
  })
})

describe('nested blocks', () => {
  const blocks = (nesting_mode: string) => ({
    attributes: { id: { type: 'string' } },
    block_types: { b: { nesting_mode, block: { attributes: { a: { type: 'string' } } } } },
  })
  const x = { a: 'x' }
  const y = { a: 'y' }
  const id = '        id = "i"\n\n'
  test.each<[string, unknown, unknown, object, string]>([
    ['single', x, y, {}, `${id}      ~ b {\n          ~ a = "x" -> "y"\n        }`],
    ['group', x, x, {}, `${id}        # (1 unchanged block hidden)`],
    [
      'list',
      [x, y],
      [y, y],
      {},
      `${id}      ~ b {\n          ~ a = "x" -> "y"\n        }\n\n        # (1 unchanged block hidden)`,
    ],
    [
      'set',
      [x],
      [y],
      { replace_paths: [['b']] },
      `${id}      - b { # forces replacement\n          - a = "x" -> null\n        }\n      + b { # forces replacement\n          + a = "y"\n        }`,
    ],
    ['map', { 'k 1': x }, { 'k 1': y }, {}, `${id}      ~ b "k 1" {\n          ~ a = "x" -> "y"\n        }`],
    [
      'list',
      [x],
      [y],
      { before_sensitive: { b: true }, after_sensitive: { b: true } },
      `${id}      ~ b {\n          # At least one attribute in this block is (or was) sensitive,\n          # so its contents will not be displayed.\n        }`,
    ],
    ['single', undefined, undefined, { after_unknown: { b: true } }, `${id}      + b (known after apply)`],
  ])('are shown as OpenTofu shows them: %s %j -> %j', (mode, before, after, more, lines) => {
    expect(bodyOf(blocks(mode), { before: { id: 'i', b: before }, after: { id: 'i', b: after }, ...more })).toBe(lines)
  })
})

test('states are shown with modules, taint, deposed objects and outputs', () => {
  const resource = {
    address: 'thing.a',
    mode: 'managed',
    type: 'thing',
    name: 'a',
    provider_name: 'p',
    values: { id: 'i' },
    sensitive_values: {},
  }
  const state = {
    format_version: '1.0',
    values: {
      outputs: {
        b: { sensitive: true, value: 'x' },
        a: { sensitive: false, type: ['map', 'string'], value: { k: 'v' } },
      },
      root_module: {
        resources: [
          { ...resource, tainted: true },
          { ...resource, deposed_key: 'd1' },
        ],
        child_modules: [{ resources: [{ ...resource, mode: 'data', address: 'module.m.data.thing.a' }] }],
      },
    },
  }
  expect(pageOf(state)).toBe(`# thing.a: (tainted)
resource "thing" "a" {
    id = "i"
}

# thing.a: (deposed object d1)
resource "thing" "a" {
    id = "i"
}


# module.m.data.thing.a:
data "thing" "a" {
    id = "i"
}


Outputs:

a = {
    "k" = "v"
}
b = (sensitive value)
`)
})
