import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command } from '../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import type { CommandOutcome } from '../../../../core/engine/schema/stored/outcome.ts'
import type { Plan } from '../../../../core/engine/schema/stored/plan.ts'
import type { Url } from '../../../../core/engine/schema/value.ts'
import { commandsToSend } from '../../../../core/engine/workflows/apply/approved/commands-to-send.ts'
import {
  type ApplyProgress,
  findDifference,
  remainingCommands,
} from '../../../../core/engine/workflows/apply/approved/compare-approved.ts'
import type { KnownValue } from '../../../../core/engine/workflows/apply/approved/fill-known.ts'
import { aCommand, aRequest } from '../../../builders/values/commands.ts'
import { aPlan } from '../../../builders/values/plans.ts'
import { anApply } from '../../../builders/values/records.ts'

const [a, b, c] = [aCommand('thing.a#1'), aCommand('thing.b#1'), aCommand('thing.c#1')]

describe('the comparison with the approved commands', () => {
  const cases: [string, Command[], Command[], ReturnType<typeof findDifference>][] = [
    ['same list', [a, b], [a, b], undefined],
    ['same list, members in another order', [a], [JSON.parse(JSON.stringify({ ...a, id: a.id }))], undefined],
    ['one less', [a, b], [a], { command: 'thing.b#1', detail: 'would not be sent any more' }],
    ['one more', [a], [a, b], { command: 'thing.b#1', detail: 'is new' }],
    ['swapped', [a, b], [b, a], { command: 'thing.a#1', detail: 'would be sent at another place' }],
    [
      'other body',
      [aCommand('thing.a#1', { request: aRequest() })],
      [aCommand('thing.a#1', { request: aRequest({ body: { size: 2 } }) })],
      { command: 'thing.a#1', detail: 'would have another body' },
    ],
    [
      'other address',
      [aCommand('thing.a#1', { request: aRequest() })],
      [aCommand('thing.a#1', { request: aRequest({ method: 'DELETE', url: 'http://127.0.0.1/b' }) })],
      { command: 'thing.a#1', detail: 'would be DELETE http://127.0.0.1/b' },
    ],
    [
      'the object moved',
      [aCommand('thing.a#1', { precondition: { kind: 'reread', digest: 'sha256:1' } })],
      [aCommand('thing.a#1', { precondition: { kind: 'reread', digest: 'sha256:2' } })],
      { command: 'thing.a#1', detail: 'would meet an object that has changed since' },
    ],
    [
      'other grade',
      [a],
      [aCommand('thing.a#1', { grade: 'irreversible' })],
      { command: 'thing.a#1', detail: 'has other properties' },
    ],
  ]
  it.each(cases)('names the first command that differs: %s', (_name, approved, current, expected) => {
    expect(findDifference(approved, current)).toEqual(expected)
  })
})

describe('the commands that remain to be sent', () => {
  const none = new Set<string>()
  const failed = none
  const unknown = () => undefined
  const renumbered = { ...b, id: 'thing.a#1', precondition: { kind: 'absent' as const } }
  it('include a command again under its new number', () => {
    const answer = remainingCommands(
      [a, b],
      { done: new Set([a.id]), failed, uncertain: none, sent: none },
      [renumbered],
      unknown,
    )
    expect(answer).toEqual({ left: [{ approved: b, current: renumbered }], foundDone: [], inDoubt: [] })
  })
  it('do not include a command that may have been sent and is no longer needed', () => {
    const answer = remainingCommands(
      [a, b],
      { done: none, failed, uncertain: new Set([a.id]), sent: none },
      [b],
      unknown,
    )
    expect(answer).toEqual({ left: [{ approved: b, current: b }], foundDone: [a.id], inDoubt: [] })
  })
  it('are refused where a command that was never sent is no longer needed', () => {
    const answer = remainingCommands([a, b], { done: none, failed, uncertain: none, sent: none }, [b], unknown)
    expect(answer).toEqual({ command: a.id, detail: 'would not be sent any more' })
  })
  it('are refused where a command was never approved, also when a finished command comes back', () => {
    expect(remainingCommands([a], { done: none, failed, uncertain: none, sent: none }, [a, c], unknown)).toMatchObject({
      command: c.id,
    })
    expect(
      remainingCommands([a, b], { done: new Set([a.id]), failed, uncertain: none, sent: none }, [a, b], unknown),
    ).toMatchObject({
      command: a.id,
    })
  })
  describe('with an approved placeholder', () => {
    const known: KnownValue = ({ $after, pointer }) => ($after === 'thing.a' && pointer === '/id' ? 'x!7' : undefined)
    const after = { $after: 'thing.a', pointer: '/id' }
    const secret = { $secret: 'env:KEY' }
    const b = (body: Json, url: Url = 'http://127.0.0.1/b') =>
      aCommand('thing.b#1', { request: { ...aRequest({ body }), url } })
    const cases: [string, Command, Command, boolean][] = [
      ['in a body', b({ of: after, size: 1 }), b({ of: 'x!7', size: 1 }), true],
      ['inside a text', b({ of: { $concat: ['id ', after, '.'] } }), b({ of: 'id x!7.' }), true],
      [
        'beside a secret, whose text had no digest yet',
        b({ of: { $concat: [after, ':', secret] } }),
        b({ of: { $concat: ['x!7:', secret], digest: 'hmac-sha256:0' } }),
        true,
      ],
      [
        'in a URL, however it is encoded',
        b(1, ['http://127.0.0.1/', { $after: 'thing.a', pointer: '/id' }, '/b']),
        b(1, 'http://127.0.0.1/x%217/b'),
        true,
      ],
      ['another value', b({ of: after }), b({ of: 'y' }), false],
      ['something else beside it', b({ of: after, size: 1 }), b({ of: 'x!7', size: 2 }), false],
      ['not known yet', b({ of: { ...after, pointer: '/name' } }), b({ of: 'x!7' }), false],
      [
        'another path',
        b(1, ['http://127.0.0.1/', { $after: 'thing.a', pointer: '/id' }, '/b']),
        b(1, 'http://127.0.0.1/x!7%2Fb'),
        false,
      ],
      ['no placeholder, and another spelling', b(1, 'http://127.0.0.1/x!7'), b(1, 'http://127.0.0.1/x%217'), false],
    ]
    it.each(cases)('accept exactly the value that is known by now: %s', (_, approved, current, same) => {
      const answer = remainingCommands(
        [a, approved],
        { done: new Set([a.id]), failed, uncertain: none, sent: none },
        [current],
        known,
      )
      expect('left' in answer).toBe(same)
    })
  })
  it('leave out a command that failed and those that were skipped because of it', () => {
    const progress = { done: none, failed: new Set([a.id]), uncertain: none, sent: none }
    expect(remainingCommands([a, b], progress, [a, b], unknown)).toMatchObject({
      left: [{ approved: b }],
      foundDone: [],
    })
    expect(remainingCommands([a, b], progress, [b], unknown)).toMatchObject({ left: [{ approved: b }], foundDone: [] })
  })
  it('never leave a request that was not approved', () => {
    const list = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 6 })
    const ids = (letters: string[]) => letters.map((letter) => aCommand(`thing.${letter}#1`))
    fc.assert(
      fc.property(list, list, list, list, list, (approved, done, uncertain, sent, current) => {
        const set = (letters: string[]) => new Set(ids(letters).map(({ id }) => id))
        const answer = remainingCommands(
          ids(approved),
          { done: set(done), failed, uncertain: set(uncertain), sent: set(sent) },
          ids(current),
          unknown,
        )
        if (!('left' in answer)) return
        for (const { approved: each, current: now } of answer.left) {
          expect(approved).toContain(each.id[6])
          expect(done).not.toContain(each.id[6])
          expect(now.request).toEqual(each.request)
        }
        expect(answer.left.length + answer.inDoubt.length).toBe(current.length)
        for (const id of answer.inDoubt) expect(uncertain).toContain(id[6])
      }),
    )
  })
})

describe('the continuation after a worker that ended', () => {
  const create = aCommand('thing.a#1', { action: 'create', request: aRequest({ method: 'POST' }) })
  const next = { ...b, dependsOn: [create.id] }
  const both = [create, next]
  const maybe = new Set([create.id])
  const [sent, answered] = [
    { uncertain: maybe, sent: maybe, open: [create] },
    { uncertain: maybe, sent: maybe, outcomes: [{ command: create.id, status: 'unknown' as const }] },
  ]
  const refused = { failed: maybe, outcomes: [{ command: create.id, status: 'failed' as const }] }
  const unread = [{ address: create.address, reason: 'server_error' as const, detail: 'status 500' }]

  const none = {
    done: new Set<string>(),
    failed: new Set<string>(),
    uncertain: new Set<string>(),
    sent: new Set<string>(),
  }
  const readyAfter = (progress: Partial<ApplyProgress>, seen: Partial<Plan>, approved: readonly Command[] = both) =>
    commandsToSend({
      ...{ apply: anApply(1), approved, known: () => undefined, nodes: [] },
      progress: { ...none, outcomes: [], open: [], attempts: new Map(), waiting: new Map(), ...progress },
      plan: aPlan(seen),
    })

  it.each<[string, Partial<ApplyProgress>, Partial<Plan>, CommandOutcome['status'], boolean]>([
    ['goes on where it is seen to be done', sent, { commands: [next] }, 'found_done', false],
    ['waits where its object cannot be read', sent, { commands: [next], unchecked: unread }, 'unknown', true],
    ['waits where nothing shows it', sent, { commands: both }, 'unknown', true],
    ['waits where its answer was lost and nothing shows it', answered, { commands: both }, 'unknown', true],
    [
      'goes on where its answer was lost and it is seen to be done',
      answered,
      { commands: [next] },
      'found_done',
      false,
    ],
    [
      'waits for that also where another command has no answer yet',
      { ...answered, open: [next] },
      { commands: both },
      'unknown',
      true,
    ],
    ['waits where it failed', refused, { commands: both }, 'failed', true],
    ['waits where it failed, also if nobody wants it any more', refused, { commands: [next] }, 'failed', true],
  ])('is decided by what is seen now: it %s', (_, progress, seen, status, waits) => {
    const ready = readyAfter(progress, seen)
    expect(ready.outcomes).toMatchObject([{ command: create.id, status }])
    // What an earlier worker wrote to the ledger is not written again.
    const isWritten = progress.outcomes?.some((earlier) => earlier.status === status) === true
    expect(ready.found.map(({ command }) => command.id)).toEqual(isWritten ? [] : [create.id])
    expect(ready.commands).toMatchObject([{ id: next.id, dependsOn: waits ? [create.id] : [] }])
  })

  it('reports what an earlier worker saw together with the present finding', () => {
    const progress = { ...answered, uncertain: new Set([create.id, next.id]), open: [next] }
    expect(readyAfter(progress, { commands: [create] })).toMatchObject({
      outcomes: [
        { command: create.id, status: 'unknown' },
        { command: next.id, status: 'found_done' },
      ],
      commands: [],
    })
  })

  it.each([
    ['what is not known because of another', [next, create], ['dependency', 'server_error']],
    ['what comes later', [next, create], ['timeout', 'server_error']],
    ['what is not known because of another, whatever the order', [create, next], ['server_error', 'unresolved']],
  ] as const)(
    'is refused where nothing was sent and an object cannot be read, which is reported before %s',
    (_, order, reasons) => {
      const unchecked = order.map(({ address }, n) => ({
        address,
        reason: reasons[n] ?? 'timeout',
        detail: `of ${address}`,
      }))
      expect(() => readyAfter({}, { unchecked })).toThrow(
        expect.objectContaining({
          code: 'TARGET_UNREAD',
          payload: expect.objectContaining({ address: create.address, more: 1 }),
        }),
      )
    },
  )

  it('waits as approved for the commands that are still to be sent', () => {
    const last = aCommand('thing.c#1', { dependsOn: [next.id, create.id] })
    const progress = { done: new Set([create.id]), outcomes: [{ command: create.id, status: 'succeeded' as const }] }
    expect(readyAfter(progress, { commands: [next, last] }, [...both, last])).toMatchObject({
      outcomes: [{ command: create.id, status: 'succeeded' }],
      commands: [
        { id: next.id, dependsOn: [] },
        { id: last.id, dependsOn: [next.id] },
      ],
      found: [],
    })
  })

  it('is refused where the remaining commands are not the approved ones, but not for other commands', () => {
    const progress = { done: new Set([create.id]), outcomes: [{ command: create.id, status: 'succeeded' as const }] }
    const other = aCommand('thing.other#1')
    const elsewhere = [{ address: other.address, reason: 'timeout' as const, detail: 'slow' }]
    expect(readyAfter(progress, { commands: [next, other], unchecked: elsewhere }).commands).toMatchObject([
      { id: next.id },
    ])
    expect(() => readyAfter(progress, { commands: [other], unchecked: elsewhere })).toThrow(
      expect.objectContaining({
        code: 'STALE_PLAN',
        payload: expect.objectContaining({ command: next.id, approved: anApply(1).digest, sent: 1 }),
      }),
    )
  })
})
