import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResourceInput } from '../../../core/engine/plan/planning.ts'
import { accessAt, accessEffect } from '../../../core/engine/plan/resource/access.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { Json, JsonObject, MaybeJson } from '../../../core/engine/schema/json.ts'
import { absent, desiredOf, factsOf, plan, present, recordedOf } from '../../builders/values/resources.ts'

const level: Attribute = { type: 'string', access: ['none', 'read', 'write', 'admin'] }
const open: Attribute = { type: 'boolean', access: 'grants' }
const locked: Attribute = { type: 'boolean', access: 'restricts' }
const approvals: Attribute = { type: 'number', access: 'restricts' }
const actors: Attribute = { type: 'set', access: 'grants', element: { type: 'string' } }
const checks: Attribute = { type: 'list', access: 'restricts', element: { type: 'string' } }
const members: Attribute = {
  type: 'set',
  key: ['login'],
  access: 'grants',
  element: {
    type: 'object',
    attributes: { login: { type: 'string' }, role: { type: 'string', access: ['member', 'maintainer'] } },
  },
}
const teams: Attribute = { type: 'map', access: 'grants', element: level }
const alice = { login: 'alice', role: 'member' }
const plain: Attribute = { type: 'string' }

describe('the effect of a change on access', () => {
  it.each<[string, Attribute, MaybeJson, MaybeJson, string | undefined]>([
    ['a later value of the list', level, 'read', 'admin', 'widens'],
    ['an earlier one', level, 'admin', 'read', 'narrows'],
    ['the first value, where there was none', level, undefined, 'none', undefined],
    ['a value that the list does not have', level, 'read', 'owner', 'widens'],
    ['away from such a value', level, 'owner', 'read', undefined],
    ['null for the narrowest', level, 'read', null, 'narrows'],
    ['on', open, false, true, 'widens'],
    ['on, where nothing was', open, undefined, true, 'widens'],
    ['off, where nothing was', open, undefined, false, undefined],
    ['a default that is the same', { ...open, default: true }, undefined, true, undefined],
    ['a protection off', locked, true, false, 'widens'],
    ['fewer approvals', approvals, 2, 1, 'widens'],
    ['more approvals', approvals, { $number: '1' }, { $number: '9' }, 'narrows'],
    [
      'one more, of numbers that are the same for JavaScript',
      approvals,
      { $number: '9007199254740992' },
      { $number: '9007199254740993' },
      'narrows',
    ],
    ['another actor', actors, ['a'], ['b', 'a'], 'widens'],
    ['one actor less', actors, ['a', 'b'], ['b'], 'narrows'],
    ['one actor for another', actors, ['a'], ['b'], 'widens'],
    ['another order', actors, ['a', 'b'], ['b', 'a'], undefined],
    ['a check less', checks, ['test', 'lint'], ['lint'], 'widens'],
    ['a member', members, [], [alice], 'widens'],
    ['a role', members, [alice], [{ ...alice, role: 'maintainer' }], 'widens'],
    ['a team with the lowest level', teams, {}, { dev: 'none' }, 'widens'],
    ['a level of a team', teams, { dev: 'read' }, { dev: 'none' }, 'narrows'],
    ['a list that is empty', checks, undefined, [], undefined],
    ['a value without facts', plain, 'a', 'b', undefined],
    ['a secret, which is not compared', plain, undefined, { $sealed: 'x' }, undefined],
  ])('is found from the values before and after: %s', (_, facts, before, after, effect) => {
    expect(accessEffect(facts, before, after)).toBe(effect)
  })

  const root: Attribute = { type: 'object', attributes: { members, teams, level, plain } }
  it.each<[string, readonly string[], Json, Json, string | undefined]>([
    ['an element that came', ['members', 'alice'], { members: [] }, { members: [alice] }, 'widens'],
    ['an element that went', ['members', 'alice'], { members: [alice] }, { members: [] }, 'narrows'],
    [
      'inside of an element',
      ['members', 'alice', 'role'],
      { members: [{ ...alice, role: 'maintainer' }] },
      { members: [alice] },
      'narrows',
    ],
    ['another element', ['members', 'bob'], { members: [alice] }, { members: [alice] }, undefined],
    ['a key of a map', ['teams', 'dev'], { teams: {} }, { teams: { dev: 'none' } }, 'widens'],
    ['another attribute', ['plain'], { plain: 'a', level: 'read' }, { plain: 'b', level: 'admin' }, undefined],
    ['the whole object', [], { level: 'none' }, { level: 'write' }, 'widens'],
  ])('is found at the path of %s', (_, path, before, after, effect) => {
    expect(accessAt(root, before, after, path)).toBe(effect)
  })
})

const values: readonly (readonly [Attribute, fc.Arbitrary<MaybeJson>])[] = [
  [level, fc.constantFrom('none', 'read', 'write', 'admin', null, undefined)],
  [open, fc.constantFrom(true, false, null, undefined)],
  [approvals, fc.option(fc.nat(6), { nil: undefined })],
  [actors, fc.uniqueArray(fc.constantFrom('a', 'b', 'c'))],
  [teams, fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('none', 'read', 'admin'))],
]
const anyCase = fc.constantFrom(...values).chain(([facts, value]) => fc.tuple(fc.constant(facts), value, value, value))

describe('laws of access', () => {
  it('an empty change has no effect on access', () => {
    fc.assert(
      fc.property(anyCase, ([facts, value]) => {
        expect(accessEffect(facts, value, value)).toBeUndefined()
      }),
    )
  })
  it('a change and its reverse never both reduce access', () => {
    fc.assert(
      fc.property(anyCase, ([facts, before, after]) => {
        const both = [accessEffect(facts, before, after), accessEffect(facts, after, before)]
        expect(both).not.toEqual(['narrows', 'narrows'])
        // A change that gives and takes at once is told as one that gives, in both directions.
        expect(both.includes('narrows')).toBe(both.includes('widens') && both[0] !== both[1])
      }),
    )
  })
  it('two steps that give no more access give no more together', () => {
    fc.assert(
      fc.property(anyCase, ([facts, a, b, c]) => {
        if (accessEffect(facts, a, b) === 'widens' || accessEffect(facts, b, c) === 'widens') return
        expect(accessEffect(facts, a, c)).not.toBe('widens')
      }),
    )
  })
})

describe('the effect of an object on access', () => {
  const one = desiredOf({ level: 'read' })
  const gone = desiredOf({ level: 'read' }, { absent: true })
  const there = present({ level: 'read' })
  it.each<[string, 'grants' | 'restricts' | undefined, Partial<ResourceInput>, string | undefined]>([
    ['a key that is made', 'grants', { desired: one, observed: absent }, 'widens'],
    ['a key that goes', 'grants', { desired: gone, observed: there }, 'narrows'],
    ['a rule that is made', 'restricts', { desired: one, observed: absent }, 'narrows'],
    ['a rule that goes', 'restricts', { desired: gone, observed: there }, 'widens'],
    [
      'a rule that left the configuration',
      'restricts',
      { recorded: recordedOf({ level: 'read' }), observed: there },
      'widens',
    ],
    [
      'a rule that stays and changes',
      'restricts',
      { desired: desiredOf({ level: 'write' }), observed: there },
      'widens',
    ],
    [
      'an object of which the type says nothing, by its values',
      undefined,
      { desired: one, observed: absent },
      'widens',
    ],
    ['such an object that goes', undefined, { desired: gone, observed: there }, 'narrows'],
  ])('is found from whether it comes or goes: %s', (_, access, input, effect) => {
    const { change } = plan({ facts: factsOf({ level }, access && { access }), observed: absent, ...input })
    expect([...new Set(change?.causes.map((each) => each.access))]).toEqual([effect])
  })
})

describe('an attribute that applies only under another one', () => {
  const facts = (access?: Attribute['access']): ResourceInput['facts'] =>
    factsOf({
      allowed: { type: 'string', ...(access && { access }) },
      patterns: { type: 'set', element: { type: 'string' }, access: 'grants', appliesWhen: { allowed: ['selected'] } },
    })
  const ranked = ['none', 'selected', 'all']
  const to = { allowed: 'selected', patterns: ['acme/*'] }

  it.each<[string, Attribute['access'], JsonObject, (string | undefined)[]]>([
    ['all to some is less', ranked, { allowed: 'all' }, ['narrows', undefined]],
    ['none to some is more', ranked, { allowed: 'none' }, ['widens', undefined]],
    ['more of what applied already is more', ranked, { allowed: 'selected', patterns: [] }, ['widens']],
    ['what it applies under gives no access itself', undefined, { allowed: 'all' }, [undefined, 'widens']],
  ])('gives access as that one says, if it did not apply before: %s', (_, access, from, effects) => {
    const { change } = plan({ facts: facts(access), desired: desiredOf(to), observed: present(from) })
    expect(change?.causes.map((each) => each.access)).toEqual(effects)
  })
})
