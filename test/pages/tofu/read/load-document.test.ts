import { expect, test } from 'vitest'
import { entriesOf, loadTofuDocument } from '../../../../core/pages/tofu/read/load-document.ts'
import { identityOf } from '../../../../core/pages/tofu/read/value.ts'
import { readDocument, readParts } from '../builders/read-parts.ts'
import { entry, planOf, schemasWith } from '../builders/read-reports.ts'

const still = { actions: ['no-op'], before: { a: 1 }, after: { a: 1 } }
const plan = planOf(
  [
    entry(still),
    entry(still, { previous_address: 'thing.b' }),
    entry(still, { previous_address: 'thing.a' }),
    entry({ ...still, importing: { id: 'x' } }),
    entry({ ...still, importing: null }),
    entry(still, { mode: 'ephemeral' }),
    entry({ actions: ['create'], after: { a: 1 } }, { type: 'other' }),
    null as unknown as object,
  ],
  {
    planned_values: { root_module: { resources: [{ values: { secret: 1 } }] } },
    prior_state: {
      values: { root_module: { child_modules: [{ resources: [{ mode: 'data' }, { mode: 'managed', values: {} }] }] } },
    },
    variables: { password: { value: 'x' } },
    configuration: {
      provider_config: { a: {} },
      root_module: {
        resources: [{ mode: 'managed', type: 'thing', name: 'a', expressions: { v: {} }, provisioners: [1] }],
        module_calls: { m: { source: './m', expressions: { x: {} }, module: { resources: [{ name: 'b', x: 1 }] } } },
      },
    },
  },
)

test('the parts of a plan that a page needs are kept, and no-ops without a move are counted', () => {
  const document = readDocument(plan)
  expect(document.unchanged).toBe(3)
  expect(document.changes).toHaveLength(4)
  expect([...entriesOf(document.changes)].map(identityOf)).toEqual(
    [1, 3, 6, 7].map((index) => identityOf([...entriesOf([JSON.stringify(plan.resource_changes[index])])][0])),
  )
  expect([...document.types]).toEqual(['thing', 'other', ''])
  expect(document.hasManaged).toBe(true)
  expect(identityOf(document.members)).toBe(
    '{"configuration":{"root_module":{"module_calls":{"m":{"expressions":{"x":{}},"module":{"resources":[{"name":"b"}]}}},"resources":[{"expressions":{"v":{}},"mode":"managed","name":"a","type":"thing"}]}},"format_version":"1.2","prior_state":{"values":{"root_module":{"child_modules":[{"resources":[]}]}}},"resource_changes":[]}',
  )
})

test('a stream gives the same document as a text', async () => {
  const bytes = Buffer.from(JSON.stringify(plan))
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += 5) yield bytes.subarray(at, at + 5)
  })()
  expect(await loadTofuDocument({ name: 'plan.json', chunks })).toEqual(readDocument(plan))
})

test('the schemas of the types in use are kept, without their descriptions', () => {
  const schemas = schemasWith({
    attributes: {
      description: { type: 'string', description: 'prose', computed: true },
      n: { nested_type: { nesting_mode: 'list', attributes: { a: { type: 'string', description_kind: 'plain' } } } },
    },
    block_types: { b: { nesting_mode: 'set', max_items: 1, block: { attributes: { c: { type: 'bool' } } } } },
    description: 'prose',
  })
  const all = { ...schemas.provider_schemas.p.resource_schemas, unused: { block: {} } }
  const { schemas: known } = readParts(plan, { ...schemas, provider_schemas: { p: { resource_schemas: all } } })
  const named = (type: string) => known?.({ provider: 'p', mode: 'managed', type })
  const text = { kind: 'scalar' }
  expect(named('unused')).toBeUndefined()
  expect(named('thing')).toEqual({
    attributes: new Map<string, unknown>([
      ['description', { type: text, writeOnly: false }],
      [
        'n',
        {
          type: { kind: 'dynamic' },
          nested: { nesting: 'list', attributes: new Map([['a', { type: text, writeOnly: false }]]) },
          writeOnly: false,
        },
      ],
    ]),
    blocks: new Map([
      [
        'b',
        {
          nesting: 'set',
          block: { attributes: new Map([['c', { type: text, writeOnly: false }]]), blocks: new Map() },
        },
      ],
    ]),
  })
})
