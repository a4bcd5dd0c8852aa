import { beforeEach, describe, expect, test } from 'vitest'
import { AppError, type Apply, type Deps } from '#core'
import { createApply } from '../../core/engine/state/applies/applies.ts'
import { unfinishedWrite } from '../../core/engine/state/applies/unfinished-applies.ts'
import { saveWorkspace } from '../../core/engine/state/workspaces/save-workspace.ts'
import { applyHandler } from '../../functions/apply.ts'
import { checkHandler } from '../../functions/check.ts'
import { scheduleHandler } from '../../functions/schedule.ts'
import { type TestDeps, testApi, testDeps } from '../builders/aws/api.ts'
import { lambdaContext } from '../builders/aws/api-event.ts'
import { sqsEvent, testDelivery } from '../builders/aws/sqs-event.ts'
import { aBundle, anApply, aWorkspace } from '../builders/values/records.ts'

let parts: TestDeps
const compose = async (): Promise<Deps> => parts.deps
const failed = (answer: { batchItemFailures: { itemIdentifier: string }[] }) =>
  answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
const empty = (id: string) => aBundle(`workspace: ${id}\nproviders: {}\nresources: []\n`)

const outOfOrder = () => Promise.reject(new AppError('STORE_UNAVAILABLE', { detail: 'throttled' }))
const failing = async (): Promise<Deps> => ({ ...parts.deps, store: { ...parts.deps.store, query: outOfOrder } })

beforeEach(async () => {
  parts = testDeps()
  for (const id of ['acme', 'beta']) await saveWorkspace(parts.deps.store, aWorkspace({ id }), empty(id))
})

describe('the schedule function', () => {
  test('queues due checks once', async () => {
    const handler = scheduleHandler(compose)
    await handler({}, lambdaContext())
    expect(parts.checks.map(({ workspace }) => workspace).sort()).toEqual(['acme', 'beta'])
    expect(parts.checks.every((message) => message.actor === undefined)).toBe(true)
    await handler({}, lambdaContext())
    expect(parts.checks).toHaveLength(2)
  })
})

describe('the check function', () => {
  const runsOf = async (workspace: string) =>
    (await testApi(parts.deps)('GET', `/v1/workspaces/${workspace}/runs`, { scope: 'read' })).json['items'] as {
      trigger: string
      actor: { subject: string }
    }[]
  const scheduledFor = '2026-03-01T06:00:00.000Z'

  test('puts aside the messages of a batch that never can be processed, and does the others', async () => {
    const told = testDelivery()
    const answer = await checkHandler(compose, told.delivery)(
      sqsEvent([
        { id: 'good', body: { workspace: 'acme', scheduledFor } },
        { id: 'no JSON', body: '{' },
        { id: 'no workspace', body: { scheduledFor } },
        { id: 'no such workspace', body: { workspace: 'nowhere', scheduledFor } },
        { id: 'good too', body: { workspace: 'beta', scheduledFor } },
      ]),
      lambdaContext(),
    )
    expect(failed(answer)).toEqual([])
    expect(told.givenUp.toSorted()).toEqual([
      ['no JSON', 'REQUEST_INVALID'],
      ['no such workspace', 'WORKSPACE_NOT_FOUND'],
      ['no workspace', 'REQUEST_INVALID'],
    ])
    expect(told.later).toEqual([])
    expect(await runsOf('acme')).toHaveLength(1)
    expect(await runsOf('beta')).toHaveLength(1)
  })

  test('returns all messages of a batch when it has nothing to work with', async () => {
    const handler = checkHandler(async () => Promise.reject(new Error('no key')), testDelivery().delivery)
    const event = sqsEvent([
      { id: 'a', body: { workspace: 'acme' } },
      { id: 'b', body: { workspace: 'beta' } },
    ])
    expect(failed(await handler(event, lambdaContext()))).toEqual(['a', 'b'])
  })

  test.each([
    ['1', 10],
    ['2', 20],
    ['3', 40],
    ['4', 60],
    ['9', 60],
  ])('delivers a failed message of receive %i again after %i seconds', async (receives, seconds) => {
    const told = testDelivery()
    const event = sqsEvent([{ id: 'a', receives, body: { workspace: 'acme', scheduledFor } }])
    expect(failed(await checkHandler(failing, told.delivery)(event, lambdaContext()))).toEqual(['a'])
    expect(told).toMatchObject({ later: [['a', seconds]], givenUp: [] })
  })

  test('a check that failed keeps nobody from asking for another one', async () => {
    const ask = testApi(parts.deps)
    const path = '/v1/workspaces/acme/check'
    expect((await ask('POST', path, { scope: 'check' })).json).toMatchObject({ queued: true })
    expect((await ask('POST', path, { scope: 'check' })).json).toMatchObject({ queued: false })
    const [body] = parts.checks
    await checkHandler(failing, testDelivery().delivery)(sqsEvent([{ body }]), lambdaContext())
    expect((await ask('POST', path, { scope: 'check' })).json).toMatchObject({ queued: true })
  })

  test('a message that its queue does not take back is not lost', async () => {
    const delivery = { later: outOfOrder, giveUp: outOfOrder }
    const event = sqsEvent([
      { id: 'a', body: { workspace: 'acme', scheduledFor } },
      { id: 'b', body: '{' },
    ])
    expect(failed(await checkHandler(failing, delivery)(event, lambdaContext())).sort()).toEqual(['a', 'b'])
  })

  test('makes one run of a message that comes twice', async () => {
    const event = sqsEvent([{ body: { workspace: 'acme', scheduledFor } }])
    await checkHandler(compose, testDelivery().delivery)(event, lambdaContext())
    await checkHandler(compose, testDelivery().delivery)(event, lambdaContext())
    expect(await runsOf('acme')).toMatchObject([
      { trigger: 'schedule', actor: { subject: 'schedule', via: 'schedule' } },
    ])
  })
})

describe('the apply function', () => {
  const message = (id: string, group: string, applyId: string) => ({ id, group, body: { workspace: group, applyId } })

  const stored = async (workspace: string, apply: string) =>
    (await testApi(parts.deps)('GET', `/v1/workspaces/${workspace}/applies/${apply}`, { scope: 'read' })).json
  const batchOf = (one: Apply, two: Apply) =>
    sqsEvent([
      { id: 'first', group: 'acme', body: { workspace: 'acme' } },
      message('second', 'acme', one.id),
      message('third', 'beta', two.id),
      message('fourth', 'acme', one.id),
    ])
  let one: Apply
  let two: Apply
  beforeEach(async () => {
    one = anApply(1, { workspace: 'acme' })
    two = anApply(2, { workspace: 'beta' })
    for (const apply of [one, two]) {
      const further = [unfinishedWrite(apply, new Date(apply.requestedAt))]
      await createApply(parts.deps.store, apply, { further })
    }
  })

  test('lets the rest of a workspace wait after a failure, and other workspaces not', async () => {
    const delivery = { ...testDelivery().delivery, giveUp: outOfOrder }
    const answer = await applyHandler(compose, delivery)(batchOf(one, two), lambdaContext(600_000))
    expect(failed(answer)).toEqual(['first', 'second', 'fourth'])
    expect(await stored('acme', one.id)).toMatchObject({ status: 'queued' })
    expect(await stored('beta', two.id)).not.toMatchObject({ status: 'queued' })
  })

  test('goes on with a workspace when one of its messages never can be processed', async () => {
    const told = testDelivery()
    const answer = await applyHandler(compose, told.delivery)(batchOf(one, two), lambdaContext(600_000))
    expect(failed(answer)).toEqual([])
    expect(told.givenUp).toEqual([['first', 'REQUEST_INVALID']])
    expect(await stored('acme', one.id)).not.toMatchObject({ status: 'queued' })
  })

  test('has the head of the ledger anchored when an apply has ended, and does not fail if that fails', async () => {
    const kept: string[] = []
    const anchors = {
      deployment: 'd',
      sign: async () => 'c2lnbmVk',
      publicKey: async () => '',
      keep: async (name: string) => {
        if (name.startsWith('beta')) throw new Error('down')
        kept.push(name.replace(/-.*/, ''))
      },
    }
    const anchoring = async () => ({ ...(await compose()), anchors })
    const event = sqsEvent([message('a', 'acme', one.id), message('b', 'beta', two.id)])
    expect(failed(await applyHandler(anchoring, testDelivery().delivery)(event, lambdaContext(600_000)))).toEqual([])
    expect(await stored('beta', two.id)).not.toMatchObject({ status: 'queued' })
    expect(kept).toEqual(['acme/000000000002'])
  })

  test('tells whoever approved an apply that it was interrupted, and why, until it has ended', async () => {
    const told = testDelivery()
    const event = sqsEvent([message('a', 'acme', one.id)])
    expect(failed(await applyHandler(failing, told.delivery)(event, lambdaContext(600_000)))).toEqual(['a'])
    expect(told.later).toEqual([['a', 10]])
    expect(await stored('acme', one.id)).toMatchObject({
      interrupted: { error: { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('throttled') } },
    })
    await applyHandler(compose, told.delivery)(event, lambdaContext(600_000))
    expect(await stored('acme', one.id)).not.toHaveProperty('interrupted')
  })
})
