import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeResources } from '../../../../core/engine/config/write-resources.ts'
import { normalise } from '../../../../core/engine/diff/normalise.ts'
import { planResource } from '../../../../core/engine/plan/resource/plan-resource.ts'
import type { Attribute, ObjectSchema } from '../../../../core/engine/schema/attribute.ts'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { changedPaths } from '../../../../core/engine/values/changed-paths.ts'
import { escapeMarks } from '../../../../core/engine/values/marks/marks.ts'
import { specOf } from '../../../../core/tools/authoring/import/spec-of.ts'
import { anyJson, pairs } from '../../../builders/generators/arbitraries.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { long } from '../../../builders/long.ts'
import { configurationOf } from '../../../builders/workspaces/config.ts'

const keep = () => undefined

const written = (schema: ObjectSchema, observed: JsonObject) => {
  const own = specOf(schema, normalise(schema, observed, 'observed'), keep)
  const resource = { address: 'api_thing.one', type: 'api_thing', name: 'one', ...own }
  return { ...own, text: writeResources([resource]) }
}

/** Paths that a plan of what was written would change. */
const planned = (schema: ObjectSchema, observed: JsonObject) => {
  const { text } = written(schema, observed)
  const head = 'workspace: test\nproviders: { api: { source: rest } }\n'
  const [desired] = configurationOf({ 'plumbline.yaml': head + text }).resources
  if (desired === undefined) throw new Error('nothing was written')
  const { change } = planResource({
    desired,
    facts: { schema },
    observed: { kind: 'present', attributes: observed },
    ignoreRules: [],
    today: '2026-11-21',
  })
  return change === undefined ? [] : changedPaths(change.diff)
}

const schema = (attributes: Readonly<Record<string, Attribute>>): ObjectSchema => ({ attributes })
const text: Attribute = { type: 'string' }

describe('the written form of an imported object', () => {
  it('has integers beyond 2^53 with all their digits, and the text of such digits in quotes', () => {
    const [number, digits] = [{ $number: '9007199254740993' }, '9007199254740993']
    const facts = schema({ n: { type: 'number' }, open: { type: 'any' }, id: text })
    const observed = { n: number, open: { a: number, b: digits, c: [number] }, id: digits }
    expect(written(facts, observed).text).toContain(
      [`n: ${digits}`, 'open:', `  a: ${digits}`, `  b: "${digits}"`, '  c:', `    - ${digits}`, `id: "${digits}"`]
        .map((line) => `      ${line}\n`)
        .join(''),
    )
    expect(planned(facts, observed)).toEqual([])
    // A target that gives such an object means another value than the configuration could.
    expect(written(facts, { open: escapeMarks(number) }).leftOut).toMatchObject([{ path: ['open'], why: 'unwritable' }])
  })

  it.each<[string, Attribute, JsonObject, JsonObject]>([
    ['a plain value', text, { a: 'x' }, { a: 'x' }],
    ['no default', { ...text, default: 'x' }, { a: 'x' }, {}],
    ['no default in another spelling', { ...text, default: 'native', compareAs: ['lower'] }, { a: 'Native' }, {}],
    ['a default that identifies', { ...text, default: 'x', identity: true }, { a: 'x' }, { a: 'x' }],
    ['nothing computed', { ...text, computed: true }, { a: 'x' }, {}],
    ['no null', text, { a: null }, {}],
    ['a null that is a value', { ...text, nullable: true }, { a: null }, { a: null }],
    [
      'a null that is a value in an object',
      { type: 'object', attributes: { b: { ...text, nullable: true }, c: text } },
      { a: { b: null, c: null } },
      { a: { b: null } },
    ],
    [
      'a null that leaving out would not say',
      { ...text, default: 'x', whenUndeclared: 'default' },
      { a: null },
      { a: null },
    ],
    ['the canonical form', { ...text, normalise: ['lower'] }, { a: 'X' }, { a: 'x' }],
    [
      'no elements of others',
      { type: 'set', element: { type: 'any' }, ignore: [{ k: 1 }] },
      { a: [{ k: 1 }] },
      { a: [] },
    ],
    ['a plain brace', text, { a: 'a ${b} $${c}' }, { a: 'a $${b} $$${c}' }],
  ])('is what a configuration would say: %s', (_, attribute, observed, spec) => {
    expect(written(schema({ a: attribute }), observed).spec).toEqual(spec)
    expect(planned(schema({ a: attribute }), observed)).toEqual([])
  })

  it.each<[string, Attribute, JsonObject, string]>([
    ['a secret', { ...text, sensitive: true }, { a: { $sealed: 'x' } }, 'secret'],
    ['a secret that nobody can read', { ...text, sensitive: true, writeOnly: true }, {}, 'secret'],
    ['what nobody can read', { ...text, writeOnly: true }, {}, 'write-only'],
    ['what reads as a secret reference', { type: 'any' }, { a: { secret: 'env:HOME' } }, 'unwritable'],
    ['a key with a reference', { type: 'map', element: text }, { a: { '${x}': 'y' } }, 'unwritable'],
    ['a number beyond all doubles', { type: 'any' }, { a: { $number: '1e400' } }, 'unwritable'],
  ])('omits %s, with a note', (_, attribute, observed, why) => {
    const own = written(schema({ a: attribute, b: text }), { b: 'x', ...observed })
    expect(own.spec).toEqual({ b: 'x' })
    expect(own.leftOut).toEqual([{ path: ['a'], why, required: false }])
    expect(own.text).toMatch(/# a/)
  })

  it.each<[string, Attribute, boolean]>([
    ['must be written', { ...text, writeOnly: true, required: true }, true],
    ['has a default', { ...text, writeOnly: true, required: true, default: 'x' }, false],
    ['may be left out', { ...text, writeOnly: true }, false],
  ])('has a note about an unreadable attribute that %s', (_, attribute, required) => {
    const { leftOut } = specOf(schema({ a: attribute }), {}, keep)
    expect(leftOut).toEqual([{ path: ['a'], why: 'write-only', required }])
  })

  it('has an empty plan, whatever the facts and the value are', () => {
    return fc.assert(
      fc.property(pairs({ facts: true, partial: true }), ({ schema: any, left }) => {
        expect(planned(any, left)).toEqual([])
      }),
      lawRuns(500),
    )
  })

  it.each(['__proto__', 'a${b}'])('omits an object with the key %s, which no text can mean', (key) => {
    const value = JSON.parse(`{ "a": { ${JSON.stringify(key)}: 1 }, "b": "kept" }`) as JsonObject
    const facts = schema({ a: { type: 'any' }, b: text })
    expect(written(facts, value)).toMatchObject({ spec: { b: 'kept' }, leftOut: [{ path: ['a'], why: 'unwritable' }] })
  })

  it.each([
    ...[
      '<<',
      '=',
      '~',
      'null',
      'Null',
      'true',
      'y',
      'n',
      'no',
      'on',
      'Off',
      '0x1',
      '0o7',
      '1e3',
      '1_000',
      '.inf',
      '-.5',
      '.nan',
    ],
    ...[
      '2026-11-21',
      '12:30:45',
      '',
      ' ',
      '-',
      '- a',
      '? a',
      'a: b',
      'a #b',
      '#',
      '&a',
      '*a',
      '!a',
      '!!str',
      '%a',
      '@a',
      '`a',
    ],
    ...['|', '>', '---', '...', '[', '{', '"', "'", '\\', 'a\nb', '\t', '\u0085', '\u2028', '\uFEFF', 'constructor'],
  ])('keeps the text %j, as a key and as a value', (special) => {
    const value: JsonObject = { [special]: special, in: [special, { [special]: { [special]: null } }] }
    const facts = schema({ a: { type: 'any' }, b: text, c: { type: 'map', element: text } })
    const observed = { a: escapeMarks(value), b: special, c: { [special]: special } }
    expect(written(facts, observed).leftOut).toEqual([])
    expect(planned(facts, observed)).toEqual([])
  })

  it('keeps foreign JSON, with marks and braces', long, () => {
    const odd = fc.oneof(anyJson, fc.constantFrom({ $ref: 'x' }, { $literal: 1 }, '${x}', '# no', '- a', 'yes', ' x '))
    return fc.assert(
      fc.property(fc.dictionary(fc.string(), odd), fc.string({ unit: 'grapheme' }), (value, string) => {
        const observed = { a: escapeMarks(value), b: string, c: escapeMarks([value, string]) }
        const facts = schema({ a: { type: 'any' }, b: text, c: { type: 'any' } })
        if (written(facts, observed).leftOut.length === 0) expect(planned(facts, observed)).toEqual([])
      }),
    )
  })
})
