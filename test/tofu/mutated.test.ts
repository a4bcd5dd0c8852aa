import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAppError } from '../../core/errors.ts'
import { entry, pageOf, planOf, schemasWith } from '../builders/tofu.ts'

type Tree = null | boolean | number | string | Tree[] | { [member: string]: Tree }

const block = {
  attributes: {
    id: { type: 'string' },
    list: { type: ['list', ['object', { a: 'string', n: 'number' }]] },
    set: { type: ['set', 'string'] },
    map: { type: ['map', 'string'] },
    tuple: { type: ['tuple', ['string', 'number']] },
    any: { type: 'dynamic' },
    nested: { nested_type: { nesting_mode: 'list', attributes: { a: { type: 'string' } } } },
    secret: { type: 'string', write_only: true },
  },
  block_types: {
    one: { nesting_mode: 'single', block: { attributes: { a: { type: 'string' } } } },
    many: { nesting_mode: 'set', block: { attributes: { a: { type: 'string' } } } },
    keyed: { nesting_mode: 'map', block: { attributes: { a: { type: 'string' } } } },
  },
}

const value = (text: string, n: number) => ({
  id: text,
  list: [
    { a: text, n },
    { a: 'x', n: 1 },
  ],
  set: [text, 'b'],
  map: { [text]: 'x' },
  tuple: [text, n],
  any: { a: [n, { b: text }] },
  nested: [{ a: text }],
  secret: null,
  one: { a: `{"policy": "${n}"}` },
  many: [{ a: text }, { a: 'two\nlines' }],
  keyed: { k: { a: text } },
})

const plan = planOf(
  [
    entry({
      actions: ['delete', 'create'],
      before: value('a', 1),
      after: value('b', 2),
      after_unknown: { list: [{ a: true }], any: true },
      before_sensitive: { map: true },
      after_sensitive: { one: true, many: [] },
      replace_paths: [['id'], ['list', 0, 'a']],
    }),
  ],
  {
    resource_drift: [entry({ actions: ['update'], before: value('a', 1), after: value('c', 1) })],
    relevant_attributes: [{ resource: 'thing.a', attribute: ['list', 0] }],
    output_changes: { o: { actions: ['update'], before: ['a'], after: { a: 1 }, after_unknown: false } },
    prior_state: { values: { root_module: { resources: [{ mode: 'managed' }] } } },
    configuration: {
      root_module: { resources: [{ type: 'thing', name: 'a', mode: 'managed', expressions: { many: [{}] } }] },
    },
  },
)

const state = {
  format_version: '1.0',
  values: {
    outputs: { o: { value: ['x'], type: ['list', 'string'] } },
    root_module: {
      resources: [
        { address: 'thing.a', mode: 'managed', type: 'thing', name: 'a', provider_name: 'p', values: value('a', 1) },
      ],
    },
  },
}

const count = (tree: Tree): number =>
  1 +
  (typeof tree === 'object' && tree !== null
    ? Object.values(tree).reduce((sum: number, child) => sum + count(child), 0)
    : 0)

/** The tree with another value at its n-th place. */
const replaceAt = (tree: Tree, place: { left: number }, other: Tree): Tree => {
  if (place.left === 0) {
    place.left = -1
    return other
  }
  place.left -= 1
  if (typeof tree !== 'object' || tree === null) return tree
  if (Array.isArray(tree)) return tree.map((child) => (place.left < 0 ? child : replaceAt(child, place, other)))
  return Object.fromEntries(
    Object.entries(tree).map(([key, child]) => [key, place.left < 0 ? child : replaceAt(child, place, other)]),
  )
}

const other = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Tree>,
  fc.constantFrom<Tree>(null, true, [], {}, [null], [[]], [{}, 1], '', '{"a":', '[1] x', 'a\nb', '__proto__', {
    __proto__x: 1,
  }),
)

const runs = Number(process.env['FUZZ_RUNS'] ?? 2000)

test.each([
  ['a plan', plan],
  ['a state', state],
  ['the schemas', schemasWith(block)],
])(
  '%s with anything in any place makes a page or is refused',
  (what, source) => {
    const size = count(source as Tree)
    const change = fc.tuple(fc.nat({ max: size - 1 }), other)
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean(), (changes, withSchemas) => {
        const mutated = changes.reduce((tree, [left, value]) => replaceAt(tree, { left }, value), source as Tree)
        try {
          const page =
            what === 'the schemas'
              ? pageOf(plan, { schemas: mutated })
              : pageOf(mutated, withSchemas ? { schemas: schemasWith(block) } : {})
          expect(page).not.toContain('[object Object]')
          expect(page).not.toContain('undefined')
        } catch (error) {
          if (!isAppError(error, 'USAGE')) throw error
        }
      }),
      { numRuns: runs },
    )
  },
  600_000,
)
