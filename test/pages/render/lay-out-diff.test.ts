import { describe, expect, it } from 'vitest'
import type { Diff } from '../../../core/engine/schema/diff.ts'
import type { Change, Plan } from '../../../core/engine/schema/stored/plan.ts'
import { layOutDiff, noAnnotations } from '../../../core/pages/render/rows/lay-out-diff.ts'
import {
  aChange,
  aPlan,
  created,
  deleted,
  list,
  object,
  same,
  text,
  unkeyed,
  updated,
} from '../../builders/values/plans.ts'
import { formatNames, renderPlan } from '../../builders/values/rendered.ts'

const planOf = (diff: Diff, over: Partial<Change> = {}): Plan =>
  aPlan({ changes: [aChange({ address: 'a_b.c', action: 'update', diff: object({ at: diff }), ...over })] })

/** The lines below the header of the one change. */
const lines = (plan: Plan): readonly string[] => {
  const page = renderPlan(plan, { format: 'text', width: 100 }).split('\n')
  const rows = page.slice(page.findIndex((line) => line.includes('~ a_b.c')) + 1)
  return rows.slice(0, rows.indexOf('')).map((line) => line.slice(5))
}

describe('the layout of a difference', () => {
  it.each<readonly [string, Diff, readonly string[]]>([
    ['white space at the end', text(['-a  ', '+a']), ['~ at', '  - | a\\u0020\\u0020', '  + | a']],
    ['a lost final line feed', text([' a', '-']), ['~ at  # loses its final newline', '    (1 equal line)']],
    ['a new empty line at the end', text([' a', '+', ' ']), ['~ at', '    | a', '  + |']],
    ['a text that comes', text(['+a', '+b', '+'], 'create'), ['+ at', '  + | a', '  + | b']],
    ['lines in place of a number', updated(1, 'a\nb\n'), ['~ at', '  - | 1', '  + | a', '  + | b']],
    ['a text in place of a list', updated(['x'], 'y'), ['~ at  ["x"] -> "y"']],
    ['a JSON text that comes', created('{"a":1,"b":[2]}'), ['+ at  # JSON text', '  + a  1', '  + b  [2]']],
    ['a JSON text that goes', deleted('{"a":1}'), ['- at  # JSON text', '  - a  1']],
    ['a list in JSON that comes', created('[1,{"a":2}]'), ['+ at  # JSON text', '  + [1,{"a":2}]']],
    ['JSON that is empty', created('{}'), ['+ at  "{}"']],
    ['null and empty', updated(null, ''), ['~ at  null -> ""']],
    [
      'an element without a key, by what tells it from the others',
      unkeyed(
        [
          object({ port: same(443), name: same('web'), open: updated(true, false) }),
          object({ name: same('db') }),
          object({ size: updated(1, 2) }),
          created({ name: 'x' }),
        ],
        'update',
        ['web', 'db'],
      ),
      [
        '~ at',
        '  ~ web',
        '    ~ open  true -> false',
        '      (2 unchanged attributes)',
        '  ~ (element)',
        '    ~ size  1 -> 2',
        '  + {"name":"x"}',
        '    (1 unchanged element: db)',
      ],
    ],
    [
      'an element of a list, by index and what tells it from the others',
      list(
        [
          same({ bucket_key: 7 }),
          object({ Sid: same('A'), Effect: updated('Allow', 'Deny') }),
          ...[1, 2, 3, 4].map(same),
        ],
        'update',
        ['bucket\u001b', 'A'],
      ),
      [
        '~ at',
        '    (1 unchanged element: [0] bucket\\u001b)',
        '  ~ [1] A',
        '    ~ Effect  "Allow" -> "Deny"',
        '      (1 unchanged attribute)',
        '    (4 unchanged elements: [2] to [5])',
      ],
    ],
    [
      'two elements that are alike',
      { kind: 'set', action: 'update', elements: [{ likened: true, diff: object({ a: updated(1, 2) }) }] },
      ['~ at', '  ~ (element)  # similar elements, shown as one change', '    ~ a  1 -> 2'],
    ],
    [
      'a block that there is only one of',
      { ...list([object({ size: updated(8, 16) })]), syntax: 'block' },
      ['~ at', '  ~ size  8 -> 16'],
    ],
    [
      'YAML in a text',
      { kind: 'yaml', action: 'update', inner: object({ replicas: updated(1, 2) }) },
      ['~ at  # YAML text', '  ~ replicas  1 -> 2'],
    ],
    [
      'YAML that is only spelled anew',
      { kind: 'yaml', action: 'update', inner: same(1) },
      ['~ at  # only the spelling of the YAML text changes'],
    ],
    ['what is sent and never read', { kind: 'value', action: 'update', writeOnly: true }, ['~ at  (write-only)']],
    [
      'what forces the replacement and does not differ',
      object({ deep: list([object({ a: { ...same('x'), forcesReplacement: true }, b: same(1) })]) }, 'same'),
      ['  at', '    deep', '      [0]', '        a  "x"  # forces replacement', '        (1 unchanged attribute)'],
    ],
    [
      'several that are known later',
      object({
        arn: { kind: 'value', action: 'create', unknown: true },
        id: { kind: 'value', action: 'create', unknown: true },
        size: created(1),
      }),
      ['~ at', '  + size  1', '  + (2 attributes known after apply: arn, id)'],
    ],
    [
      'several of which each has something to say',
      object({
        a: { kind: 'value', action: 'create', unknown: true, sensitive: true },
        b: { kind: 'value', action: 'create', unknown: true, forcesReplacement: true },
        c: { kind: 'value', action: 'create', unknown: true, writeOnly: true },
        d: { kind: 'value', action: 'create', unknown: true },
      }),
      [
        '~ at',
        '  + a  (sensitive)',
        '  + b  (known after apply)  # forces replacement',
        '  + c  (write-only)',
        '  + d  (known after apply)',
      ],
    ],
    [
      'a number as its source spells it',
      updated({ $number: '1.0' }, { $number: '12345678901234567890.10' }),
      ['~ at  1.0 -> 12345678901234567890.10'],
    ],
    [
      'what makes it a replacement',
      { ...updated(1, 2), forcesReplacement: true },
      ['~ at  1 -> 2  # forces replacement'],
    ],
    [
      'what forces the replacement inside an element shown in one line',
      list([created({ id: 'b' }), object({ id: { ...deleted('a'), forcesReplacement: true } }, 'delete')]),
      ['~ at', '  + [0]  {"id":"b"}', '  - [0]  {"id":"a"}  # forces replacement'],
    ],
    [
      'a value that becomes a secret',
      { kind: 'value', action: 'update', sensitive: true, secrecy: 'gained' },
      ['~ at  (sensitive)  # becomes sensitive'],
    ],
    [
      'a secret that is none any more',
      { kind: 'value', action: 'update', sensitive: true, secrecy: 'lost' },
      ['~ at  (sensitive)  # the new value is not sensitive'],
    ],
    ['a secret', { kind: 'value', action: 'update', sensitive: true }, ['~ at  (sensitive)']],
    [
      'a value of an earlier command',
      { kind: 'value', action: 'update', unknown: true, before: 1, after: { $after: 'a_b.d', pointer: '/id' } },
      ['~ at  1 -> (known after apply: a_b.d /id)'],
    ],
    [
      'a value that is not known',
      { kind: 'value', action: 'update', unknown: true, before: 1 },
      ['~ at  1 -> (known after apply)'],
    ],
    [
      'the place of an element of a list',
      list([same(1), same(2), created(3), same(4), deleted(5)]),
      ['~ at', '    (2 unchanged elements: [0], [1])', '  + [2]  3', '    (1 unchanged element: [3])', '  - [3]  5'],
    ],
    [
      'elements without a key',
      unkeyed([same(1), deleted(2), created(3)]),
      ['~ at', '  - 2', '  + 3', '    (1 unchanged element)'],
    ],
    [
      'free keys',
      { kind: 'map', action: 'update', members: { 'a b': created(1), 'x-y': deleted(2), z: same(3) } },
      ['~ at', '  + "a b"  1', '  - x-y    2', '    (1 unchanged entry)'],
    ],
    [
      'a change far inside a text',
      text([...Array<string>(9).fill(' x'), '-old', '+new', ...Array<string>(9).fill(' y'), ' ']),
      [
        '~ at',
        '    (6 equal lines)',
        '    | x',
        '    | x',
        '    | x',
        '  - | old',
        '  + | new',
        '    | y',
        '    | y',
        '    | y',
        '    (6 equal lines)',
      ],
    ],
  ])('shows what changed, and how: %s', (_, diff, expected) => expect(lines(planOf(diff))).toEqual(expected))
})

describe('the change within a line', () => {
  const within = (text: string, changed: readonly (readonly [number, number])[]) =>
    renderPlan(
      planOf({
        kind: 'text',
        action: 'update',
        lines: [
          { action: 'delete', text },
          { action: 'create', text, changed },
        ],
      }),
      { format: 'text', color: true },
    )
      .split('\n')
      .find((line) => line.includes('+') && line.includes('|'))
  const marked = (text: string) => `\u001b[32m\u001b[1m\u001b[4m${text}\u001b[24m\u001b[22m\u001b[39m`
  const plainly = (text: string) => `\u001b[32m${text}\u001b[39m`

  it.each<readonly [string, string, readonly (readonly [number, number])[], string]>([
    ['a word', 'a bad day', [[2, 5]], plainly('a ') + marked('bad') + plainly(' day')],
    [
      'several',
      'abc',
      [
        [0, 1],
        [2, 3],
      ],
      marked('a') + plainly('b') + marked('c'),
    ],
    ['white space at the end', 'a  ', [[1, 3]], plainly('a') + marked('\\u0020\\u0020')],
    ['a control character', 'a\tb', [[1, 2]], plainly('a') + marked('\\t') + plainly('b')],
    ['never half a character', 'a😀b', [[2, 3]], plainly('a') + marked('😀') + plainly('b')],
    [
      'never outside of the line',
      'ab',
      [
        [9, 1],
        [1, 99],
        [-3, -1],
      ],
      plainly('a') + marked('b'),
    ],
  ])('is marked: %s', (_, text, changed, expected) => {
    expect(within(text, changed)?.endsWith(`\u001b[2m|\u001b[22m ${expected}`)).toBe(true)
  })
})

it('is marked in values of one line, whose parts join to the whole value', () => {
  const [row] = layOutDiff(object({ at: updated('a "bad" 😀 day\tx', 'a "good" 😀 day\tx') }), noAnnotations)
  expect(row?.changed?.before.map(({ text: part, changed }) => (changed ? `<${part}>` : part)).join('')).toBe(
    '"a \\"<bad>\\" 😀 day\\tx"',
  )
  for (const side of ['before', 'after'] as const)
    expect(row?.changed?.[side].map((part) => part.text).join('')).toBe(row?.[side])
})

it('is not marked in an unchanged line', () => {
  const lines = [
    { action: 'same', text: 'as it was', changed: [[0, 2]] },
    { action: 'create', text: 'more' },
  ] as const
  const page = renderPlan(planOf({ kind: 'text', action: 'update', lines }), { format: 'text', color: true })
  expect(page).toContain('| as it was'.replace('|', '\u001b[2m|\u001b[22m'))
})

it.each(formatNames)('shows nothing that a diff calls sensitive, in %s', (format) => {
  const hidden = (value: Diff): Diff => ({ ...value, sensitive: true })
  const diff = object({
    value: hidden(updated('CANARY', 'CANARY2')),
    object: hidden(object({ a: updated('CANARY', 'x') })),
    list: list([hidden(created('CANARY'))]),
    whole: object({ a: hidden(created('CANARY')) }, 'create'),
    block: { ...list([hidden(object({ a: updated('CANARY', 'x') }))]), syntax: 'block' },
    named: list([
      object({ name: hidden(same('CANARY')), a: updated(1, 2) }),
      hidden({ ...object({ name: same('CANARY') }), action: 'update' }),
      hidden(same({ name: 'CANARY' })),
    ]),
    json: { kind: 'json', action: 'update', inner: hidden(object({ CANARY: updated(1, 2) })) },
  })
  const drift = { address: 'a_b.d', type: 'a_b', name: 'd', kind: 'changed', diff } as const
  expect(renderPlan({ ...planOf(diff), drift: [drift] }, { format })).not.toContain('CANARY')
})

it('is explained for each attribute', () => {
  const plan = planOf(
    object({
      a: updated(1, 2),
      b: updated(1, 2),
      c: object({ d: created(1), e: created(2) }, 'create'),
      f: updated(1, 2),
    }),
    {
      causes: [
        { path: ['at', 'a'], cause: 'drift' },
        { path: ['at', 'b'], cause: 'new' },
        { path: ['at', 'c', 'd'], cause: 'pending' },
        { path: ['at', 'c', 'e'], cause: 'conflict' },
      ],
    },
  )
  expect(lines(plan)).toEqual([
    '~ at',
    '  ~ a  1 -> 2  # drift',
    '  ~ b  1 -> 2',
    '  + c  {"d":1,"e":2}  # pending, conflict',
    '  ~ f  1 -> 2',
  ])
})
