import { describe, expect, test } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import type { ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import type { Diff } from '../../../core/engine/schema/diff.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { changedPaths } from '../../../core/engine/values/changed-paths.ts'
import { jsonInText } from '../../../core/engine/values/texts/json-in-text.ts'

const diffOf = (before: string, after: string): Diff => {
  const diff = compare({ attributes: { v: { type: 'string' } } }, { v: before }, { v: after })
  return diff.kind === 'object' ? diff.members['v']! : diff
}

const values = 'image:\n  tag: 1.25.3\nenv:\n  - name: A\n    value: x\n'
const deep = (n: number) => '['.repeat(n) + ']'.repeat(n)

describe('a text', () => {
  test.each<[Diff['kind'], string, string, string]>([
    ['json', 'an object', '{"a":1}', '{"a":2}'],
    ['json', 'a list over lines', '[\n1\n]', '[\n2\n]\n'],
    ['value', 'a member that comes twice', '{"a":1,"a":2}', '{"a":1,"a":3}'],
    ['text', 'one value a line', '{"a":1}\n{"b":1}\n', '{"a":1}\n{"b":2}\n'],
    ['value', 'something behind it', '{"a":1} x', '{"a":2} x'],
    ['value', 'a comma too many', '{"a":1,}', '{"a":2,}'],
    ['value', 'a raw control character', '["a\u0001"]', '["b\u0001"]'],
    ['value', 'a mere scalar', '1', '2'],
    ['value', 'too deep', deep(5_000), deep(5_001)],
    ['yaml', 'a mapping', values, values.replace('25.3', '25.4')],
    ['yaml', 'a list of mappings', '- a: 1\n- a: 2\n', '- a: 1\n- a: 3\n'],
    ['yaml', 'the same comment on both sides', `# c\n${values}`, `# c\n${values}b: 1\n`],
    ['yaml', 'a number in another spelling', 'a: 1.0\nb: 2\n', 'a: 1\nb: 2\n'],
    ['yaml', 'carriage returns', 'a: 1\r\nb: 2\r\n', 'a: 1\r\nb: 3\r\n'],
    ['yaml', 'text in it over lines', 'a: |\n  one\n  two\n', 'a: |\n  one\n  2\n'],
    ['text', 'a comment that changed', `# c\n${values}`, `# d\n${values}b: 1\n`],
    ['text', 'another spelling only', 'a: x\nb: 2\n', 'a: "x"\nb: 2\n'],
    ['text', 'another order only', 'a: 1\nb: 2\n', 'b: 2\na: 1\n'],
    ['text', 'quotes that some readers heed', 'a: yes\nb: 2\n', 'a: "yes"\nb: 3\n'],
    ['text', 'quotes of a key', '1: x\nb: 2\n', '"1": x\nb: 3\n'],
    ['yaml', 'numbers as keys', '1: x\nb: 2\n', '1: y\nb: 2\n'],
    ['value', 'one line', 'a: 1', 'a: 2'],
    ['text', 'prose', 'Note: this is\nsome text\n', 'Note: this is\nother text\n'],
    ['text', 'prose that is indented', 'Note: this is\n  some text\n', 'Note: this is\n  other text\n'],
    ['text', 'a list of texts', '- one\n- two\n', '- one\n- three\n'],
    ['text', 'a script', '#!/bin/sh\nset -e\n', '#!/bin/sh\nset -u\n'],
    ['text', 'a programme', 'class A:\n  def f(self):\n    return 1\n', 'class A:\n  def f(self):\n    return 2\n'],
    ['text', 'an ini file', '[a]\nb = 1\n', '[a]\nb = 2\n'],
    ['text', 'an anchor', 'a: &x 1\nb: *x\n', 'a: &x 2\nb: *x\n'],
    ['text', 'a tag', 'a: !!str 1\nb: 1\n', 'a: !!str 2\nb: 1\n'],
    ['text', 'a key that comes twice', 'a: 1\na: 2\n', 'a: 1\na: 3\n'],
    ['text', 'a key that is twice the same to us', '1: 1\n"1": 2\n', '1: 1\n"1": 3\n'],
    ['text', 'several documents', 'a: 1\n---\nb: 1\n', 'a: 1\n---\nb: 2\n'],
    ['text', 'a directive', '%YAML 1.1\n---\na: 1\n', '%YAML 1.1\n---\na: 2\n'],
    ['text', 'a key that is a list', '? [a]\n: 1\n', '? [a]\n: 2\n'],
    ['text', 'YAML on one side only', values, 'no more\nof it\n'],
  ])('is recognised as %s: %s', (kind, _, before, after) => {
    expect(diffOf(before, after)).toMatchObject({ kind, action: 'update' })
    expect(diffOf(after, before)).toMatchObject({ kind, action: 'update' })
  })
})

test('a number in a text keeps its spelling', () => {
  const diff = diffOf('{"a":12345678901234567890,"b":1e3,"c":2}', '{"a":12345678901234567891,"b":1000,"c":2}')
  expect(diff).toMatchObject({
    inner: {
      members: {
        a: { action: 'update', before: { $number: '12345678901234567890' } },
        b: { action: 'update', before: { $number: '1e3' }, after: 1000 },
        c: { action: 'same', before: 2 },
      },
    },
  })
})

test.each(['{"a":[1,2.5,-3,true,null,"x\\n\\u00e9\\\\"],"":{}}', '[]', ' {"__proto__":1} ', '[{"$sealed":"x"}]'])(
  '%s is read as it is written',
  (text) => {
    const value = JSON.parse(text)
    expect(jsonInText(text)).toEqual(text.includes('$') ? [{ $literal: value[0] }] : value)
  },
)

test('paired lines show which words changed', () => {
  const diff = diffOf('{\n  retries = 3\n  gone\n}', '{\n  retries = 4\n}')
  expect(diff).toEqual({
    kind: 'text',
    action: 'update',
    lines: [
      { action: 'same', text: '{' },
      { action: 'delete', text: '  retries = 3', changed: [[12, 13]] },
      { action: 'delete', text: '  gone' },
      { action: 'create', text: '  retries = 4', changed: [[12, 13]] },
      { action: 'same', text: '}' },
    ],
  })
})

test('a value inside YAML is not an attribute of the resource', () => {
  expect(changedPaths(diffOf(values, values.replace('25.3', '25.4')))).toEqual([[]])
})

describe('texts nested in texts', () => {
  /** JSON of 99 levels around what is at its end, in a text, and so on. */
  const wrapped = (times: number, levels: number, end: Json): Json => {
    let value = end
    for (let time = 0; time < times; time++) {
      for (let level = 0; level < levels; level++) value = { a: value, name: 'x' }
      value = JSON.stringify(value)
    }
    return value
  }
  const kindsOf = (diff: Diff): readonly string[] => {
    const inner = 'inner' in diff ? diff.inner : 'members' in diff ? diff.members['a'] : undefined
    return [...('inner' in diff ? [diff.kind] : []), ...(inner === undefined ? [] : kindsOf(inner))]
  }
  const compared = (times: number, levels: number): Diff => {
    const schema: ObjectSchema = { attributes: { a: { type: 'any' } } }
    return compare(schema, { a: wrapped(times, levels, 1) }, { a: wrapped(times, levels, 2) })
  }

  test('are parsed while their depth is small', () => expect(kindsOf(compared(3, 2))).toEqual(['json', 'json', 'json']))

  test('are compared as plain text where they are nested deeper than anybody writes', () => {
    const diff = compared(12, 99)
    expect([diff.action, kindsOf(diff)]).toEqual(['update', []])
  })
})
