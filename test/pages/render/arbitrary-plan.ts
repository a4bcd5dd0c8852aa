import * as fc from 'fast-check'
import type { Diff, DiffAction } from '../../../core/engine/schema/diff.ts'
import type { Json, JsonObject, Path } from '../../../core/engine/schema/json.ts'
import type { Change, Plan } from '../../../core/engine/schema/stored/plan.ts'
import { aChange, aCommand, aPlan, created, deleted, same, updated } from '../../builders/values/plans.ts'

/** What an attacker or an odd API would put into a text. */
const nasty = fc.constantFrom(
  '\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  'a\r\nb',
  '\u202eevil',
  '```\n</details><script>',
  '| a | @everyone',
  '$(rm -rf /)`id`',
  '日本語',
  '👩‍👩‍👧',
  '\ud800',
  '\u009b2J',
  '__proto__',
  '',
)
export const someText = fc.oneof(nasty, fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 8 }))

export const digestOfSecret = `hmac-sha256:${'c0ffee'.repeat(10)}dead`
const secretMarks: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  { $sealed: digestOfSecret },
  { $secret: 'env:TOKEN', digest: digestOfSecret },
  { $concat: ['Bearer ', { $secret: 'env:TOKEN', digest: digestOfSecret }], digest: digestOfSecret },
)
const marks: fc.Arbitrary<Json> = fc.oneof(
  secretMarks,
  fc.constantFrom<Json>(
    { $after: 'a_b.c', pointer: '/id' },
    { $ref: 'a_b.c', pointer: '/id' },
    { $concat: ['http://', { $after: 'a_b.c', pointer: '/host' }] },
    { $literal: { $secret: 'not one' } },
    { $literal: { $ref: [{ $after: 'a_b.c', pointer: '/id' }] } },
    { $number: '12345678901234567890' },
    { $concat: ['no ', { $number: '1.50' }, { $literal: { $ref: { $number: '1.0' } } }] },
    { $concat: [{ $concat: ['a', { $sealed: digestOfSecret }] }, { $after: 'a_b.c', pointer: '/id' }] },
    { $live: 'a_b.c#main', except: [], without: ['/x'], with: { '/a': { $after: 'a_b.c', pointer: '/id' } } },
  ),
)

export const someValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    someText,
    fc.constantFrom<Json>(null, true, 0, -1.5, 'two\nlines\n', '{"a":1}'),
    marks,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(someText, tie('value'), { maxKeys: 3 }),
  ),
})).value

export const someObject: fc.Arbitrary<JsonObject> = fc.dictionary(someText, someValue, { maxKeys: 4 })

const someAction = fc.constantFrom<DiffAction>('same', 'create', 'update', 'delete')

/** Any diff of the shape, consistent or not. */
export const someDiff: fc.Arbitrary<Diff> = fc.letrec<{ diff: Diff }>((tie) => {
  const node = { action: someAction }
  const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
  const ranges = fc.array(fc.tuple(fc.integer({ min: -2, max: 14 }), fc.nat(14)), { maxLength: 3 })
  const trim = (value: object): Diff => JSON.parse(JSON.stringify(value)) as Diff
  const flags = {
    sensitive: optional(fc.constant(true)),
    secrecy: optional(fc.constantFrom('gained', 'lost')),
    unknown: optional(fc.constant(true)),
    forcesReplacement: optional(fc.constant(true)),
    writeOnly: fc.option(fc.constant(true), { nil: undefined, freq: 9 }),
    syntax: optional(fc.constantFrom('block', 'nested')),
  }
  return {
    diff: fc
      .oneof(
        { maxDepth: 4 },
        fc.record({
          kind: fc.constant('value'),
          ...node,
          ...flags,
          before: optional(someValue),
          after: optional(someValue),
          changed: optional(fc.record({ before: ranges, after: ranges })),
        }),
        fc.record({
          kind: fc.constant('text'),
          ...node,
          lines: fc.array(
            fc.record({
              action: fc.constantFrom('same', 'create', 'delete'),
              text: someText,
              changed: optional(ranges),
            }),
            { maxLength: 12 },
          ),
        }),
        fc.record({
          kind: fc.constantFrom('object', 'map'),
          ...node,
          ...flags,
          members: fc.dictionary(someText, tie('diff'), { maxKeys: 4 }),
        }),
        fc.record({
          kind: fc.constantFrom('list', 'tuple'),
          ...node,
          ...flags,
          elements: fc.array(
            fc.record({
              before: optional(fc.nat(9)),
              after: optional(fc.nat(9)),
              label: optional(someText),
              diff: tie('diff'),
            }),
            { maxLength: 4 },
          ),
        }),
        fc.record({
          kind: fc.constant('set'),
          ...node,
          ...flags,
          elements: fc.array(
            fc.record({
              key: optional(someText),
              label: optional(someText),
              likened: optional(fc.constant(true)),
              diff: tie('diff'),
            }),
            { maxLength: 4 },
          ),
        }),
        fc.record({ kind: fc.constantFrom('json', 'yaml'), ...node, ...flags, inner: tie('diff') }),
      )
      .map(trim),
  }
}).diff

export const somePath: fc.Arbitrary<Path> = fc.array(fc.oneof(someText, fc.nat(9)), { maxLength: 3 })

const someChange: fc.Arbitrary<Change> = fc
  .record({
    address: someText.map((text) => `t_x.${text}`),
    action: fc.constantFrom<Change['action']>('create', 'update', 'replace', 'delete'),
    diff: someDiff,
    before: fc.option(someObject),
    after: fc.option(someObject),
    causes: fc.array(
      fc.record({ path: somePath, cause: fc.constantFrom('drift', 'pending', 'conflict', 'new') } as const),
      { maxLength: 3 },
    ),
    replacePaths: fc.array(somePath, { maxLength: 2 }),
  })
  .map(aChange)

const someCommand = fc
  .record({
    address: someText,
    description: someText,
    method: someText,
    url: someText,
    body: someValue,
    headers: fc.dictionary(someText, someText, { maxKeys: 2 }),
  })
  .map(({ address, description, method, url, body, headers }) =>
    aCommand({
      address,
      description,
      request: {
        method,
        url,
        effect: 'write',
        headers,
        body,
        auth: {
          kind: 'header',
          name: 'authorization',
          template: 'Bearer {secret}',
          secret: { $secret: 'env:T', digest: digestOfSecret },
        },
      },
    }),
  )

/** Any plan of the shape. */
export const somePlan: fc.Arbitrary<Plan> = fc
  .record({
    changes: fc.array(someChange, { maxLength: 3 }),
    drift: fc.array(
      fc.record({
        address: someText,
        type: someText,
        name: someText,
        kind: fc.constantFrom('changed', 'deleted'),
        diff: someDiff,
      } as const),
      { maxLength: 2 },
    ),
    unchecked: fc.array(
      fc.record({
        address: someText,
        reason: fc.constantFrom('forbidden', 'timeout', 'dependency'),
        detail: someText,
      } as const),
      { maxLength: 2 },
    ),
    unobserved: fc.array(fc.record({ address: someText, path: somePath, reason: fc.constant('write_only') } as const), {
      maxLength: 2,
    }),
    unmanaged: fc.array(fc.record({ type: someText, provider: someText, identity: someObject }), { maxLength: 2 }),
    ignored: fc.array(fc.record({ address: someText, path: somePath, rule: someText }), { maxLength: 2 }),
    commands: fc.array(someCommand, { maxLength: 2 }),
    inSync: fc.boolean(),
    workspace: someText,
  })
  .map(aPlan)

/** Two related values as a consistent diff with the paths at which it changes, as the planner makes them. */
export interface Paired {
  readonly diff: Diff
  readonly paths: readonly Path[]
}

const word = fc.stringMatching(/^[a-z]{3,9}$/)

/** A member's name or an element's key, so that a path can be looked for on a page. */
export const pairedDiff: fc.Arbitrary<Paired> = fc.letrec<{ paired: Paired }>((tie) => {
  const leaf = fc.oneof(
    word.map((text): Paired => ({ diff: same(text), paths: [] })),
    word.map((text): Paired => ({ diff: created(text), paths: [[]] })),
    word.map((text): Paired => ({ diff: deleted(text), paths: [[]] })),
    fc
      .tuple(word, fc.string({ maxLength: 300 }))
      .map(([before, after]): Paired => ({ diff: updated(before, after), paths: [[]] })),
    word.map(
      (text): Paired => ({
        diff: {
          kind: 'value',
          action: 'update',
          sensitive: true,
          before: { $sealed: text },
          after: { $sealed: digestOfSecret },
        },
        paths: [[]],
      }),
    ),
  )
  const under = (members: Readonly<Record<string, Paired>>): Path[] =>
    Object.entries(members).flatMap(([step, inner]) => inner.paths.map((path) => [step, ...path]))
  const actionOf = (parts: readonly Paired[]): DiffAction =>
    parts.every((part) => part.diff.action === 'same') ? 'same' : 'update'
  const several = fc.dictionary(word, tie('paired'), { minKeys: 1, maxKeys: 4, noNullPrototype: true })
  return {
    paired: fc.oneof(
      { maxDepth: 4 },
      leaf,
      several.map(
        (members): Paired => ({
          diff: {
            kind: 'object',
            action: actionOf(Object.values(members)),
            members: Object.fromEntries(Object.entries(members).map(([name, inner]) => [name, inner.diff])),
          },
          paths: under(members),
        }),
      ),
      several.map(
        (members): Paired => ({
          diff: {
            kind: 'set',
            action: actionOf(Object.values(members)),
            elements: Object.entries(members).map(([key, inner]) => ({ key, diff: inner.diff })),
          },
          paths: under(members),
        }),
      ),
    ),
  }
}).paired
