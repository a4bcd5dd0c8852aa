import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  addressPattern,
  addressWithin,
  canonicalAddress,
  instanceAddress,
  inYaml,
  isWithin,
  moduleAddress,
  moduleSteps,
  parseAddress,
  resourceAddress,
  splitPlace,
} from '../../../../core/engine/values/addresses/address.ts'

const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,5}$/)
const type = fc.stringMatching(/^[a-z][a-z0-9]{0,3}_[a-z0-9]{1,3}$/)
const key = fc.option(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a"]b', '__proto__', '.', '#', '*', '\\', '["x"]', 'ü', '${x}'),
  ),
  { nil: undefined },
)
const modules = fc.array(fc.record({ name, key }), { maxLength: 3 })

const written = (inside: readonly { name: string; key: string | undefined }[]): string =>
  inside.reduce((parent, each) => instanceAddress(moduleAddress(parent, each.name), each.key), '')

test('an address that is written can be read again, whatever its keys are', () => {
  fc.assert(
    fc.property(modules, type, name, key, (inside, ofType, ofName, ofKey) => {
      const module = written(inside)
      const address = instanceAddress(resourceAddress({ module, type: ofType, name: ofName }), ofKey)
      const parsed = parseAddress(address)
      expect(parsed).toEqual({
        modules: inside.map((each) => (each.key === undefined ? { name: each.name } : each)),
        type: ofType,
        name: ofName,
        ...(ofKey === undefined ? {} : { key: ofKey }),
      })
      expect(canonicalAddress(address)).toBe(address)
      expect(moduleSteps(address).join('.')).toBe(module)
      expect(splitPlace(`${address}#/a#b`)).toEqual([address, '/a#b'])
      expect(isWithin(address, address)).toBe(true)
      expect(isWithin(address, resourceAddress({ module, type: ofType, name: ofName }))).toBe(true)
      if (module !== '') expect(isWithin(address, module)).toBe(true)
    }),
  )
})

describe('an address has one spelling', () => {
  test.each([
    ['a_b.c["\\u0061"]', 'a_b.c["a"]'],
    ['module.x["\\u0061"].a_b.c', 'module.x["a"].a_b.c'],
    ['module.x["\\u0061"]', 'module.x["a"]'],
    ['a_b.*', 'a_b.*'],
    ['a_b.c[0]', 'a_b.c[0]'],
    ['nothing at all', 'nothing at all'],
    ['', ''],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })
})

test.each([
  'a_b',
  'a_b.c.d',
  'a_b.c[0]',
  'a_b.c["x]',
  'module.a_b.c["x"]["y"]',
  'module.x',
  'module.x[0].a_b.c',
  '.a_b.c',
  '',
])('refuses %j as the address of a resource', (text) => {
  expect(parseAddress(text)).toBeUndefined()
})

test.each([
  ['a_b.cd', 'a_b.c', false],
  ['a_b.c["x"]', 'a_b.c', true],
  ['a_b.c["x"]', 'a_b.c["x"]', true],
  ['a_b.c["xy"]', 'a_b.c["x"]', false],
  ['a_b.c', 'a_b', false],
  ['module.a.x_y.z', 'module.a', true],
  ['module.a["k"].x_y.z', 'module.a', true],
  ['module.ab.x_y.z', 'module.a', false],
  ['module.a.module.b.x_y.z', 'module.a', true],
])('the address %s within %s is: %s', (address, named, expected) => {
  expect(isWithin(address, named)).toBe(expected)
})

test('an address can be made relative to its module', () => {
  expect(addressWithin('', 'a_b.c')).toBe('a_b.c')
  expect(addressWithin('module.x["k"]', 'a_b.c')).toBe('module.x["k"].a_b.c')
})

test.each([
  ['a_b.c', ['a_b.c', 'a_b.c["x"]'], ['a_b.cd', 'module.m.a_b.c']],
  ['a_b.c["*"]', ['a_b.c["*"]'], ['a_b.c["x"]', 'a_b.c']],
  ['a_b.c["\\u002a"]', ['a_b.c["*"]'], ['a_b.c["x"]']],
  ['a_b.c[*]', ['a_b.c["x"]', 'a_b.c["*"]'], ['a_b.c']],
  ['a_b.*', ['a_b.c', 'a_b.c["x"]'], ['module.m.a_b.c']],
  ['module.m', ['module.m.a_b.c', 'module.m["k"].a_b.c', 'module.m.module.n.a_b.c'], ['module.mm.a_b.c', 'a_b.m']],
  ['module.m["e*"]', ['module.m["e*"].a_b.c', 'module.m["e*"].a_b.c["x"]'], ['module.m["eu"].a_b.c["x"]', 'a_b.m']],
  ['module.m["e*"].*', ['module.m["e*"].a_b.c'], ['module.m["eu"].a_b.c', 'module.m.a_b.c']],
  ['*.a_b.c["e*"]', ['module.m["k"].a_b.c["e*"]'], ['module.m["k"].a_b.c["eu"]', 'a_b.c["e*"]']],
  ['module.*.a_b.c', ['module.m.a_b.c', 'module.m["*"].a_b.c'], ['module.m.a_b.d', 'a_b.c']],
  ['*', ['a_b.c', 'module.m.a_b.c', 'a_b.c["*"]'], []],
])('the pattern %s matches exactly the addresses that it means', (pattern, covered, others) => {
  const means = addressPattern(pattern)
  expect(covered.filter((each) => !means(each))).toEqual([])
  expect(others.filter(means)).toEqual([])
})

test.each(['net_host.a', 'net_host.a["k"]', 'module.m["it\'s"].net_host.a[0]', 'net_host.a["#, }"]'])(
  'an address is the same once it was read from a list in YAML: %s',
  (address) => {
    expect(parse(`moved: [{ from: ${inYaml(address)}, to: net_host.b }]`)).toEqual({
      moved: [{ from: address, to: 'net_host.b' }],
    })
  },
)
