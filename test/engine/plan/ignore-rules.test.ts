import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ignoringFor } from '../../../core/engine/plan/ignore-rules.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { IgnoreRule } from '../../../core/engine/schema/rules.ts'
import { lawRuns } from '../../builders/laws.ts'
import { absent, desiredOf, factsOf, plan, present, recordedOf } from '../../builders/values/resources.ts'

const text: Attribute = { type: 'string' }
const facts = factsOf({
  a: text,
  ab: text,
  fixed: { ...text, immutable: true },
  labels: { type: 'map', element: text },
  rrsets: {
    type: 'set',
    key: ['name', 'type'],
    element: { type: 'object', attributes: { name: text, type: text, ttl: { type: 'number' } } },
  },
})
const rrset = (name: string, ttl: number) => ({ name, type: 'A', ttl })
const desired = desiredOf({ a: 'd', ab: 'd', labels: { 'x.y': 'd' }, rrsets: [rrset('www.x.', 1)] })
const observed = present({
  a: 'o',
  ab: 'o',
  labels: { 'x.y': 'o' },
  rrsets: [rrset('www.x.', 2), rrset('_acme.www.x.', 1)],
})
const all = ['a', 'ab', 'labels/x.y', 'rrsets/_acme.www.x. A', 'rrsets/www.x. A/ttl']

const rule = (more: Partial<IgnoreRule>): IgnoreRule => ({
  address: '*',
  reason: 'why',
  owner: 'who',
  includeDeletes: false,
  ...more,
})

describe('the paths of ignore rules', () => {
  test.each<[string, string[]]>([
    ['a', ['a']],
    ['a*', ['a', 'ab']],
    ['a[*]', []],
    ['labels', ['labels/x.y']],
    ['labels[x.y]', ['labels/x.y']],
    ['labels.x.y', []],
    ['rrsets', ['rrsets/_acme.www.x. A', 'rrsets/www.x. A/ttl']],
    ['rrsets[_acme*]', ['rrsets/_acme.www.x. A']],
    ['rrsets[www.x. A].ttl', ['rrsets/www.x. A/ttl']],
    ['rrsets[*].ttl', ['rrsets/www.x. A/ttl']],
    ['rrsets[www.x? A]', []],
  ])('cover the attributes that they name: %s', (path, ignored) => {
    const own = plan({ facts, observed, desired: { ...desired, lifecycle: { ignoreChanges: [path] } } })
    const ruled = plan({ facts, observed, desired, ignoreRules: [rule({ path })] })
    for (const planned of [own, ruled]) {
      expect(planned.ignored.map((entry) => entry.path.join('/'))).toEqual(ignored)
      const left = planned.change?.causes.map((entry) => entry.path.join('/'))
      expect(left?.sort()).toEqual(all.filter((each) => !ignored.includes(each)))
    }
  })

  test('keep the observed value of an ignored attribute', () => {
    const { after } = plan({ facts, observed, desired, ignoreRules: [rule({ path: 'rrsets[_acme*]' })] })
    expect(after).toMatchObject({ a: 'd', rrsets: [rrset('_acme.www.x.', 1), rrset('www.x.', 1)] })
  })
})

describe('ignore rules', () => {
  const desiredA = desiredOf({ a: 'd' })
  const observedA = present({ a: 'o' })
  test.each<[string, Partial<IgnoreRule>, boolean]>([
    ['another address', { address: 'other.*' }, false],
    ['the address', { address: 'thing.one' }, true],
    ['a part of the address', { address: 'thing' }, false],
    ['any address of the type', { address: 'thing.*' }, true],
    ['the day before it expires', { expires: '2026-11-22' }, true],
    ['the day it expires', { expires: '2026-11-21' }, false],
    ['expired long ago', { expires: '2025-01-01' }, false],
  ])('apply to the addresses and the time that they name: %s', (_, more, hides) => {
    const planned = plan({ facts, observed: observedA, desired: desiredA, ignoreRules: [rule(more)] })
    expect(planned.change === undefined).toBe(hides)
    expect(planned.ignored.map((entry) => entry.rule)).toEqual(
      hides ? [`why (who${more.expires === undefined ? '' : `, until ${more.expires}`})`] : [],
    )
  })

  test('with ignoreChanges never hide that the object itself was created or deleted', () => {
    const lifecycle = { ignoreChanges: ['', '*'] }
    expect(plan({ facts, observed: absent, desired: { ...desiredA, lifecycle } }).change?.action).toBe('create')
    expect(plan({ facts, observed: observedA, recorded: recordedOf({}, { lifecycle }) }).change?.action).toBe('delete')
  })

  const gone = desiredOf({ a: 'd' }, { absent: true })
  const replaced = desiredOf({ fixed: 'd' }, { lifecycle: { onImmutable: 'replace' } })
  test.each([
    ['a delete', { desired: gone, observed: observedA }],
    ['a delete for lack of configuration', { recorded: recordedOf({ a: 'o' }), observed: observedA }],
    ['a replacement', { desired: replaced, observed: present({ fixed: 'o' }) }],
    ['an object that was deleted outside', { desired: desiredA, observed: absent, recorded: recordedOf({ a: 'd' }) }],
  ])('hide %s only if they say so', (_, input) => {
    expect(plan({ facts, ...input, ignoreRules: [rule({})] }).change).toBeDefined()
    const hidden = plan({ facts, ...input, ignoreRules: [rule({ includeDeletes: true })] })
    expect([hidden.change, hidden.drift, hidden.ignored.length]).toEqual([undefined, undefined, 1])
  })
})

describe('stars in a pattern', () => {
  const covers = (pattern: string, address: string): boolean =>
    ignoringFor(address, undefined, [rule({ address: pattern })], '2026-01-01')([], false) !== undefined

  test('match any text, as in a regular expression', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '\n'), maxLength: 8 })
    const check = (pattern: string, address: string): void => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*')
      expect(covers(pattern, address)).toBe(new RegExp(`^${source}$`, 's').test(address))
    }
    fc.assert(fc.property(texts, texts, check), lawRuns(500))
  })

  test('are matched quickly, however many they are', () => {
    expect(covers(`${'*a'.repeat(14)}*b`, `shop_label.${'a'.repeat(34)}`)).toBe(false)
  })
})
