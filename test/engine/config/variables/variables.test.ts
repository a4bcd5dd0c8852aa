import { describe, expect, test } from 'vitest'
import { type Loaded, loadConfiguration } from '../../../../core/engine/config/load.ts'
import { givenByFile } from '../../../../core/engine/config/variables/given-by-file.ts'
import {
  type GivenValue,
  givenByEnvironment,
  givenByStore,
  givenText,
} from '../../../../core/engine/config/variables/given-value.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { placeText } from '../../../../core/engine/values/diagnose.ts'

const file = 'plumbline.json'

/** A workspace with these variables, each of which is the attribute of one resource. */
const workspaceOf = (variables: JsonObject): string =>
  JSON.stringify({
    workspace: 'test',
    variables,
    resources: [
      {
        type: 'a_b',
        name: 'c',
        spec: Object.fromEntries(Object.keys(variables).map((name) => [name, `\${var.${name}}`])),
      },
    ],
  })

const load = (variables: JsonObject, given: readonly GivenValue[] = [], stored?: JsonObject): Loaded =>
  loadConfiguration({
    entry: file,
    files: { [file]: workspaceOf(variables) },
    given,
    ...(stored === undefined ? {} : { variables: stored }),
  })

const resolved = (loaded: Loaded, name: string): Json | undefined =>
  loaded.ok ? loaded.configuration.resources[0]?.attributes[name] : undefined

const told = (loaded: Loaded): string[] =>
  loaded.ok ? [] : loaded.issues.map((issue) => `${placeText(issue)} ${issue.message}; ${issue.fix}`)

const option = (name: string, text: string) => givenText(name, text, `--var ${name}`)

describe('a text from outside', () => {
  test.each<[type: string, text: string, value: Json]>([
    ['string', '5', '5'],
    ['string', '', ''],
    ['string', '${workspace}', '${workspace}'],
    ['number', '60', 60],
    ['number', '-1.5e3', -1500],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['list', '[ns1, ns2]', ['ns1', 'ns2']],
    ['list', '["${var.x}"]', ['${var.x}']],
    ['map', '{ "team": "dns", "room": 4 }', { team: 'dns', room: 4 }],
    ['number', '9007199254740993', { $number: '9007199254740993' }],
  ])('reads a text as %s: %s', (type, text, value) => {
    expect(resolved(load({ x: { type } }, [option('x', text)]), 'x')).toEqual(value)
  })
  test.each([
    ['number', 'sixty'],
    ['number', ''],
    ['number', '0x10'],
    ['number', '1e20'],
    ['number', 'NaN'],
    ['boolean', 'yes'],
    ['list', '{ a: 1 }'],
    ['list', 'ns1, ns2'],
    ['map', '[1]'],
    ['map', '{ a'],
    ['map', ''],
  ])('is refused as %s: %j, at its place and without repeating it', (type, text) => {
    const [line = '', ...more] = told(load({ x: { type } }, [option('x', text)]))
    expect(line).toMatch(/^--var x the text for variable "x" is not /)
    expect(more).toEqual([])
    if (text !== '') expect(line).not.toContain(text)
  })
})

test('the value of a variable comes from an option, else a file, else the environment, else the store, else its default', () => {
  const declared = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { type: 'number', default: 0 }]))
  const environment = { PLUMBLINE_VAR_a: '2', PLUMBLINE_VAR_b: '2', PLUMBLINE_VAR_c: '2', PLUMBLINE_VAR_other: 'x' }
  const given = [
    ...givenByEnvironment(environment),
    ...givenByFile('prod.yaml', 'a: 3\nb: 3\n').values,
    option('a', '4'),
    option('a', '5'),
  ]
  const loaded = load(declared, given, { a: 1, b: 1, c: 1, d: 1 })
  expect(['a', 'b', 'c', 'd', 'e'].map((name) => resolved(loaded, name))).toEqual([5, 3, 2, 1, 0])
  expect(loaded.ok && loaded.configuration.given).toEqual({ a: 5, b: 3, c: 2, d: 1 })
})

test('a variable without a default needs a value', () => {
  expect(told(load({ ttl: { type: 'number' } }))).toEqual([
    'plumbline.json:1:34 variable "ttl" has no value; give a number with --var ttl=..., --var-file or PLUMBLINE_VAR_ttl, or write `default:` under it',
  ])
  expect(resolved(load({ ttl: { type: 'number' } }, givenByStore({ ttl: 60 })), 'ttl')).toBe(60)
})

test('a wrong value is reported at the place where it was given', () => {
  const inFile = givenByFile('vars/prod.yaml', '# values\nttl: soon\nzone: a\nlist: [1, { secret: "ssm:" }]\n').values
  const declared = { ttl: { type: 'number' }, list: { type: 'list' } }
  expect(told(load(declared, inFile))).toEqual([
    'vars/prod.yaml:2:1 the value of variable "ttl" is not a number; give a number, or change its type',
    'vars/prod.yaml:3:1 there is no variable "zone"; declare it under "variables", or use one of: ttl, list',
    'vars/prod.yaml:4:21 this is not a secret reference; write what to read after "ssm:"',
  ])
  expect(told(load({ ttl: { type: 'number' } }, [option('tll', '1'), option('ttl', '1')]))).toEqual([
    '--var tll there is no variable "tll"; did you mean "ttl"?',
  ])
  expect(told(load({ ttl: { type: 'number' } }, givenByEnvironment({ PLUMBLINE_VAR_ttl: 'a' })))).toEqual([
    'PLUMBLINE_VAR_ttl the text for variable "ttl" is not a number; give a number, or change its type',
  ])
  expect(told(load({}, [], { ttl: 1 }))).toEqual([
    'variables.ttl there is no variable "ttl"; declare it under "variables"',
  ])
})

test.each(['[1]', 'a: [', '', 'a: 1\na: 2\n'])('a wrong file of values is refused with its line: %j', (text) => {
  const { values, issues } = givenByFile('values.yaml', text)
  expect(values).toEqual([])
  expect(issues.map(({ file: name }) => name)).toEqual(['values.yaml'])
})

describe('the validation of a variable', () => {
  test.each<[declared: JsonObject, value: Json, problem: string | undefined]>([
    [{ type: 'string', validation: { pattern: '^[a-z]+$' } }, 'abc', undefined],
    [{ type: 'string', validation: { pattern: '^[a-z]+$' } }, 'ABC', 'does not match its pattern'],
    [{ type: 'string', validation: { pattern: 'b' } }, 'abc', undefined],
    [{ type: 'string', validation: { pattern: '^(a+)+$' } }, `${'a'.repeat(5_000)}!`, 'does not match its pattern'],
    [{ type: 'string', validation: { pattern: '^a+$' } }, 'a'.repeat(10_001), 'is too long for its pattern'],
    [{ type: 'string', validation: { enum: ['eu', 'us'] } }, 'us', undefined],
    [{ type: 'string', validation: { enum: ['eu', 'us'] } }, 'asia', 'is not allowed'],
    [{ type: 'number', validation: { enum: [1, 2] } }, 3, 'is not allowed'],
    [{ type: 'number', validation: { range: { min: 60, max: 300 } } }, 60, undefined],
    [{ type: 'number', validation: { range: { min: 60, max: 300 } } }, 59, 'is out of range'],
    [{ type: 'number', validation: { range: { max: 300 } } }, 301, 'is out of range'],
    [{ type: 'string', validation: { length: { min: 1, max: 3 } } }, 'äöü', undefined],
    [{ type: 'string', validation: { length: { min: 1 } } }, '', 'has 0 characters'],
    [{ type: 'list', validation: { length: { max: 1 } } }, [1, 2], 'has 2 elements'],
    [{ type: 'map', validation: { length: { min: 1 } } }, {}, 'has 0 members'],
    [{ type: 'string', validation: { length: { min: 1 } } }, null, undefined],
    [{ type: 'string', validation: { enum: ['a'] } }, { secret: 'env:A' }, undefined],
  ])('accepts or refuses %j with %j', (declared, value, problem) => {
    for (const loaded of [
      load({ x: declared }, givenByStore({ x: value })),
      load({ x: { ...declared, default: value } }),
    ]) {
      const [line, ...more] = told(loaded)
      expect(more).toEqual([])
      if (problem === undefined) expect(line).toBeUndefined()
      else expect(line).toContain(problem)
    }
  })
  test.each<[declared: JsonObject, problem: string]>([
    [{ type: 'string', validation: { pattern: '(' } }, 'it is not a regular expression'],
    [{ type: 'string', validation: { pattern: '^(?!a)' } }, 'it is not a regular expression whose time is limited'],
    [{ type: 'number', validation: { pattern: 'a' } }, 'pattern does not apply to a number'],
    [{ type: 'string', validation: { range: { min: 1 } } }, 'range does not apply to text'],
    [{ type: 'boolean', validation: { length: { min: 1 } } }, 'length does not apply to true or false'],
    [{ type: 'list', validation: { enum: ['a'] } }, 'enum does not apply to a list'],
    [
      { type: 'number', validation: { range: { min: 2, max: 1 } } },
      'the smallest allowed value is larger than the largest',
    ],
    [{ type: 'string', sensitive: true, validation: { enum: ['a'] } }, 'is never known here'],
    [{ type: 'string', validation: { enum: [] } }, 'validation.enum'],
    [{ type: 'string', validation: { length: { min: -1 } } }, 'validation.length.min'],
  ])('is refused if no value can pass it: %j', (declared, problem) => {
    const lines = told(load({ x: { ...declared, default: null } }))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(problem)
  })
})

describe('a sensitive variable', () => {
  const declared = { token: { type: 'string', sensitive: true } }
  test.each<[string, GivenValue]>([
    ['of an option', option('token', 'env:TOKEN')],
    ['of the environment', givenByEnvironment({ PLUMBLINE_VAR_token: 'env:TOKEN' })[0]!],
    ['of a file', givenByFile('v.yaml', 'token: { secret: "env:TOKEN" }').values[0]!],
    ['of the store', givenByStore({ token: { secret: 'env:TOKEN' } })[0]!],
  ])('accepts a secret reference: %s', (_, given) => {
    const loaded = load(declared, [given])
    expect(resolved(loaded, 'token')).toEqual({ $secret: 'env:TOKEN' })
    expect(loaded.ok && loaded.configuration.given).toEqual({ token: { secret: 'env:TOKEN' } })
  })
  test.each<[string, Json | undefined, GivenValue[]]>([
    ['a default', 'hunter2', []],
    ['an option', undefined, [option('token', 'hunter2')]],
    ['the environment', undefined, givenByEnvironment({ PLUMBLINE_VAR_token: 'hunter2' }).slice()],
    ['a file', undefined, givenByFile('v.yaml', 'token: hunter2').values.slice()],
  ])('refuses plain text of %s, with the fix and without the text', (_, value, given) => {
    const loaded = load({ token: { ...declared.token, ...(value === undefined ? {} : { default: value }) } }, given)
    const lines = told(loaded)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(
      'variable "token" is sensitive and its value must be a secret reference; give { secret: "env:NAME" }',
    )
    expect(JSON.stringify(loaded)).not.toContain('hunter2')
  })
  test('refuses a plain member of a mapping', () => {
    const map = { token: { type: 'map', sensitive: true, default: { a: { secret: 'env:A' }, b: 'hunter2' } } }
    expect(told(load(map))[0]).toContain('is sensitive')
    expect(told(load({ token: { type: 'map', sensitive: true, default: { a: { secret: 'env:A' } } } }))).toEqual([])
  })
})

test('a value cannot smuggle in an internal mark', () => {
  const loaded = load({ x: { type: 'map' } }, [option('x', '{ $secret: "env:HOME" }')])
  expect(resolved(loaded, 'x')).toEqual({ $literal: { $secret: 'env:HOME' } })
})
