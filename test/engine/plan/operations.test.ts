import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import { planResource } from '../../../core/engine/plan/resource/plan-resource.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import { type Diff, isSame } from '../../../core/engine/schema/diff.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import type { ReadResult, TypeLifecycle } from '../../../core/engine/schema/resource.ts'

/* The algebra of docs/writing-a-provider.md: what happens to an object follows from what happens to its attributes. */

const parameterNames = { same: 'no-op', create: 'add', update: 'modify', delete: 'remove' } as const
const operationNames = { create: 'create', update: 'modify', replace: 're-create', delete: 'destroy' } as const

interface Row {
  readonly facts?: Readonly<Record<string, Attribute>>
  readonly lifecycle?: TypeLifecycle
  readonly desired: JsonObject | null
  readonly observed: JsonObject | null | 'unknown'
  readonly operation: string
  readonly parameters?: Readonly<Record<string, string>>
}

const name: Attribute = { type: 'string', identity: true, immutable: true }
const text: Attribute = { type: 'string' }
const fixed: Attribute = { type: 'string', immutable: true }
const plugins: Attribute = { type: 'map', element: text }
const tags: Attribute = { type: 'set', element: text }
const recreate: TypeLifecycle = { onImmutable: 'replace' }
const records: Attribute = {
  type: 'set',
  key: ['id'],
  element: { type: 'object', attributes: { id: text, value: text } },
}

const rows: Readonly<Record<string, Row>> = {
  equal: { desired: { a: 'x' }, observed: { a: 'x' }, operation: 'no-op' },
  'absent: everything is added': {
    desired: { a: 'x' },
    observed: null,
    operation: 'create',
    parameters: { name: 'add', a: 'add' },
  },
  'unknown is no operation, and is unchecked': { desired: { a: 'x' }, observed: 'unknown', operation: 'unchecked' },
  'must not exist': { desired: null, observed: { a: 'x' }, operation: 'destroy' },
  'must not exist, and does not': { desired: null, observed: null, operation: 'no-op' },
  'a value differs': { desired: { a: 'x' }, observed: { a: 'y' }, operation: 'modify', parameters: { a: 'modify' } },
  'a value is missing where answers leave it out': {
    facts: { a: { ...text, leftOut: true } },
    desired: { a: 'x' },
    observed: {},
    operation: 'modify',
    parameters: { a: 'add' },
  },
  'a value is missing, and nothing explains it': { desired: { a: 'x' }, observed: {}, operation: 'unchecked' },
  'null removes a value': {
    desired: { a: null },
    observed: { a: 'y' },
    operation: 'modify',
    parameters: { a: 'modify' },
  },
  'an undeclared value is not ours': { desired: {}, observed: { a: 'y' }, operation: 'no-op' },
  'an immutable value differs': {
    lifecycle: recreate,
    desired: { fixed: 'x', a: 'x' },
    observed: { fixed: 'y', a: 'y' },
    operation: 're-create',
    parameters: { fixed: 'modify', a: 'modify' },
  },
  'an immutable value differs, and the type does not re-create': {
    desired: { fixed: 'x' },
    observed: { fixed: 'y' },
    operation: 'modify (blocked)',
    parameters: { fixed: 'modify' },
  },
  'keys of a map have a life of their own': {
    desired: { plugins: { kept: '1', newer: '2', added: '1' } },
    observed: { plugins: { kept: '1', newer: '1', removed: '1' } },
    operation: 'modify',
    parameters: { 'plugins.added': 'add', 'plugins.newer': 'modify', 'plugins.removed': 'remove' },
  },
  'foreign keys are left alone': {
    facts: { plugins: { ...plugins, manage: 'declared' } },
    desired: { plugins: { kept: '1' } },
    observed: { plugins: { kept: '1', foreign: '1' } },
    operation: 'no-op',
  },
  'elements with a key have a life of their own': {
    desired: {
      records: [
        { id: 'a', value: '1' },
        { id: 'b', value: '2' },
      ],
    },
    observed: {
      records: [
        { id: 'b', value: '1' },
        { id: 'c', value: '1' },
      ],
    },
    operation: 'modify',
    parameters: { 'records.a': 'add', 'records.b': 'modify', 'records.c': 'remove' },
  },
  'the order of a set is not compared': {
    desired: { tags: ['a', 'b'] },
    observed: { tags: ['b', 'a'] },
    operation: 'no-op',
  },
  'equal elements are counted': {
    desired: { tags: ['a', 'a'] },
    observed: { tags: ['a'] },
    operation: 'modify',
    parameters: { tags: 'modify' },
  },
  'the equality of elements is that of their facts': {
    facts: { tags: { type: 'set', element: { type: 'string', normalise: ['lower'] } } },
    desired: { tags: ['A'] },
    observed: { tags: ['a'] },
    operation: 'no-op',
  },
  'a filter leaves elements to the server': {
    facts: { records: { ...records, ignore: [{ id: 'soa' }] } },
    desired: { records: [{ id: 'a', value: '1' }] },
    observed: {
      records: [
        { id: 'a', value: '1' },
        { id: 'soa', value: '9' },
      ],
    },
    operation: 'no-op',
  },
  'an empty list is emptied': {
    desired: { tags: [] },
    observed: { tags: ['a'] },
    operation: 'modify',
    parameters: { tags: 'modify' },
  },
  'computed values are never compared': {
    facts: { a: { type: 'string', computed: true } },
    desired: {},
    observed: { a: 'now' },
    operation: 'no-op',
  },
}

const resource = (attributes: JsonObject, absent: boolean) => ({
  address: 'acme_app.main',
  type: 'acme_app',
  name: 'main',
  provider: 'acme',
  absent,
  attributes: { name: 'shop', ...attributes },
  dependsOn: [],
  lifecycle: {},
  position: { file: 'plumbline.yaml', line: 1, column: 1 },
})

const observedOf = (observed: Row['observed']): ReadResult => {
  if (observed === null) return { kind: 'absent' }
  if (observed === 'unknown') return { kind: 'unknown', reason: 'forbidden', detail: '' }
  return { kind: 'present', attributes: { name: 'shop', ...observed } }
}

/** Attributes, and the members of those whose members are told apart. */
const parametersOf = (diff: Diff): Record<string, string> => {
  const parts = (from: Diff): readonly (readonly [string | undefined, Diff])[] => {
    if (from.kind === 'object' || from.kind === 'map') return Object.entries(from.members)
    return from.kind === 'set' ? from.elements.map(({ key, diff: inner }) => [key, inner]) : []
  }
  const found = parts(diff).flatMap(([attribute = '', inner]): [string, string][] => {
    const own = parts(inner)
    if (inner.action !== 'update' || own.length === 0 || own.some(([key]) => key === undefined))
      return [[attribute, parameterNames[inner.action]]]
    return own.map(([key, each]) => [`${attribute}.${key}`, parameterNames[each.action]])
  })
  return Object.fromEntries(found.filter(([, operation]) => operation !== 'no-op'))
}

describe('operations', () => {
  it.each(Object.entries(rows))(
    'follow from what is desired, recorded and observed: %s',
    (_, { facts = {}, lifecycle, desired, observed, operation, parameters = {} }) => {
      const schema = { attributes: { name, a: text, fixed, plugins, tags, records, ...facts } }
      const { change, unchecked } = planResource({
        desired: resource(desired ?? {}, desired === null),
        facts: { schema, ...(lifecycle && { lifecycle }) },
        observed: observedOf(observed),
        ignoreRules: [],
        today: '2026-01-01',
      })
      const done =
        change === undefined ? 'no-op' : `${operationNames[change.action]}${change.blocked ? ' (blocked)' : ''}`
      expect(unchecked ? 'unchecked' : done).toBe(operation)
      const each =
        change === undefined || change.action === 'delete'
          ? {}
          : parametersOf(compare(schema, change.before ?? {}, change.after))
      expect(each).toEqual(parameters)
      expect(change === undefined || !isSame(change.diff)).toBe(true)
    },
  )

  it('are all described on the page of the rules', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/writing-a-provider.md'), 'utf8')
    for (const operation of ['create', 'destroy', 're-create', 'modify', 'no-op', 'add', 'remove'])
      expect(page).toContain(`**${operation}**`)
  })
})
