import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { canonicalJson } from '../../../../core/engine/json/canonical.ts'
import type { Diff } from '../../../../core/engine/schema/diff.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { isObject } from '../../../../core/engine/schema/json.ts'
import { parseHeld, parseTaken } from '../../../../core/pages/tofu/read/parse-value.ts'
import { noSchemas, readSchemas } from '../../../../core/pages/tofu/read/schemas.ts'
import type { Value } from '../../../../core/pages/tofu/read/value.ts'
import { type Facts, factsAt } from '../../../../core/pages/tofu/view/facts.ts'
import { readChange } from '../../../../core/pages/tofu/view/read-change.ts'
import { sealing } from '../../../../core/pages/tofu/view/to-json.ts'
import { applyDiff } from '../../../builders/generators/apply-diff.ts'
import { replaceAt, shuffleKeys, sizeOf, type Tree } from '../../../builders/generators/mutations.ts'
import { lawRuns } from '../../../builders/laws.ts'
import {
  canary,
  networkSchemas,
  resourceChange,
  tofuPlan,
  tofuPlans,
  tofuSchemas,
  tofuState,
} from '../builders/documents.ts'
import { viewOf } from '../builders/read-views.ts'

const inner = {
  attributes: { name: { type: 'string' }, size: { type: 'number' }, tags: { type: ['map', 'string'] } },
}
const nested = (nesting_mode: string) => ({ nested_type: { nesting_mode, attributes: inner.attributes } })

const schemas = tofuSchemas({
  net_host: {
    attributes: {
      text: { type: 'string' },
      lines: { type: 'string' },
      any: { type: 'dynamic' },
      list: { type: ['list', 'string'] },
      objects: { type: ['list', ['object', { name: 'string', n: 'number' }]] },
      set: { type: ['set', ['object', { name: 'string', n: 'number' }]] },
      map: { type: ['map', ['list', 'number']] },
      tuple: { type: ['tuple', ['string', 'number']] },
      one: nested('single'),
      some: nested('list'),
    },
    block_types: {
      block: { nesting_mode: 'single', block: inner },
      blocks: { nesting_mode: 'list', block: inner },
      rules: { nesting_mode: 'set', block: inner },
      named: { nesting_mode: 'map', block: inner },
    },
  },
})

const name = fc.constantFrom('a', 'b', 'c', '', ' a', '{"a":1}', '{"a":1} x', '[1, 2]', '__proto__', '$sealed')
const lines = fc.array(name, { maxLength: 4 }).map((parts) => parts.join('\n'))
const number = fc.constantFrom(0, 1, 2)
const nullable = <Of>(of: fc.Arbitrary<Of>): fc.Arbitrary<Of | null> => fc.option(of, { freq: 4 })
const record = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Tree> =>
  fc.record(Object.fromEntries(Object.entries(members).map(([key, of]) => [key, nullable(of)]))) as fc.Arbitrary<Tree>
const few = <Of>(of: fc.Arbitrary<Of>) => fc.array(of, { maxLength: 4 })
const mapOf = <Of>(of: fc.Arbitrary<Of>) => fc.dictionary(name, of, { maxKeys: 3 })

const object = record({ name, n: number })
const block = record({ name, size: number, tags: mapOf(name) })
const attributes = record({
  text: name,
  lines,
  any: fc.jsonValue({ maxDepth: 2 }),
  list: few(name),
  objects: few(object),
  set: fc.uniqueArray(object, { maxLength: 4, selector: (value) => JSON.stringify(value) }),
  map: mapOf(few(number)),
  tuple: fc.tuple(name, number),
  one: block,
  some: few(block),
  block,
}).chain((rest) =>
  fc
    .tuple(
      few(block),
      fc.uniqueArray(block, { maxLength: 4, selector: (value) => JSON.stringify(value) }),
      mapOf(block),
    )
    .map(([blocks, rules, named]) => ({ ...(rest as { readonly [member: string]: Tree }), blocks, rules, named })),
)

/** Markers for some of the leaves, and for some of the containers. */
const markersFor = (tree: Tree, bits: Iterator<number>): Tree => {
  if (bits.next().value === 0) return true
  if (Array.isArray(tree)) return tree.map((child) => markersFor(child, bits))
  if (typeof tree !== 'object' || tree === null) return false
  return Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, markersFor(child, bits)]))
}

/** One bit in seven is zero. */
const bits = fc.infiniteStream(fc.nat({ max: 6 }))

const read = (entry: object, withSchemas: boolean) => {
  return readChange(parseTaken(JSON.stringify(entry)), {
    schemas: withSchemas ? readSchemas(parseTaken(JSON.stringify(schemas))) : noSchemas,
    expressions: (): Value | undefined => undefined,
    seal: sealing(),
  })
}

const sides = fc.record({ before: nullable(attributes), after: nullable(attributes), withSchemas: fc.boolean() })

/** With sets in one order, and JSON in texts in one spelling. */
const settled = (facts: Facts, value: Json | undefined): Json | undefined => {
  if (typeof value === 'string' && /^\s*[[{]/.test(value))
    return parseHeld(value, false) === undefined ? value : canonicalJson(JSON.parse(value))
  if (Array.isArray(value)) {
    const elements = value.map((element: Json, index) => settled(factsAt(facts, index), element) ?? null)
    return facts.type === 'set' ? elements.toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)) : elements
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, settled(factsAt(facts, key), member) ?? null]),
  )
}

test('applying the diff to before gives after', () => {
  fc.assert(
    fc.property(sides, ({ before, after, withSchemas }) => {
      const { change, sides: told } = read(resourceChange(['update'], { before, after }), withSchemas)
      if (change === undefined || told === undefined) throw new Error('no change')
      const was = (told.before ?? null) as JsonObject | null
      const applied = applyDiff({ attributes: told.facts.attributes ?? {} }, was, change.diff)
      expect(settled(told.facts, applied)).toEqual(settled(told.facts, told.after))
    }),
  )
})

/** Paths by members at which the values differ; null and none are one, as are no blocks and none. */
const changedPaths = (before: Tree | undefined, after: Tree | undefined, path: readonly string[] = []): string[][] => {
  if (isObject(before as Json) && isObject(after as Json)) {
    const [old, now] = [before, after] as { readonly [key: string]: Tree }[]
    return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].flatMap((key) => {
      const at = (side: { readonly [key: string]: Tree } | undefined) =>
        side !== undefined && Object.hasOwn(side, key) ? side[key] : undefined
      return changedPaths(at(old), at(now), [...path, key])
    })
  }
  const none = (side: Tree | undefined) => side === null || side === undefined || canonicalJson(side).length === 2
  if (none(before) && none(after)) return []
  return canonicalJson(before ?? null) === canonicalJson(after ?? null) ? [] : [[...path]]
}

const isTold = (diff: Diff, [step, ...rest]: readonly string[]): boolean => {
  if (diff.action === 'same') return false
  if (step === undefined || (diff.kind !== 'object' && diff.kind !== 'map')) return true
  const inner = Object.hasOwn(diff.members, step) ? diff.members[step] : undefined
  return inner === undefined ? diff.action !== 'update' : isTold(inner, rest)
}

/** Paths by members at which a marker says true. */
const markedPaths = (marker: Tree, path: readonly string[] = []): string[][] => {
  if (marker === true) return [[...path]]
  if (!isObject(marker as Json)) return []
  return Object.entries(marker as { readonly [key: string]: Tree }).flatMap(([key, inner]) =>
    markedPaths(inner, [...path, key]),
  )
}

test('all that differs or is unknown is inside a node that is marked as different, secret or not', () => {
  fc.assert(
    fc.property(sides, bits, fc.boolean(), ({ before, after, withSchemas }, stream, isKnown) => {
      const markers = { before_sensitive: markersFor(before, stream), after_sensitive: markersFor(after, stream) }
      const after_unknown = isKnown || after === null ? {} : markersFor(after, stream)
      const { change } = read(resourceChange(['update'], { before, after, ...markers, after_unknown }), withSchemas)
      const paths = [...changedPaths(before ?? {}, after ?? {}), ...markedPaths(after_unknown)]
      expect(paths.filter((path) => change === undefined || !isTold(change.diff, path))).toEqual([])
    }),
  )
})

/** Each leaf below a marker becomes a text, and each key, that must not be seen. */
const withCanaries = (tree: Tree, marker: Tree | undefined, hidden = false): Tree => {
  const hides = hidden || marker === true
  if (Array.isArray(tree))
    return tree.map((child, index) => withCanaries(child, Array.isArray(marker) ? marker[index] : undefined, hides))
  if (typeof tree !== 'object' || tree === null) return hides ? `${canary}-${String(tree)}` : tree
  return Object.fromEntries(
    Object.entries(tree).map(([key, child]) => {
      const below = isObject(marker as Json) ? (marker as { readonly [key: string]: Tree })[key] : undefined
      return [hides ? `${canary}-${key}` : key, withCanaries(child, below, hides)]
    }),
  )
}

const leafPaths = (tree: Tree, path: readonly (string | number)[] = []): (string | number)[][] =>
  typeof tree === 'object' && tree !== null
    ? Object.entries(tree).flatMap(([key, child]) =>
        leafPaths(child, [...path, Array.isArray(tree) ? Number(key) : key]),
      )
    : [[...path]]

test('no secret is in a view, not even in a path or a problem', () => {
  fc.assert(
    fc.property(sides, bits, ({ before, after, withSchemas }, stream) => {
      const markers = { before_sensitive: markersFor(before, stream), after_sensitive: markersFor(after, stream) }
      const values = {
        before: withCanaries(before, markers.before_sensitive),
        after: withCanaries(after, markers.after_sensitive),
      }
      const replace_paths = [...leafPaths(values.before), ...leafPaths(values.after)]
      const change = { ...values, ...markers, replace_paths }
      const output = (value: Tree) => ({ actions: ['update'], before: value, after: [value], after_sensitive: true })
      const plan = tofuPlan([resourceChange(['delete', 'create'], change)], {
        resource_drift: [resourceChange(['update'], change)],
        relevant_attributes: replace_paths.map((attribute) => ({ resource: 'net_host.a', attribute })),
        output_changes: { o: { ...output(withCanaries(before, true)), before_sensitive: true } },
      })
      const view = viewOf(plan, withSchemas ? { schemas } : {})
      expect(JSON.stringify(view)).not.toContain(canary)
      const resource = { address: 'net_host.a', type: 'net_host', name: 'a', provider_name: 'p' }
      const values_ = { values: values.before ?? {}, sensitive_values: markers.before_sensitive }
      expect(JSON.stringify(viewOf(tofuState([{ ...resource, ...values_ }])))).not.toContain(canary)
    }),
  )
})

const documents: readonly (readonly [string, Tree])[] = [
  ...Object.entries(tofuPlans as Readonly<Record<string, Tree>>),
  [
    'state',
    tofuState([{ address: 'net_host.a', type: 'net_host', name: 'a', values: { b: ['x', { c: 1 }] } }]) as Tree,
  ],
]

describe('the order of keys', () => {
  test.each(documents)('changes no part of the view of %s', (_, document) => {
    const plain = JSON.parse(JSON.stringify(document)) as Tree
    const view = viewOf(plain, { schemas: networkSchemas })
    expect(
      JSON.stringify(viewOf(shuffleKeys(plain), { schemas: shuffleKeys(networkSchemas as unknown as Tree) })),
    ).toBe(JSON.stringify(view))
  })

  test('changes no value', () => {
    fc.assert(
      fc.property(sides, ({ before, after, withSchemas }) => {
        const plan = tofuPlan([resourceChange(['update'], { before, after })]) as Tree
        const options = withSchemas ? { schemas } : {}
        expect(JSON.stringify(viewOf(shuffleKeys(plan), options))).toBe(JSON.stringify(viewOf(plan, options)))
      }),
    )
  })
})

const other = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Tree>,
  fc.constantFrom<Tree>(null, true, [], {}, [null], [[]], [{}, 1], '', '{"a":', '[1] x', 'a\nb', '__proto__'),
  fc.constantFrom<Tree>(['no-op'], ['migrate'], 'ephemeral', { $sealed: '1' }, { $ref: 'x' }, '['.repeat(2_000)),
)

describe('a document with anything in any place makes a view or is refused', () => {
  test.each([...documents, ['schemas', networkSchemas] as const])(
    'whichever part of the document is replaced: %s',
    (what, document) => {
      const source = JSON.parse(JSON.stringify(document)) as Tree
      const change = fc.tuple(fc.nat({ max: sizeOf(source) - 1 }), other)
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean(), (changes, withSchemas) => {
          const mutated = changes.reduce((tree, [place, value]) => replaceAt(tree, place, value), source)
          try {
            const plan = what === 'schemas' ? tofuPlans['modules'] : mutated
            const view = viewOf(plan, withSchemas ? { schemas: what === 'schemas' ? mutated : networkSchemas } : {})
            expect(view.kind).toMatch(/plan|state/)
            // What cannot be compared is told of; nothing of this size should be.
            expect(view.problems.filter(({ detail }) => detail.includes('cannot be compared'))).toEqual([])
          } catch (error) {
            if (!isAppError(error)) throw error
          }
        }),
        lawRuns(300),
      )
    },
  )
})
