import { describe, expect, test } from 'vitest'
import { movedBesides, nothingWritten, withCommand } from '../../../core/engine/plan/commands/own-writes.ts'
import type { ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import type { Footprint } from '../../../core/engine/schema/command.ts'
import type { JsonObject } from '../../../core/engine/schema/json.ts'

const schema: ObjectSchema = {
  attributes: {
    name: { type: 'string' },
    note: { type: 'string' },
    secret: { type: 'string', writeOnly: true, sensitive: true, witness: 'hash' },
    hash: { type: 'string' },
    changedAt: { type: 'string', computed: true },
    users: {
      type: 'set',
      key: ['name'],
      element: { type: 'object', attributes: { name: { type: 'string' }, role: { type: 'string' } } },
    },
    tags: { type: 'set', element: { type: 'string' } },
    alarm: { type: 'boolean', appliesWhen: { name: ['a', 'b'] } },
  },
}
const user = (name: string, role: string) => ({ name, role })
const seen: JsonObject = { name: 'a', note: 'n', users: [user('x', 'r')], tags: ['t'] }

/** Where somebody else wrote, after these commands of ours. */
const moved = (
  written: readonly (readonly [footprint: Footprint | undefined, after: JsonObject])[],
  now: JsonObject,
  before: JsonObject | undefined = seen,
): readonly string[] => {
  const own = written.reduce(
    (known, [footprint, after]) => withCommand(schema, known, footprint, after),
    nothingWritten,
  )
  return movedBesides(schema, before, own, now).map((path) => path.join('/'))
}

const users = (...all: readonly JsonObject[]): JsonObject => ({ ...seen, users: all })
const addsY: Footprint = { elements: [{ of: 'users', written: [user('y', 'r')], removed: [] }] }
const takesX: Footprint = { elements: [{ of: 'users', written: [], removed: [user('x', 'r')] }] }
const both = users(user('x', 'r'), user('y', 'r'))

describe('a change that somebody else made', () => {
  test.each<[string, Parameters<typeof moved>[0], JsonObject, readonly string[]]>([
    ['nothing written, nothing moved', [], seen, []],
    ['nothing written, all that moved', [], { ...seen, note: 'm' }, ['note']],
    ['written whole, as written', [[{ sets: ['note'] }, { ...seen, note: 'm' }]], { ...seen, note: 'm' }, []],
    [
      'written whole, and then changed',
      [[{ sets: ['note'] }, { ...seen, note: 'm' }]],
      { ...seen, note: 'o' },
      ['note'],
    ],
    [
      'beside what was written',
      [[{ sets: ['note'] }, { ...seen, note: 'm' }]],
      { ...seen, note: 'm', name: 'b' },
      ['name'],
    ],
    [
      'what begins to apply with what was written has the value of the last time',
      [[{ sets: ['name'] }, { ...seen, name: 'b' }]],
      { ...seen, name: 'b', alarm: true },
      [],
    ],
    [
      'and otherwise not',
      [[{ sets: ['note'] }, { ...seen, note: 'm' }]],
      { ...seen, note: 'm', alarm: true },
      ['alarm'],
    ],
    ['all of it, where a command does not say', [[undefined, { ...seen, note: 'm' }]], { ...seen, note: 'm' }, []],
    ['what may move by the way', [[{ affects: ['note'] }, seen]], { ...seen, note: 'o' }, []],
    [
      'what tells that a secret was written',
      [[{ sets: ['secret'] }, { ...seen, secret: 's' }]],
      { ...seen, hash: 'h' },
      [],
    ],
    [
      'a value that nobody knows yet',
      [[{ sets: ['note'] }, { ...seen, note: { $after: 'a#1', pointer: '/id' } }]],
      { ...seen, note: 'o' },
      [],
    ],
    [
      'a secret that cannot be read',
      [[{ sets: ['secret'] }, { ...seen, secret: 's' }]],
      { ...seen, secret: 'masked' },
      [],
    ],
    [
      'written whole, with an element of another after it',
      [
        [{ sets: ['note'] }, { ...seen, note: 'm' }],
        [addsY, { ...both, note: 'm' }],
      ],
      { ...both, note: 'o' },
      ['note'],
    ],
    [
      'one of two written one after the other',
      [
        [{ sets: ['note'] }, { ...seen, note: 'm' }],
        [{ sets: ['name'] }, { ...seen, note: 'm', name: 'b' }],
      ],
      { ...seen, note: 'o', name: 'b' },
      ['note'],
    ],
    ['what moves by itself', [], { ...seen, changedAt: 'today' }, []],
    ['an element that we added', [[addsY, both]], both, []],
    ['one that we added is gone', [[addsY, both]], seen, ['users/y']],
    ['one that we added is another', [[addsY, both]], users(user('x', 'r'), user('y', 'q')), ['users/y/role']],
    ['one beside it', [[addsY, both]], users(user('x', 'r'), user('y', 'r'), user('z', 'r')), ['users/z']],
    ['one that we removed', [[takesX, users()]], users(), []],
    ['one that we removed is back', [[takesX, users()]], seen, ['users/x']],
    [
      'removed and added again',
      [
        [takesX, users()],
        [{ elements: [{ of: 'users', written: [user('x', 'q')], removed: [] }] }, users(user('x', 'q'))],
      ],
      users(user('x', 'q')),
      [],
    ],
    [
      'a set without keys, one by one',
      [[{ elements: [{ of: 'tags', written: ['u'], removed: ['t'] }] }, { ...seen, tags: ['u'] }]],
      { ...seen, tags: ['u'] },
      [],
    ],
    [
      'written whole and then one by one, as written',
      [
        [{ sets: ['users'] }, both],
        [addsY, both],
      ],
      both,
      [],
    ],
    [
      'written whole and then one by one, and one beside it',
      [
        [{ sets: ['users'] }, both],
        [addsY, both],
      ],
      users(user('x', 'r'), user('y', 'r'), user('z', 'r')),
      ['users/z'],
    ],
    [
      'one by one and then whole, and one beside it',
      [
        [addsY, both],
        [{ sets: ['users'] }, both],
      ],
      users(user('x', 'r'), user('y', 'r'), user('z', 'r')),
      ['users/z'],
    ],
  ])('is found by replaying our writes: %s', (_, written, now, expected) => {
    expect(moved(written, now)).toEqual(expected)
  })

  test('is found in a new object by comparing only what we wrote', () => {
    const made: Parameters<typeof moved>[0] = [[undefined, { name: 'a' }]]
    const own = made.reduce((known, [footprint, after]) => withCommand(schema, known, footprint, after), nothingWritten)
    expect(movedBesides(schema, undefined, own, { name: 'a', note: 'by the server' })).toEqual([])
    expect(movedBesides(schema, undefined, own, { name: 'b' })).toEqual([['name']])
  })
})
