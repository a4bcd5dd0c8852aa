import { describe, expect, test } from 'vitest'
import { numberCommands } from '../../../core/engine/plan/commands/number-commands.ts'
import { blockDependents, orderChanges } from '../../../core/engine/plan/order-changes.ts'
import type { PlannedResource } from '../../../core/engine/plan/planning.ts'
import type { CommandDraft } from '../../../core/engine/schema/command.ts'
import type { Action, Change } from '../../../core/engine/schema/stored/plan.ts'
import {
  absent,
  desiredOf,
  factsOf,
  plan,
  planOf,
  present,
  recordedOf,
  unknown,
} from '../../builders/values/resources.ts'

const facts = factsOf({ a: { type: 'string' }, rev: { type: 'number', computed: true } })
const resource = (address: string, observed = present({ a: 'x' }), more = {}): PlannedResource =>
  plan({ facts, desired: desiredOf({ a: 'x' }, { address }), observed, ...more })

describe('a plan', () => {
  const kept = { desired: desiredOf({}, { address: 't.kept', absent: true, lifecycle: { preventDestroy: true } }) }
  const whole = planOf([
    resource('t.same'),
    resource('t.new', absent),
    resource('t.moved', present({ a: 'y' }), { recorded: recordedOf({ a: 'x' }) }),
    resource('t.blind', unknown),
    resource('t.kept', present({ a: 'x' }), kept),
  ])

  test('counts the commands that would be sent, and counts blocked changes apart', () => {
    expect(whole.counts).toEqual({
      create: 1,
      update: 1,
      replace: 0,
      delete: 0,
      blocked: 1,
      unchanged: 1,
      unchecked: 1,
      drifted: 1,
      commands: 0,
    })
  })

  test.each<[string, PlannedResource[], boolean, boolean]>([
    ['nothing at all', [], true, true],
    ['all the same', [resource('t.same')], true, true],
    ['a change', [resource('t.new', absent)], false, true],
    ['a blocked change', [resource('t.kept', present({ a: 'x' }), kept)], false, true],
    ['something unchecked', [resource('t.same'), resource('t.blind', unknown)], false, false],
  ])('knows whether it is empty and whether all is in sync: %s', (_, planned, inSync, complete) =>
    expect(planOf(planned)).toMatchObject({ inSync, complete }),
  )

  describe('digests', () => {
    const base = resource('t.a', present({ a: 'y', rev: 1 }))
    test.each<[string, PlannedResource[], { observed: boolean; plan: boolean }]>([
      ['a computed attribute moved', [resource('t.a', present({ a: 'y', rev: 2 }))], { observed: true, plan: false }],
      ['an attribute moved', [resource('t.a', present({ a: 'z', rev: 1 }))], { observed: false, plan: false }],
      ['it is gone', [resource('t.a', absent)], { observed: false, plan: false }],
      ['it cannot be read', [resource('t.a', unknown)], { observed: false, plan: false }],
      [
        'it moved within the file',
        [
          plan({
            facts,
            desired: desiredOf({ a: 'x' }, { address: 't.a', position: { file: 'f', line: 9, column: 9 } }),
            observed: present({ a: 'y', rev: 1 }),
          }),
        ],
        { observed: true, plan: true },
      ],
    ])('move only with what they cover: %s', (_, planned, same) => {
      const [was, now] = [planOf([base]).digests, planOf(planned).digests]
      expect({ observed: was.observed === now.observed, plan: was.plan === now.plan }).toEqual(same)
    })

    test('of an absent resource and of one that was not read are different', () => {
      expect(planOf([resource('t.a', absent)]).digests.observed).not.toBe(
        planOf([resource('t.a', unknown)]).digests.observed,
      )
    })
  })
})

test('a change says where its resource is configured; the change of a resource that left the configuration has no place', () => {
  const position = { file: 'net.yaml', line: 9, column: 5 }
  const there = plan({ facts, desired: desiredOf({ a: 'x' }, { position }), observed: present({ a: 'y' }) })
  const left = plan({ facts, recorded: recordedOf({ a: 'x' }), observed: present({ a: 'x' }) })
  expect(there.change?.position).toEqual(position)
  expect(left.change).toMatchObject({ action: 'delete' })
  expect(left.change).not.toHaveProperty('position')
})

const changeOf = (address: string, action: Action): Change => ({ ...resource(address, absent).change!, action })
const node = (address: string, ...dependsOn: string[]) => ({ address, dependsOn })

describe('the order of an apply', () => {
  test.each<[string, Change[], ReturnType<typeof node>[], ReturnType<typeof node>[], string[]]>([
    ['by address', [changeOf('b', 'create'), changeOf('a', 'update')], [node('b'), node('a')], [], ['a', 'b']],
    [
      'dependencies first',
      [changeOf('a', 'create'), changeOf('b', 'replace')],
      [node('a', 'b'), node('b')],
      [],
      ['b', 'a'],
    ],
    [
      'also through what does not change',
      [changeOf('a', 'create'), changeOf('c', 'create')],
      [node('a', 'b'), node('b', 'c'), node('c')],
      [],
      ['c', 'a'],
    ],
    [
      'deletes last, dependents first',
      [changeOf('x', 'delete'), changeOf('y', 'delete'), changeOf('z', 'create')],
      [node('z')],
      [node('y', 'x'), node('x')],
      ['z', 'y', 'x'],
    ],
    [
      'records that depend on each other',
      [changeOf('x', 'delete'), changeOf('y', 'delete')],
      [],
      [node('y', 'x'), node('x', 'y')],
      ['y', 'x'],
    ],
  ])('follows dependencies, and addresses where there are none: %s', (_, changes, desired, recorded, expected) =>
    expect(orderChanges(changes, desired, recorded).map(({ address }) => address)).toEqual(expected),
  )
})

test('blocks changes that depend on something unknown, and their dependents', () => {
  const nodes = [node('a', 'blind'), node('b', 'a'), node('c', 'fine'), node('d', 'blind')]
  const changes = [changeOf('a', 'update'), changeOf('b', 'create'), changeOf('c', 'create'), changeOf('d', 'delete')]
  const blocked = blockDependents(changes, [{ address: 'blind' }], nodes)
  expect(blocked.map(({ blocked: block }) => block?.detail)).toEqual([
    'it depends on blind, which is not known',
    'it depends on a, which is not known',
    undefined,
    undefined,
  ])
})

test('numbers the commands of a resource, and lets each wait for the one before', () => {
  const draft: CommandDraft = {
    action: 'update',
    description: 'change it',
    request: { method: 'PUT', url: 'http://localhost/', effect: 'write' },
    grade: 'reversible',
  }
  const etag = { kind: 'etag', etag: '"1"' } as const
  const identity = { keys: { name: 'a' }, ids: { id: '7' } }
  const number = (drafts: CommandDraft[], digest: string | null) =>
    numberCommands('t.a', drafts, { seen: digest === null ? null : { digest, identity } }).map(
      ({ id, dependsOn, precondition }) => ({ id, dependsOn, precondition }),
    )
  expect(number([draft, draft], 'sha256:1')).toEqual([
    { id: 't.a#1', dependsOn: [], precondition: { kind: 'reread', digest: 'sha256:1' } },
    { id: 't.a#2', dependsOn: ['t.a#1'], precondition: { kind: 'chained', digest: 'sha256:1' } },
  ])
  expect(number([{ ...draft, action: 'create' }], null)[0]?.precondition).toEqual({ kind: 'absent' })
  expect(number([{ ...draft, precondition: etag }], 'sha256:1')[0]?.precondition).toEqual({
    ...etag,
    digest: 'sha256:1',
  })
  const [remove, create] = [
    { ...draft, action: 'delete' },
    { ...draft, action: 'create' },
  ] as const
  const later = { ...draft, precondition: { kind: 'made' } } as const
  const kinds = (drafts: CommandDraft[]) => number(drafts, 'sha256:1').map(({ precondition }) => precondition)
  expect(kinds([remove, create, later])).toEqual([
    { kind: 'reread', digest: 'sha256:1', identity },
    { kind: 'absent' },
    { kind: 'made' },
  ])
  expect(kinds([create, later, remove])).toEqual([
    { kind: 'reread', digest: 'sha256:1' },
    { kind: 'made' },
    { kind: 'chained', digest: 'sha256:1', identity },
  ])
})
