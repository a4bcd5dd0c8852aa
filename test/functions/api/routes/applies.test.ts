import { expect, test } from 'vitest'
import { memoryStore, type Store } from '#core'
import { createApply } from '../../../../core/engine/state/applies/applies.ts'
import { appendLedger } from '../../../../core/engine/state/ledger.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { saveWorkspace } from '../../../../core/engine/state/workspaces/save-workspace.ts'
import { systemClock } from '../../../../functions/adapters/clock.ts'
import { testApi, testDeps } from '../../../builders/aws/api.ts'
import { aCommand } from '../../../builders/values/commands.ts'
import { aBundle, anApply, aWorkspace } from '../../../builders/values/records.ts'

const apply = anApply(1, {
  status: 'running',
  startedAt: '2026-11-21T06:10:00.400Z',
  requestedAt: '2026-11-21T06:10:00.000Z',
  resources: ['thing.a', 'thing.b', 'thing.c', 'thing.d'].map((address) => ({
    address,
    commands: 1,
    result: 'remaining',
  })),
})

const second = (n: number): string => `2026-11-21T06:10:${String(n).padStart(2, '0')}.000Z`

type Written = readonly [kind: 'intent' | 'attempt' | 'waiting' | 'result', id: string, at: number, more?: object]

const opened = async () => {
  const inner = memoryStore(systemClock)
  let reads = 0
  const counted = <Result>(work: () => Result): Result => {
    reads += 1
    return work()
  }
  const store: Store = {
    ...inner,
    get: (...asked) => counted(() => inner.get(...asked)),
    query: (...asked) => counted(() => inner.query(...asked)),
  }
  const { deps } = testDeps({}, store)
  await saveWorkspace(store, aWorkspace(), aBundle())
  await createApply(store, apply, { further: [] })
  const { id: applyId, mode, runId, actor, reason, digest } = apply
  const write = async (...entries: readonly Written[]) => {
    for (const [kind, id, at, more] of entries)
      await appendLedger(store, 'acme', [
        {
          ...{ workspace: 'acme', at: second(at), kind, mode, applyId, runId, actor, reason, digest },
          ...{ formatVersion: '2', command: JSON.parse(JSON.stringify(aCommand(id))), ...more },
        },
      ])
  }
  const ask = async () => {
    reads = 0
    const { json, status } = await testApi(deps)('GET', `/v1/workspaces/acme/applies/${apply.id}`, { scope: 'read' })
    return { json, status, reads }
  }
  return { store, write, ask }
}

const done = (command: string) => ({ outcome: { command, status: 'succeeded' } })

test('an apply that runs says what is done, what is being sent since when, and how many wait', async () => {
  const { write, ask } = await opened()
  await write(
    ['intent', 'thing.a#1', 1],
    ['attempt', 'thing.a#1', 2, { attempt: 1 }],
    ['result', 'thing.a#1', 6, done('thing.a#1')],
    ['intent', 'thing.b#1', 7],
    ['attempt', 'thing.b#1', 8, { attempt: 1 }],
    ['attempt', 'thing.b#1', 9, { attempt: 2 }],
    ['intent', 'thing.c#1', 9],
  )
  expect((await ask()).json).toMatchObject({
    status: 'running',
    outcomes: [{ command: 'thing.a#1', status: 'succeeded' }],
    progress: {
      sending: [
        { command: 'thing.b#1', description: 'change thing.b#1', since: second(9), attempt: 2 },
        { command: 'thing.c#1', since: second(9) },
      ],
      waiting: 1,
    },
    results: { applied: 1, remaining: 3 },
  })
  await write(
    ['waiting', 'thing.b#1', 10, { waiting: { waiter: 0, since: second(10) } }],
    ['attempt', 'thing.c#1', 11, { attempt: 1 }],
    ['result', 'thing.c#1', 12, { outcome: { command: 'thing.c#1', status: 'failed', httpStatus: 409 } }],
  )
  expect((await ask()).json).toMatchObject({
    outcomes: [{ command: 'thing.a#1' }, { command: 'thing.c#1', status: 'failed' }],
    progress: { sending: [{ command: 'thing.b#1', attempt: 2, accepted: true }], waiting: 1 },
  })
})

test('who asks again reads the new entries alone, however many there are', async () => {
  const { write, ask } = await opened()
  for (let n = 0; n < 60; n += 1)
    await write(['intent', `thing.a#${n}`, 1], ['result', `thing.a#${n}`, 2, done(`thing.a#${n}`)])
  await ask()
  await write(['intent', 'thing.b#1', 3])
  const { json, reads } = await ask()
  expect(json).toMatchObject({ progress: { sending: [{ command: 'thing.b#1' }] } })
  expect(json['outcomes']).toHaveLength(60)
  expect(reads).toBeLessThanOrEqual(8)
})

test('an apply whose entries cannot be read is shown as its record has it', async () => {
  const { store, write, ask } = await opened()
  await write(['intent', 'thing.a#1', 1], ['result', 'thing.a#1', 2, done('thing.a#1')])
  const item = await store.get(keys.entry('acme', 2))
  if (item !== undefined) await store.write([{ kind: 'put', item: { ...item, body: 'torn' } }])
  const { json, status } = await ask()
  expect([status, json['status'], json['outcomes'], json['progress']]).toEqual([200, 'running', [], undefined])
})
