import { describe, expect, test } from 'vitest'
import { recordSent, writeOnlyValues } from '../../../core/engine/plan/record/write-only.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { RecordedResource } from '../../../core/engine/schema/resource.ts'
import { absent, apply, check, desiredOf, factsOf, plan, present, recordedOf } from '../../builders/values/resources.ts'

const facts = factsOf({
  name: { type: 'string' },
  password: { type: 'string', writeOnly: true, sensitive: true, witness: 'hash' },
  hash: { type: 'string', computed: true },
  servers: { type: 'list', writeOnly: true, immutable: true },
  users: {
    type: 'set',
    key: ['name'],
    element: {
      type: 'object',
      attributes: { name: { type: 'string' }, pin: { type: 'string', writeOnly: true, sensitive: true } },
    },
  },
})
const secret = (digest: string): Json => ({ $secret: 'env:PASSWORD', digest })
const user = (digest: string, more: JsonObject = {}) => desiredOf({ name: 'u', password: secret(digest), ...more })
const first = { facts, desired: user('h1'), observed: present({ name: 'u', hash: 'one' }) }

/** The record after the first apply. */
const settled = (): RecordedResource => {
  const { record } = apply(first, plan(first))
  return { ...record!, attributes: { ...record!.attributes, hash: 'one' } }
}

describe('a value that nobody can read', () => {
  test.each<[string, Parameters<typeof plan>[0], string]>([
    ['never sent', first, 'update password:new'],
    ['sent, untouched', { ...first, recorded: settled() }, 'unobserved password'],
    ['another secret now', { ...first, recorded: settled(), desired: user('h2') }, 'update password:pending'],
    [
      'changed outside, as its witness tells',
      { ...first, recorded: settled(), observed: present({ name: 'u', hash: 'two' }) },
      'update password:drift, drift',
    ],
    [
      'both',
      { ...first, recorded: settled(), desired: user('h2'), observed: present({ name: 'u', hash: 'two' }) },
      'update password:conflict, drift',
    ],
    ['of a new object', { ...first, observed: absent }, 'create :new'],
    ['left alone', { ...first, desired: { ...user('h1'), lifecycle: { ignoreChanges: ['password'] } } }, 'nothing'],
    [
      'fixed at creation, object found',
      { ...first, recorded: settled(), desired: user('h1', { servers: ['a'] }) },
      'unobserved password servers',
    ],
    [
      'fixed at creation, and other than it was sent',
      {
        ...first,
        desired: desiredOf({ servers: ['b'] }),
        recorded: recordedOf({}, { sent: { '/servers': { digest: 'other' } } }),
      },
      'update servers:pending immutable',
    ],
  ])('is sent when its digest or its witness has changed: %s', (_, input, expected) => {
    const { change, drift, unobserved } = plan(input)
    const parts = [
      change && `${change.action} ${change.causes.map(({ path, cause }) => `${path.join('/')}:${cause}`).join(' ')}`,
      unobserved.length > 0 && `unobserved ${unobserved.map(({ path }) => path.join('/')).join(' ')}`,
    ].filter(Boolean)
    const text =
      [...parts, drift && 'drift'].filter(Boolean).join(', ') + (change?.blocked ? ` ${change.blocked.reason}` : '')
    expect(text || 'nothing').toBe(expected)
  })

  test('is never in the record, which holds only its digest and its witness', () => {
    const { record } = apply(first, plan(first))
    expect(record?.attributes).not.toHaveProperty('password')
    expect(record?.sent).toEqual({ '/password': { digest: 'h1', witness: expect.stringMatching(/^sha256:/) } })
  })

  test('is not recorded as sent by a check', () => {
    expect(check(first).record).not.toHaveProperty('sent')
    expect(check({ ...first, recorded: settled(), desired: user('h2') }).record?.sent?.['/password']?.digest).toBe('h1')
  })

  test('gives the same finding at every check after an outside change', () => {
    const touched = { ...first, recorded: settled(), observed: present({ name: 'u', hash: 'two' }) }
    const one = check(touched)
    const two = check({ ...touched, recorded: one.record! })
    expect(two.planned).toEqual(one.planned)
    expect(one.planned.drift?.diff).toMatchObject({ members: { hash: { action: 'update', sensitive: true } } })
  })

  test('is identified inside an element by the key of the element', () => {
    const desired = desiredOf({
      users: [
        { name: 'b', pin: secret('h1') },
        { name: 'a', pin: secret('h2') },
      ],
    })
    const input = { facts, desired, observed: present({ users: [{ name: 'a' }, { name: 'b' }] }) }
    const planned = plan(input)
    expect(planned.change?.causes.map(({ path }) => path.join('/'))).toEqual(['users/a/pin', 'users/b/pin'])
    const { record } = apply(input, planned)
    expect(Object.keys(record?.sent ?? {}).sort()).toEqual(['/users/a/pin', '/users/b/pin'])
    expect(plan({ ...input, recorded: record! }).change).toBeUndefined()
    const sent = { ...record!.sent, '/users/b/pin': { digest: 'old' } }
    const again = plan({ ...input, recorded: { ...record!, sent } })
    expect(again.change?.after).toEqual({ users: [{ name: 'a' }, { name: 'b', pin: secret('h1') }] })
  })

  test('counts as sent with a new element, as all of its values do', () => {
    const desired = desiredOf({ users: [{ name: 'a', pin: secret('h1') }] })
    const input = { facts, desired, observed: present({ users: [] }) }
    expect(apply(input, plan(input)).record?.sent).toEqual({ '/users/a/pin': { digest: 'h1' } })
  })

  test('is sent again with a replacement', () => {
    const fixed = factsOf(
      { ...facts.schema.attributes, name: { type: 'string', immutable: true } },
      { onImmutable: 'replace' },
    )
    const input = {
      facts: fixed,
      desired: user('h1'),
      observed: present({ name: 'v', hash: 'one' }),
      recorded: settled(),
    }
    const planned = plan(input)
    expect(planned.change?.action).toBe('replace')
    const { record } = apply(input, { ...planned, change: { ...planned.change!, after: { name: 'u', hash: 'new' } } })
    expect(record?.sent?.['/password']?.witness).not.toBe(settled().sent?.['/password']?.witness)
  })

  test('is not recorded while the whole that contains it is unknown', () => {
    const pins = factsOf({ pins: { type: 'map', element: { type: 'string', writeOnly: true, sensitive: true } } })
    const later = desiredOf({ pins: { $after: 'thing.other#1', pointer: '/pins' } })
    expect(plan({ facts: pins, desired: later, observed: present({ pins: {} }) }).change?.causes).toEqual([
      { path: ['pins'], cause: 'new' },
    ])
    expect(writeOnlyValues(pins.schema, later.attributes)).toEqual([])
    expect(writeOnlyValues(pins.schema, { pins: { a: secret('h') } })).toMatchObject([{ pointer: '/pins/a' }])
  })

  test('is not recorded while it is unknown, or after it was cleared', () => {
    const later = { name: 'u', password: { $after: 'thing.other#1', pointer: '/password' }, users: null }
    const values = writeOnlyValues(facts.schema, later)
    expect(values.map(({ pointer }) => pointer)).toEqual(['/password'])
    expect(recordSent(values, {}, {}, () => true)).toEqual({})
  })

  test('never appears in a plan', () => {
    expect(JSON.stringify(plan({ ...first, observed: absent }).change?.diff)).not.toContain('h1')
  })
})
