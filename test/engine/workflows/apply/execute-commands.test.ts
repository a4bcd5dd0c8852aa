import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import type { Command, Response } from '../../../../core/engine/schema/command.ts'
import {
  type ExecutionPorts,
  executeCommands,
} from '../../../../core/engine/workflows/apply/execution/execute-commands.ts'
import { aCommand } from '../../../builders/values/commands.ts'

const ok: Response = { status: 204, headers: {}, body: null }

const recording = (changes: Partial<ExecutionPorts> = {}) => {
  const log: string[] = []
  const ports: ExecutionPorts = {
    intent: async ({ id }) => void log.push(`intent ${id}`),
    changedSince: async ({ id }) => void log.push(`look ${id}`) as undefined,
    send: async ({ id }) => {
      log.push(`send ${id}`)
      return ok
    },
    result: async (_command, { command, status }) => void log.push(`${status} ${command}`),
    isOut: () => false,
    sentBack: () => undefined,
    unsent: async ({ id }) => void log.push(`unsent ${id}`),
    applied: async (address) => void log.push(`applied ${address}`),
    shouldStop: () => false,
    excerpt: ({ body }) => JSON.stringify(body),
    now: () => new Date(0),
    sleep: async () => {},
    waiting: async ({ id }, { waiter }) => void log.push(`wait ${waiter} ${id}`),
    poll: async () => ok,
    polled: () => {},
    ...changes,
  }
  return { log, ports }
}

const failing = (id: string, answer: () => Promise<Response>) => (command: Command) =>
  command.id === id ? answer() : Promise.resolve(ok)

const chain = [
  aCommand('thing.a#1'),
  aCommand('thing.a#2', { dependsOn: ['thing.a#1'] }),
  aCommand('thing.b#1', { dependsOn: ['thing.a#2'] }),
  aCommand('thing.c#1'),
]

describe('the execution of commands', () => {
  it('writes the intent, looks, sends, writes the result, and records each resource once', async () => {
    const { log, ports } = recording()
    const walked = await executeCommands(chain.slice(0, 2), [], ports)
    expect(log).toEqual([
      ...['intent thing.a#1', 'look thing.a#1', 'send thing.a#1', 'succeeded thing.a#1'],
      ...['intent thing.a#2', 'look thing.a#2', 'send thing.a#2', 'succeeded thing.a#2', 'applied thing.a'],
    ])
    expect(walked.finished).toBe(true)
  })

  it('tells the failure of a program in words, with its name', async () => {
    const body = {
      exitCode: 100,
      stdout: '',
      stderr: 'E: no package',
      detail: 'the program ended with exit code 100: E: no package',
    }
    const { ports } = recording({ send: async () => ({ status: 422, headers: {}, body }) })
    const request = { method: 'POST', url: 'exec:///apt-get', effect: 'write' } as const
    const { outcomes } = await executeCommands([aCommand('thing.a#1', { request })], [], ports)
    expect(outcomes).toMatchObject([
      { status: 'failed', detail: '"apt-get: the program ended with exit code 100: E: no package"' },
    ])
  })

  it.each<[string, Response, Partial<Command>, object]>([
    [
      'an error inside a success, in the words that stand where the command says',
      { ...ok, status: 200, body: { error: 'quota', message: 'too many' } },
      {},
      { status: 'failed', httpStatus: 200, detail: '"too many"' },
    ],
    [
      'an error without words, by the whole answer',
      { ...ok, status: 200, body: { error: 1 } },
      {},
      { status: 'failed', httpStatus: 200, detail: '{"error":1}' },
    ],
    [
      'a failure in its words',
      { ...ok, status: 400, body: { message: 'bad' } },
      {},
      { status: 'failed', detail: '"bad"' },
    ],
    ['no error', { ...ok, status: 200, body: { error: null } }, {}, { status: 'succeeded', httpStatus: 200 }],
    [
      'an error whose meaning is good enough',
      { ...ok, status: 200, body: { error: 1 } },
      { success: [200, 404] },
      { status: 'succeeded', httpStatus: 200 },
    ],
  ])('reports %s', async (_, answer, more, outcome) => {
    const errors = { message: ['/message'], when: [{ pointer: '/error', exists: true, means: 404 }] }
    const { ports } = recording({ send: async () => answer })
    const walked = await executeCommands([aCommand('thing.a#1', { errors, ...more })], [], ports)
    expect(walked.outcomes).toEqual([
      { command: 'thing.a#1', ...outcome, ...('httpStatus' in outcome ? {} : { httpStatus: 400 }) },
    ])
  })

  it.each<[string, boolean, readonly string[], readonly object[]]>([
    ['is still to be sent where it did not leave', false, ['unsent thing.a#1'], []],
    [
      'has an unknown result where it may have left',
      true,
      ['unknown thing.a#1'],
      [{ command: 'thing.a#1', status: 'unknown' }],
    ],
  ])('%s for a command that took too long', async (_, isOut, last, outcomes) => {
    const over = new AppError('DEADLINE_REACHED', { of: 'this apply', seconds: 1 })
    const { log, ports } = recording({ send: () => Promise.reject(over), isOut: () => isOut })
    const walked = await executeCommands(chain.slice(0, 1), [], ports)
    expect(log).toEqual(['intent thing.a#1', 'look thing.a#1', ...last])
    expect(walked.outcomes).toMatchObject(outcomes)
    expect(walked.outcomes).toHaveLength(outcomes.length)
  })

  const refused = { status: 422, headers: {}, body: 'no' }
  const failures: [string, Partial<ExecutionPorts>, string[]][] = [
    [
      'an answer that is no success',
      { send: failing('thing.a#1', async () => refused) },
      ['failed', 'skipped', 'skipped', 'succeeded'],
    ],
    [
      'no answer',
      {
        send: failing('thing.a#2', () =>
          Promise.reject(new AppError('REQUEST_FAILED', { method: 'PUT', url: 'u', detail: 'reset' })),
        ),
      },
      ['succeeded', 'unknown', 'skipped', 'succeeded'],
    ],
    [
      'a request that could not be built',
      {
        send: failing('thing.c#1', () =>
          Promise.reject(new AppError('SECRET_UNRESOLVED', { source: 'env:X', detail: 'not set' })),
        ),
      },
      ['succeeded', 'succeeded', 'succeeded', 'failed'],
    ],
    [
      'a moved object',
      { changedSince: async ({ id }) => (id === 'thing.a#1' ? 'moved' : undefined) },
      ['failed', 'skipped', 'skipped', 'succeeded'],
    ],
  ]
  it.each(failures)('skips after %s exactly what depends on it', async (_name, changes, expected) => {
    const { ports } = recording(changes)
    const { outcomes } = await executeCommands(chain, [], ports)
    expect(outcomes.map(({ status }) => status)).toEqual(expected)
  })

  it('sends nothing for an object that moved', async () => {
    const { log, ports } = recording({ changedSince: async () => 'moved' })
    await executeCommands([aCommand('thing.a#1')], [], ports)
    expect(log).toEqual(['intent thing.a#1', 'failed thing.a#1'])
  })

  it('stops between commands, and continues where it stopped', async () => {
    let left = 2
    const { log, ports } = recording({ shouldStop: () => left-- === 0 })
    const first = await executeCommands(chain, [], ports)
    expect(first.finished).toBe(false)
    left = 99
    const second = await executeCommands(chain, first.outcomes, ports)
    expect(second.outcomes.map(({ command }) => command)).toEqual(chain.map(({ id }) => id))
    expect(log.filter((line) => line.startsWith('send'))).toEqual(chain.map(({ id }) => `send ${id}`))
  })

  it('sends nothing more when the intent cannot be written', async () => {
    const { log, ports } = recording({ intent: () => Promise.reject(new AppError('LOCK_LOST', { workspace: 'w' })) })
    await expect(executeCommands(chain, [], ports)).rejects.toMatchObject({ code: 'LOCK_LOST' })
    expect(log).toEqual([])
  })
})
