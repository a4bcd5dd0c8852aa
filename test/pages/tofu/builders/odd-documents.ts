import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { replaceAt, sizeOf, type Tree } from '../../../builders/generators/mutations.ts'
import { networkSchemas, tofuPlans } from './documents.ts'
import { entry, goldens, planOf, schemasWith } from './read-reports.ts'

/** Of the type `thing`: an attribute and a block of each kind. */
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
    deferred_changes: [
      { reason: 'deferred_prereq', resource_change: entry({ actions: ['create'], after: value('a', 1) }) },
    ],
    action_invocations: [
      {
        address: 'action.bell.ring',
        type: 'bell',
        name: 'ring',
        config_values: { a: ['x'] },
        config_unknown: { b: true },
        lifecycle_action_trigger: { triggering_resource_address: 'thing.a', action_trigger_event: 'BeforeCreate' },
      },
    ],
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

const other = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Tree>,
  fc.constantFrom<Tree>(null, true, [], {}, [null], [[]], [{}, 1], '', '{"a":', '[1] x', 'a\nb', '__proto__', {
    __proto__x: 1,
  }),
)

interface Source {
  readonly name: string
  readonly document: Tree
  readonly schemas: Tree
}

const readTree = (file: string): Tree => JSON.parse(readFileSync(file, 'utf8')) as Tree

const asTree = (value: object): Tree => JSON.parse(JSON.stringify(value)) as Tree

/** One plan and one state with all kinds of values, and whole plans for what public ones hold rarely. */
export const oddSources: readonly Source[] = [
  { name: 'values', document: asTree(plan), schemas: asTree(schemasWith(block)) },
  { name: 'state', document: asTree(state), schemas: asTree(schemasWith(block)) },
  ...Object.entries(tofuPlans).map(([name, document]) => ({
    name,
    document: asTree(document),
    schemas: asTree(networkSchemas),
  })),
]

/** The same, and OpenTofu's own documents where they are. */
export const allSources = (): readonly Source[] => [
  ...oddSources,
  ...goldens.map(({ name, what, source, schemas }) => ({
    name: `${name} ${what}`,
    document: readTree(source),
    schemas: readTree(schemas),
  })),
]

/** A plan or a state, perhaps with schemas, one of which holds anything in up to three places. */
export interface OddDocument {
  readonly name: string
  readonly document: Tree
  readonly schemas: Tree | undefined
}

const mutated = (tree: Tree): fc.Arbitrary<Tree> =>
  fc
    .array(fc.tuple(fc.nat({ max: sizeOf(tree) - 1 }), other), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((changed, [place, value]) => replaceAt(changed, place, value), tree))

export const oddDocument = (sources: readonly Source[]): fc.Arbitrary<OddDocument> =>
  fc
    .constantFrom(...sources)
    .chain(({ name, document, schemas }) =>
      fc.oneof(
        { weight: 2, arbitrary: mutated(document).map((odd) => ({ name, document: odd, schemas: undefined })) },
        { weight: 2, arbitrary: mutated(document).map((odd) => ({ name, document: odd, schemas })) },
        { weight: 1, arbitrary: mutated(schemas).map((odd) => ({ name, document, schemas: odd })) },
      ),
    )
