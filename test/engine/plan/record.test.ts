import { describe, expect, test } from 'vitest'
import { recordAfterCheck, recordBeforeCreate } from '../../../core/engine/plan/record/record.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import {
  absent,
  apply,
  check,
  desiredOf,
  factsOf,
  plan,
  present,
  recordedOf,
  unknown,
} from '../../builders/values/resources.ts'

const text: Attribute = { type: 'string' }
const facts = factsOf({
  a: text,
  b: text,
  o: { type: 'object', attributes: { a: text, b: text } },
  m: { type: 'map', element: text },
  l: { type: 'list', element: text },
  u: { type: 'set', element: text },
  s: { type: 'set', key: ['k'], element: { type: 'object', attributes: { k: text, v: text } } },
})

describe('the record after a check', () => {
  test.each<[string, JsonObject | undefined, JsonObject, JsonObject, JsonObject]>([
    ['what agrees is as observed', { a: 'r' }, { a: 'x', b: 'y' }, { a: 'x' }, { a: 'x', b: 'y' }],
    ['what differs is as recorded', { a: 'r' }, { a: 'o', b: 'y' }, { a: 'd' }, { a: 'r', b: 'y' }],
    ['or stays absent', undefined, { a: 'o', b: 'y' }, { a: 'd' }, { b: 'y' }],
    [
      'members of an object one by one',
      { o: { a: 'r', b: 'r' } },
      { o: { a: 'o', b: 'o' } },
      { o: { a: 'd' } },
      { o: { a: 'r', b: 'o' } },
    ],
    [
      'keys of a map one by one',
      { m: { x: 'r' } },
      { m: { x: 'o', y: 'y', z: 'z' } },
      { m: { x: 'd', y: 'y' } },
      { m: { x: 'r', y: 'y' } },
    ],
    ['a list as a whole', { l: ['r'] }, { l: ['a', 'o'] }, { l: ['a', 'd'] }, { l: ['r'] }],
    ['a set without a key as a whole', { u: ['r'] }, { u: ['a', 'o'] }, { u: ['a', 'd'] }, { u: ['r'] }],
    [
      'elements of a keyed set one by one',
      {
        s: [
          { k: 'gone', v: '1' },
          { k: 'x', v: 'r' },
        ],
      },
      { s: [{ k: 'extra' }, { k: 'same', v: 'o' }, { k: 'x', v: 'o' }] },
      { s: [{ k: 'same' }, { k: 'x', v: 'd' }] },
      {
        s: [
          { k: 'same', v: 'o' },
          { k: 'x', v: 'r' },
        ],
      },
    ],
    ['a null that is met by absence', {}, { b: 'y' }, { a: null, o: { a: null } }, { a: null, b: 'y' }],
  ])('takes over what agrees with the configuration: %s', (_, recorded, observed, desired, expected) => {
    const { record } = check({
      facts,
      desired: desiredOf(desired),
      observed: present(observed),
      ...(recorded === undefined ? {} : { recorded: recordedOf(recorded) }),
    })
    expect(record?.attributes).toEqual(expected)
  })

  const record = recordedOf({ a: 'r' })
  test.each([
    ['unchecked keeps the record', { desired: desiredOf({ a: 'x' }), recorded: record, observed: unknown }, record],
    ['deleted outside keeps it', { desired: desiredOf({ a: 'x' }), recorded: record, observed: absent }, record],
    ['a pending delete keeps it', { recorded: record, observed: present({ a: 'r' }) }, record],
    ['not there yet has none', { desired: desiredOf({ a: 'x' }), observed: absent }, undefined],
    [
      'gone as it should be has none',
      { desired: desiredOf({}, { absent: true }), recorded: record, observed: absent },
      undefined,
    ],
    ['gone and not declared has none', { recorded: record, observed: absent }, undefined],
  ])('is kept, made or dropped for the whole resource: %s', (_, input, expected) =>
    expect(check({ facts, ...input }).record).toEqual(expected),
  )

  test('keeps the doubt about its keys until they lead to the object again', () => {
    const input = { facts, desired: desiredOf({ a: 'r' }), recorded: record }
    const schema = facts.schema
    const doubted = recordAfterCheck({
      ...input,
      schema,
      doubt: 'several',
      planned: plan({ ...input, observed: unknown }),
    })
    expect(doubted).toEqual({ ...record, doubted: 'several' })
    const left = { facts, recorded: doubted!, observed: present({ a: 'r' }) }
    expect(check(left).record).toHaveProperty('doubted')
    expect(check({ ...left, desired: desiredOf({ a: 'r' }) }).record).not.toHaveProperty('doubted')
  })

  test('is not made from an object that only may have been created', () => {
    const schema = { attributes: { a: { type: 'string', identity: true }, b: text } } as const
    const desired = desiredOf({ a: 'x', b: 'y' })
    const sent = recordBeforeCreate({
      desired,
      sentBy: 'a1',
      identifying: ['a'],
      knownAttributes: { a: 'x', b: 'y' },
      refs: {},
    })
    expect(sent).toEqual(recordedOf({ a: 'x' }, { refs: {}, doubted: 'sent', sentBy: 'a1' }))
    const input = { facts: { schema }, desired, recorded: sent! }
    expect(plan({ ...input, observed: absent })).not.toHaveProperty('drift')
    expect(check({ ...input, observed: absent }).record).toEqual(sent)
    expect(check({ ...input, observed: present({ a: 'x', b: 'y' }) }).record).toEqual(recordedOf({ a: 'x', b: 'y' }))
  })

  test('keeps a fixed attribute as it was seen without agreement, because it identifies the object', () => {
    const fixed = factsOf({ a: text, k: { type: 'string', immutable: true } })
    const input = { facts: fixed, desired: desiredOf({ a: 'd', k: 'd' }), observed: present({ a: 'o', k: 'o' }) }
    const { record } = check(input)
    expect(record).toEqual(recordedOf({ k: 'o' }, { neverAgreed: ['/a', '/k'] }))
    const later = plan({ ...input, recorded: record! })
    expect(later.change?.causes).toContainEqual({ path: ['k'], cause: 'new' })
    expect(later).not.toHaveProperty('drift')
    const agreed = check({ ...input, recorded: recordedOf({ a: 'd', k: 'd' }) })
    expect(agreed.record).toEqual(recordedOf({ a: 'd', k: 'd' }))
  })

  test('remembers an attribute that never agreed until it agrees', () => {
    const input = { facts, desired: desiredOf({ a: 'd', m: {} }), observed: present({ a: 'o', m: { x: 'o' } }) }
    const { record: kept } = check(input)
    expect(kept?.neverAgreed).toEqual(['/a', '/m/x'])
    const half = check({ ...input, observed: present({ a: 'd', m: { x: 'o' } }), recorded: kept! }).record
    expect(half?.neverAgreed).toEqual(['/m/x'])
    const whole = check({ ...input, observed: present({ a: 'd', m: {} }), recorded: half! }).record
    expect(whole).not.toHaveProperty('neverAgreed')
    const added = plan({ ...input, observed: present({ a: 'd', m: { x: 'o' } }), recorded: whole! })
    expect(added.change?.causes).toEqual([{ path: ['m', 'x'], cause: 'drift' }])
  })
})

test('the record after an apply is all that was observed, and after a delete there is none', () => {
  const desired = desiredOf({ a: 'd' }, { dependsOn: ['thing.two'], lifecycle: { preventDestroy: true } })
  const input = { facts, desired, observed: present({ a: 'o', b: 'y' }), recorded: recordedOf({ a: 'r' }) }
  expect(apply(input, plan(input)).record).toEqual({
    address: 'thing.one',
    type: 'thing',
    name: 'one',
    provider: 'test',
    attributes: { a: 'd', b: 'y' },
    dependsOn: ['thing.two'],
    lifecycle: { preventDestroy: true },
  })
  const gone = { facts, desired: desiredOf({ a: 'd' }, { absent: true }), observed: present({ a: 'd' }) }
  expect(apply(gone, plan(gone)).record).toBeUndefined()
})
