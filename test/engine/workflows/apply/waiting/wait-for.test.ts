import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../core/engine/errors/errors.ts'
import type { Response, Waiter } from '../../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../../core/engine/schema/json.ts'
import type { Waiting } from '../../../../../core/engine/schema/stored/waiting.ts'
import { evaluatePoll, firstWaiter } from '../../../../../core/engine/workflows/apply/approved/evaluate-poll.ts'
import { executeCommands } from '../../../../../core/engine/workflows/apply/execution/execute-commands.ts'
import {
  beginWaiting,
  goOnWaiting,
  type WaitPorts,
} from '../../../../../core/engine/workflows/apply/execution/wait-for.ts'
import { aCommand } from '../../../../builders/values/commands.ts'

const answer = (status: number, body: Json = null, headers: Record<string, string> = {}): Response => ({
  status,
  headers,
  body,
})

const plain: Waiter = {
  request: { method: 'GET', url: 'https://api.test/things/1', effect: 'read' },
  when: { statuses: [202] },
  ok: [],
  error: [],
  absent: [404],
  intervalSeconds: 10,
  backoff: 1,
  timeoutSeconds: 60,
}
const stateful: Waiter = {
  ...plain,
  when: { statuses: [202], state: '/state' },
  state: '/state',
  ok: ['OK'],
  error: ['ERRED'],
  message: ['/error_message'],
}
const going: Waiter = { ...stateful, ok: [], gone: {} }

describe('evaluatePoll', () => {
  const cases: [string, Waiter, Response, string][] = [
    ['a success', plain, answer(200), 'done'],
    ['a 202', plain, answer(202), 'under way'],
    ['a failure of the server', plain, answer(503), 'unread'],
    ['a refusal', plain, answer(403), 'unread'],
    ['nothing there yet', plain, answer(404, {}), 'under way'],
    ['a state of ok', stateful, answer(200, { state: 'OK' }), 'done'],
    ['the same in other case', stateful, answer(200, { state: 'Ok' }), 'done'],
    ['a state of ok in a failed answer', stateful, answer(500, { state: 'OK' }), 'unread'],
    ['a state that nobody knows', stateful, answer(200, { state: 'CREATING' }), 'under way'],
    ['no state', stateful, answer(200, {}), 'unread'],
    ['a body that is no object', stateful, answer(200, 'OK'), 'unread'],
    ['a state of error in other case', stateful, answer(200, { state: 'Erred' }), 'error'],
    ['nothing, where that is awaited', going, answer(404, {}), 'done'],
    ['a page of somebody on the way, where nothing is awaited', going, answer(404, '<h1>none</h1>'), 'unread'],
    ['still there, where it shall go', going, answer(200, { state: 'OK' }), 'under way'],
    ['fit, where it shall go', { ...going, ok: ['OK'] }, answer(200, { state: 'OK' }), 'under way'],
    ['a failed going', going, answer(200, { state: 'ERRED' }), 'error'],
    ['a failed read, where it shall go', going, answer(500), 'unread'],
    ['marked as gone', { ...going, gone: { where: { '/removed': true } } }, answer(200, { removed: true }), 'done'],
    ['not marked', { ...going, gone: { where: { '/removed': true } } }, answer(200, { removed: false }), 'under way'],
    [
      'an error in a success',
      { ...plain, errors: { when: [{ pointer: '/error', exists: true, means: 500 }] } },
      answer(200, { error: 'x' }),
      'unread',
    ],
  ]
  it.each(cases)('decides from an answer whether an operation has ended: %s', (_name, waiter, response, kind) =>
    expect(evaluatePoll(waiter, response).kind).toBe(kind),
  )

  it('names the reason of an error', () => {
    const polled = evaluatePoll(stateful, answer(200, { state: 'ERRED', error_message: 'no quota' }))
    expect(polled).toEqual({ kind: 'error', words: 'it is ERRED: no quota' })
  })
})

describe('firstWaiter', () => {
  const cases: [string, Waiter[], Response, number | undefined][] = [
    ['a 202', [plain], answer(202), 0],
    ['a 200', [plain], answer(200), undefined],
    ['a state outside ok', [stateful], answer(201, { state: 'CREATING' }), 0],
    ['a state of ok', [stateful], answer(201, { state: 'ok' }), undefined],
    ['no state', [stateful], answer(201, {}), undefined],
    ['only the second asks', [plain, stateful], answer(201, { state: 'CREATING' }), 1],
    ['no waiter', [], answer(202), undefined],
  ]
  it.each(cases)('finds the first operation that an answer leaves open: %s', (_name, waiters, response, place) =>
    expect(firstWaiter(waiters, response)).toBe(place),
  )
})

/** Polls answer in turn, the last one for ever; a sleep moves the clock. */
const watching = (answers: readonly (Response | AppError)[], changes: Partial<WaitPorts> = {}) => {
  let now = 0
  let polls = 0
  const noted: Waiting[] = []
  const ports: WaitPorts = {
    now: () => new Date(now),
    sleep: async (milliseconds) => {
      now += milliseconds
    },
    waiting: async (_command, waiting) => void noted.push(waiting),
    poll: async () => {
      const found = answers[Math.min(polls, answers.length - 1)] ?? answer(500)
      polls += 1
      if (found instanceof AppError) throw found
      return found
    },
    polled: () => {},
    shouldStop: () => false,
    excerpt: ({ body }) => (typeof body === 'string' ? body : JSON.stringify(body)),
    ...changes,
  }
  return { ports, noted, seconds: () => now / 1000, polls: () => polls }
}

const lost = new AppError('REQUEST_FAILED', { method: 'GET', url: 'u', detail: 'reset' })
const waiting = (...wait: Waiter[]) => aCommand('thing.a#1', { wait })

describe('waiting for an operation', () => {
  it('asks until the operation is done, through failures', async () => {
    const { ports, polls, seconds } = watching([
      answer(503),
      lost,
      answer(200, { state: 'X' }),
      answer(200, { state: 'OK' }),
    ])
    const outcome = await beginWaiting(waiting(stateful), 0, answer(202), ports)
    expect(outcome).toEqual({ command: 'thing.a#1', status: 'succeeded' })
    expect([polls(), seconds()]).toEqual([4, 40])
  })

  /** `running`: the target itself said so at last. */
  const ends: [string, readonly (Response | AppError)[], string, RegExp, 'running'?][] = [
    ['a state of error', [answer(200, { state: 'ERRED', error_message: 'no quota' })], 'failed', /ERRED: no quota/],
    ['a time-out', [answer(200, { state: 'CREATING' })], 'unknown', /after 60 s of waiting: it is CREATING/, 'running'],
    ['a state, and then none', [answer(200, { state: 'CREATING' }), answer(200, {})], 'unknown', /it is null/],
    ['polls that fail to the end', [answer(500)], 'unknown', /status 500/],
    ['no answer to the end', [lost], 'unknown', /reset/],
  ]
  it.each(ends)('ends with a failure or as unknown: %s', async (_name, answers, status, detail, running) => {
    const { ports, seconds } = watching(answers)
    const outcome = await beginWaiting(waiting(stateful), 0, answer(202), ports)
    expect(outcome).toMatchObject({ status, detail: expect.stringMatching(detail) })
    expect('running' in (outcome ?? {})).toBe(running === 'running')
    expect(seconds()).toBeLessThanOrEqual(61)
  })

  it('pauses longer each time, and as long as the target asks', async () => {
    const { ports, seconds } = watching([answer(202, null, { 'retry-after': '50' }), answer(200)])
    await beginWaiting(waiting({ ...plain, backoff: 2, timeoutSeconds: 600 }), 0, answer(202), ports)
    expect(seconds()).toBe(60)
  })

  it('asks at the Location of the answer, on the same host only', async () => {
    const located: Waiter = { ...plain, location: true }
    const near = watching([answer(200)])
    await beginWaiting(waiting(located), 0, answer(202, null, { location: '/operations/7' }), near.ports)
    expect(near.noted[0]).toMatchObject({ location: 'https://api.test/operations/7' })
    for (const headers of [{ location: 'https://evil.test/' }, { location: '//evil.test' }, {}]) {
      const far = watching([answer(200)])
      const outcome = await beginWaiting(
        waiting(located),
        0,
        answer(202, null, headers as Record<string, string>),
        far.ports,
      )
      expect(outcome).toMatchObject({ status: 'unknown', detail: expect.stringContaining('Location') })
      expect(far.polls()).toBe(0)
    }
  })

  it('takes ids from the answer before, and keeps what the last answer produces', async () => {
    const order: Waiter = {
      ...stateful,
      takes: { order: '/uuid' },
      produces: { '/ids/uuid': '/resource' },
      ok: ['done'],
    }
    const { ports, noted } = watching([answer(200, { state: 'done', resource: 'r-1' }), answer(200, { state: 'OK' })])
    const outcome = await beginWaiting(waiting(order, stateful), 0, answer(201, { uuid: 'o-1', state: 'x' }), ports)
    expect(outcome).toMatchObject({ status: 'succeeded' })
    expect(noted).toMatchObject([
      { waiter: 0, answers: { '/wait/order': 'o-1' } },
      { waiter: 1, answers: { '/ids/uuid': 'r-1' } },
    ])
    const none = await beginWaiting(waiting(order), 0, answer(202, {}), ports)
    expect(none).toMatchObject({ status: 'unknown', detail: expect.stringContaining('/uuid') })
  })

  it('stops during a pause, and later continues from its notes', async () => {
    let left = 3
    const first = watching([answer(200, { state: 'X' })], { shouldStop: () => left-- <= 0 })
    expect(await beginWaiting(waiting(stateful), 0, answer(202), first.ports)).toBeUndefined()
    expect(first.seconds()).toBeLessThan(5)
    const second = watching([answer(200, { state: 'OK' })])
    const noted = first.noted[0] as Waiting
    expect(await goOnWaiting(waiting(stateful), noted, second.ports)).toMatchObject({ status: 'succeeded' })
    expect(second.seconds()).toBe(0)
  })

  it('counts the time of earlier workers', async () => {
    const late = watching([answer(200, { state: 'X' })], { now: () => new Date(61_000) })
    const outcome = await goOnWaiting(waiting(stateful), { waiter: 0, since: new Date(0).toISOString() }, late.ports)
    expect([outcome?.status, late.polls()]).toEqual(['unknown', 1])
  })

  it('ends when the lock is lost', async () => {
    const { ports } = watching([new AppError('LOCK_LOST', { workspace: 'w' })])
    await expect(beginWaiting(waiting(stateful), 0, answer(202), ports)).rejects.toMatchObject({ code: 'LOCK_LOST' })
  })
})

describe('the dependents of an operation', () => {
  const walk = async (wait: readonly Waiter[], polls: readonly Response[], changes: Partial<WaitPorts> = {}) => {
    const sent: string[] = []
    const { ports } = watching(polls, changes)
    const commands = [aCommand('thing.a#1', { wait }), aCommand('thing.b#1', { dependsOn: ['thing.a#1'] })]
    const walked = await executeCommands(commands, [], {
      ...ports,
      intent: async () => {},
      changedSince: async () => undefined,
      isOut: () => false,
      sentBack: () => undefined,
      unsent: async () => {},
      send: async ({ id }) => {
        sent.push(id)
        return answer(202)
      },
      result: async () => {},
      applied: async () => {},
    })
    return { sent, ...walked }
  }

  it('are sent only when the operation is done', async () => {
    expect((await walk([stateful], [answer(200, { state: 'OK' })])).sent).toEqual(['thing.a#1', 'thing.b#1'])
    const failed = await walk([stateful], [answer(200, { state: 'ERRED' })])
    expect([failed.sent, failed.outcomes.map(({ status }) => status)]).toEqual([['thing.a#1'], ['failed', 'skipped']])
  })

  it('have no outcome while the operation is still under way when the apply is stopped', async () => {
    let asked = 0
    const stopped = await walk([stateful], [answer(200, { state: 'X' })], { shouldStop: () => ++asked > 3 })
    expect(stopped).toMatchObject({ finished: false, waiting: ['thing.a#1'], outcomes: [], sent: ['thing.a#1'] })
  })
})

describe('the first poll', () => {
  const firstPoll = async (headers: Record<string, string>): Promise<number> => {
    let at = 0
    const watched = watching([], {})
    const poll = async (): Promise<Response> => {
      at = watched.seconds()
      return answer(200, { state: 'OK' })
    }
    const ports = { ...watched.ports, poll }
    await beginWaiting(waiting(stateful), 0, answer(202, null, headers), ports)
    return at
  }

  it.each<[string, Record<string, string>, number]>([
    ['after the interval', {}, 10],
    [
      'after the interval, whenever a limit resets',
      { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '3000' },
      10,
    ],
    ['after the interval, where nothing says how much is left', { 'ratelimit-reset': '50' }, 10],
    ['when the limit resets, where nothing is left', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '50' }, 50],
    ['when the limit resets, in one field', { ratelimit: '"default";r=0;t=40' }, 40],
    ['after the interval, in one field with something left', { ratelimit: 'limit=10, remaining=05, reset=40' }, 10],
    ['when the answer asks', { 'retry-after': '30' }, 30],
    ['at the end of the time-out, if the answer asks for more', { 'retry-after': '4000' }, 60],
  ])('is sent %s', async (_, headers, seconds) => {
    expect(await firstPoll(headers)).toBe(seconds)
  })

  const names = [
    'x-ratelimit-limit',
    'x-ratelimit-used',
    'x-ratelimit-reset',
    'ratelimit-reset',
    'x-rate-limit-reset',
    'date',
  ]
  const amounts = fc.oneof(fc.nat(), fc.constant('soon'), fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }))
  const left = fc
    .constantFrom('x-ratelimit-remaining', 'ratelimit-remaining')
    .chain((name) => fc.integer({ min: 1, max: 15_000 }).map((count) => ({ [name]: String(count) })))
  it('comes after the interval, whatever a success with something left says of limits', async () => {
    const others = fc.dictionary(fc.constantFrom(...names), amounts.map(String))
    await fc.assert(
      fc.asyncProperty(others, left, async (headers, some) => {
        expect(await firstPoll({ ...headers, ...some })).toBeLessThanOrEqual(stateful.intervalSeconds + 1)
      }),
    )
  })
})
