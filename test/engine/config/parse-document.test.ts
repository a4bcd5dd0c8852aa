import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDocument } from '../../../core/engine/config/syntax/parse-document.ts'
import { isLargeNumber } from '../../../core/engine/values/large-integer.ts'
import { lawRuns } from '../../builders/laws.ts'
import { lines } from '../../builders/workspaces/config.ts'

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
for (let level = 1; level <= 9; level += 1)
  bomb.push(
    `a${level}: &a${level} [${Array(10)
      .fill(`*a${level - 1}`)
      .join(', ')}]`,
  )

const broken: readonly (readonly [name: string, file: string, text: string, expected: readonly string[]])[] = [
  ['empty file', 'a.yaml', '', ['a.yaml:1:1 the file is empty']],
  ['blank file', 'a.json', ' \n', ['a.json:1:1 the file is empty']],
  ['only comments', 'a.yaml', '# nothing\n', ['a.yaml:1:1 the file has no value']],
  ['only comments, JSONC', 'a.jsonc', '// nothing\n', ['a.jsonc:1:1 the file has no value']],
  ['UTF-16', 'a.yaml', '\uFEFFa\u0000:\u0000', ['a.yaml:1:2 this is not UTF-8 text']],
  ['tab', 'a.yaml', 'a:\n\tb: 1\n', ['a.yaml:2:1 a tab in the indentation']],
  ['two documents', 'a.yaml', 'a: 1\n---\nb: 2\n', ['a.yaml:2:1 a second document starts here']],
  ['unclosed bracket', 'a.yaml', 'a: [1, 2\n', ['a.yaml:2:1 the indentation does not fit']],
  [
    'a brace in a value without quotes',
    'a.yaml',
    'a: { b: /x/{id} }\nc: { d: 1 }\ne: { f: [1, 2] }\n',
    ['a.yaml:1:12 something that does not belong here'],
  ],
  ['missing quote', 'a.yaml', 'a: "x\nb: 1\n', ['a.yaml:3:1 a character is missing here']],
  ['unknown tag', 'a.yaml', 'a: !x 1\n', ['a.yaml:1:4 a tag (!...) that is not known here']],
  [
    'duplicate key',
    'a.yaml',
    'a: 1\nb:\n  c: 1\n  c: 2\na: 3\n',
    [
      'a.yaml:4:3 the key "c" is written a second time (first in line 3)',
      'a.yaml:5:1 the key "a" is written a second time (first in line 1)',
    ],
  ],
  [
    'duplicate key, JSON',
    'a.json',
    '{"a": 1,\n "a": 2}',
    ['a.json:2:2 the key "a" is written a second time (first in line 1)'],
  ],
  ['no anchor', 'a.yaml', 'a: *b\n', ['a.yaml:1:4 the alias *b has no anchor before it']],
  ['anchor inside itself', 'a.yaml', 'a: &b [*b]\n', ['a.yaml:1:8 the alias *b has no anchor before it']],
  ['merge of a scalar', 'a.yaml', 'x: &x 1\na:\n  <<: *x\n', ['a.yaml:1:7 "<<" merges mappings only']],
  ['list as a key', 'a.yaml', '? [1]\n: 2\n', ['a.yaml:1:3 a key that is not text']],
  ['not a JSON number', 'a.yaml', 'a: .inf\n', ['a.yaml:1:4 a number that JSON does not have']],
  ['large number', 'a.json', '{"a": 1e20}', ['a.json:1:7 a whole number too large to be kept exactly in this form']],
  [
    'a number that was a double, Jsonnet',
    'a.jsonnet',
    '{"a": {"b": [1, 9007199254740992]}}',
    ['a.jsonnet:1:1 a whole number that Jsonnet does not keep exactly (at a.b[1] of its value)'],
  ],
  ['half a character', 'a.yaml', 'a: "\\ud83d"\n', ['a.yaml:1:4 half of a surrogate pair, which is not a character']],
  [
    'half a character, JSON',
    'a.json',
    '{"a": "\\ud83d"}',
    ['a.json:1:7 half of a surrogate pair, which is not a character'],
  ],
  [
    'half a character as a key',
    'a.json',
    '{"\\ud83d": 1}',
    ['a.json:1:2 half of a surrogate pair, which is not a character'],
  ],
  ['prototype', 'a.yaml', '__proto__: 1\n', ['a.yaml:1:1 the key "__proto__" cannot be used']],
  ['alias bomb', 'a.yaml', bomb.join('\n'), ['a.yaml:7:10 the aliases expand to more than 2000000 values']],
  ['deep list', 'a.yaml', nested('[', ']', 150), ['a.yaml:1:102 more than 100 levels of nesting']],
  ['deep list, JSON', 'a.json', nested('[', ']', 150), ['a.json:1:102 more than 100 levels of nesting']],
  ['very deep list', 'a.yaml', nested('[', ']', 50_000), ['a.yaml:1:102 more than 100 levels of nesting']],
  ['very deep list, JSON', 'a.json', nested('[', ']', 50_000), ['a.json:1:102 more than 100 levels of nesting']],
  ['comment in JSON', 'a.json', '{"a": 1} // x', ['a.json:1:10 a comment, which JSON does not have']],
  [
    'trailing comma in JSON',
    'a.json',
    '{"a": 1,}',
    ['a.json:1:9 a key is missing here', 'a.json:1:9 a value is missing here'],
  ],
]

test.each(broken)('a broken document is refused at the place of the mistake: %s', (_, file, text, expected) => {
  expect(lines(parseDocument(file, text).issues)).toEqual(expected)
})

const equal: readonly (readonly [name: string, file: string, text: string, expected: unknown])[] = [
  ['byte order mark', 'a.yaml', '\uFEFFa: 1\n', { a: 1 }],
  ['byte order mark, JSON', 'a.json', '\uFEFF{"a": 1}', { a: 1 }],
  ['Windows line ends', 'a.yaml', 'a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ['absent, null and empty', 'a.yaml', 'a:\nb: null\nc: ""\nd: []\ne: {}\n', { a: null, b: null, c: '', d: [], e: {} }],
  [
    'dates and words stay text',
    'a.yaml',
    'a: 2027-01-01\nb: yes\nc: on\nd: 12:30\n',
    { a: '2027-01-01', b: 'yes', c: 'on', d: '12:30' },
  ],
  ['numbers as keys', 'a.yaml', '010: a\n1.50: b\ntrue: c\n', { '010': 'a', '1.50': 'b', true: 'c' }],
  ['alias', 'a.yaml', 'a: &x {b: 1}\nc: *x\nd: [*x]\n', { a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] }],
  ['an anchor again', 'a.yaml', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n', { a: 1, b: 1, c: 2, d: 2 }],
  [
    'merge',
    'a.yaml',
    'x: &x {b: 1, c: 1}\ny: &y {c: 2, d: 2}\na:\n  c: 3\n  <<: [*x, *y]\n',
    {
      x: { b: 1, c: 1 },
      y: { c: 2, d: 2 },
      a: { b: 1, c: 3, d: 2 },
    },
  ],
  ['a quoted "<<" is a key', 'a.yaml', '"<<": 1\n', { '<<': 1 }],
  [
    'numbers beyond 2^53',
    'a.yaml',
    'a: 9007199254740993\nb: [-12345678901234567890, +9007199254740993, 0x20000000000001]\nc: 9007199254740991\n',
    {
      a: { $number: '9007199254740993' },
      b: [{ $number: '-12345678901234567890' }, { $number: '9007199254740993' }, { $number: '9007199254740993' }],
      c: 9007199254740991,
    },
  ],
  ['a number beyond 2^53, JSON', 'a.json', '{"a": 9007199254740993}', { a: { $number: '9007199254740993' } }],
  ['a number beyond 2^53 as a key', 'a.yaml', '9007199254740993: 1\n', { '9007199254740993': 1 }],
  ['comments and last comma', 'a.jsonc', '{ // x\n "a": [1,], /* y */ }', { a: [1] }],
]

test.each(equal)('a document is read as the value that it means: %s', (_, file, text, expected) => {
  const parsed = parseDocument(file, text)
  expect(parsed.issues).toEqual([])
  expect(parsed.value).toEqual(expected)
})

describe('the places of values', () => {
  const yaml = 'a:\n  b: [1, {c: x}]\n  d:\n    - e: ""\n      f:\n'
  const json = '{"a":\n {"b": [1, {"c": "x"}],\n  "d": [\n  {"e": "", "f": null}]}}'
  const places: readonly (readonly [path: readonly (string | number)[], yaml: string, json: string])[] = [
    [[], '1:1', '1:1'],
    [['a'], '1:1', '1:2'],
    [['a', 'b'], '2:3', '2:3'],
    [['a', 'b', 0], '2:7', '2:9'],
    [['a', 'b', 1, 'c'], '2:14', '2:18'],
    [['a', 'd', 0], '4:7', '4:3'],
    [['a', 'd', 0, 'e'], '4:10', '4:9'],
    [['a', 'd', 0, 'f'], '5:7', '4:13'],
    [['a', 'd', 0, 'missing', 'x'], '4:7', '4:3'],
    [['a', 'b', 9], '2:3', '2:3'],
  ]
  test.each(places)('finds where the value and the key of the path %j are written', (path, inYaml, inJson) => {
    const at = (file: string, text: string) => {
      const { line, column } = parseDocument(file, text).locate(path)
      return `${line}:${column}`
    }
    expect([at('a.yaml', yaml), at('a.json', json)]).toEqual([inYaml, inJson])
  })

  test('lead to where a merged member is written', () => {
    const parsed = parseDocument('a.yaml', 'x: &x\n  b: 1\na:\n  <<: *x\n')
    expect(parsed.locate(['a', 'b'])).toEqual({ file: 'a.yaml', line: 2, column: 6 })
  })
})

/** What keeps the digits of a large integer, as the number that other readers of JSON make of it. */
const asDoubles = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) => (isLargeNumber(each) ? Number(each.$number) : each))

test('JSON means the same in all three syntaxes', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string().filter((key) => key !== '__proto__'),
        fc.jsonValue(),
      ),
      (value) => {
        const text = JSON.stringify(value, null, 2)
        const plain = JSON.parse(text) as unknown
        for (const file of ['a.json', 'a.jsonc', 'a.yaml']) {
          const parsed = parseDocument(file, text)
          if (parsed.issues.length === 0) expect(asDoubles(parsed.value)).toEqual(asDoubles(plain))
          else expect(JSON.stringify(parsed.issues)).toMatch(/too large to be kept|__proto__|UTF-8|stands here/)
        }
      },
    ),
    lawRuns(200),
  )
})

test('no text makes the parser throw', () => {
  const pieces = [
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '\t',
    '[',
    ']',
    '{',
    '}',
    '&x ',
    '*x',
    '<<',
    '"',
    "'",
    '|',
    '>',
    '#',
    '!',
    '%',
    '---',
    '...',
    ',',
    '?',
    '1',
    '\uFEFF',
    '\u0000',
    '/*',
    '//',
    '\\u',
    '\r',
    '__proto__',
  ]
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((each) => each.join('')),
  )
  fc.assert(
    fc.property(text, fc.constantFrom('a.yaml', 'a.json', 'a.jsonc'), (written, file) => {
      const parsed = parseDocument(file, written)
      for (const issue of parsed.issues) {
        expect(issue.line).toBeGreaterThan(0)
        expect(issue.column).toBeGreaterThan(0)
      }
      expect(parsed.value === undefined && parsed.issues.length === 0).toBe(false)
    }),
    lawRuns(1500),
  )
})

describe('a long document', () => {
  const long = (value: string): string => `a: ${value}\nb:\n${'  - one of many\n'.repeat(5_000)}`

  test('is parsed once, as long as it and its file stay the same', () => {
    const parsed = parseDocument('a.yaml', long('1'))
    expect(parseDocument('a.yaml', long('1'))).toBe(parsed)
    expect(parseDocument('b.yaml', long('1')).locate(['a'])).toEqual({ file: 'b.yaml', line: 1, column: 4 })
    expect(parseDocument('a.yaml', long('2')).value).toMatchObject({ a: 2 })
    expect(parseDocument('a.yaml', long('1')).value).toMatchObject({ a: 1 })
  })
})

test('texts are parsed once while they are the two latest or few and short', () => {
  const text = (name: string, length: number) => `${name}: ${'x'.repeat(length)}\n`
  const parse = (name: string, length: number) => parseDocument('kept.yaml', text(name, length))
  const [first, second] = [parse('first', 400_000), parse('second', 400_000)]
  expect([parse('first', 400_000), parse('second', 400_000)]).toEqual([first, second])
  expect(parse('first', 400_000)).toBe(first)
  expect(parse('second', 400_000)).toBe(second)
  parse('third', 400_000)
  expect(parse('first', 400_000)).not.toBe(first)
})
