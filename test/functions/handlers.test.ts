import { beforeEach, describe, expect, test } from 'vitest'
import type { Deps } from '#core'
import { createApply } from '../../core/engine/state/applies/applies.ts'
import { saveWorkspace } from '../../core/engine/state/workspaces/save-workspace.ts'
import { applyHandler } from '../../functions/apply.ts'
import { checkHandler } from '../../functions/check.ts'
import { scheduleHandler } from '../../functions/schedule.ts'
import { type TestDeps, testApi, testDeps } from '../builders/aws/api.ts'
import { lambdaContext } from '../builders/aws/api-event.ts'
import { sqsEvent } from '../builders/aws/sqs-event.ts'
import { aBundle, anApply, aWorkspace } from '../builders/values/records.ts'

let parts: TestDeps
const compose = async (): Promise<Deps> => parts.deps
const failed = (answer: { batchItemFailures: { itemIdentifier: string }[] }) =>
  answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
const empty = (id: string) => aBundle(`workspace: ${id}\nproviders: {}\nresources: []\n`)

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

  test('returns from a batch only the messages that failed', async () => {
    const answer = await checkHandler(compose)(
      sqsEvent([
        { id: 'good', body: { workspace: 'acme', scheduledFor } },
        { id: 'no JSON', body: '{' },
        { id: 'no workspace', body: { scheduledFor } },
        { id: 'no such workspace', body: { workspace: 'nowhere', scheduledFor } },
        { id: 'good too', body: { workspace: 'beta', scheduledFor } },
      ]),
      lambdaContext(),
    )
    expect(failed(answer).sort()).toEqual(['no JSON', 'no such workspace', 'no workspace'])
    expect(await runsOf('acme')).toHaveLength(1)
    expect(await runsOf('beta')).toHaveLength(1)
  })

  test('reports message by message a batch that failed as a whole', async () => {
    const answer = await checkHandler(compose)(
      sqsEvent([
        { id: 'a', body: 'x' },
        { id: 'b', body: 'y' },
      ]),
      lambdaContext(),
    )
    expect(failed(answer)).toEqual(['a', 'b'])
  })

  test('makes one run of a message that comes twice', async () => {
    const event = sqsEvent([{ body: { workspace: 'acme', scheduledFor } }])
    await checkHandler(compose)(event, lambdaContext())
    await checkHandler(compose)(event, lambdaContext())
    expect(await runsOf('acme')).toMatchObject([
      { trigger: 'schedule', actor: { subject: 'schedule', via: 'schedule' } },
    ])
  })

  test('returns all messages when it has nothing to work with', async () => {
    const handler = checkHandler(async () => Promise.reject(new Error('no key')))
    expect(failed(await handler(sqsEvent([{ id: 'a', body: { workspace: 'acme' } }]), lambdaContext()))).toEqual(['a'])
  })
})

describe('the apply function', () => {
  const message = (id: string, group: string, applyId: string) => ({ id, group, body: { workspace: group, applyId } })

  test('lets the rest of a workspace wait after a failure, and other workspaces not', async () => {
    const [one, two] = [anApply(1, { workspace: 'acme' }), anApply(2, { workspace: 'beta' })]
    for (const apply of [one, two]) await createApply(parts.deps.store, apply)
    const answer = await applyHandler(compose)(
      sqsEvent([
        { id: 'first', group: 'acme', body: { workspace: 'acme' } },
        message('second', 'acme', one.id),
        message('third', 'beta', two.id),
        message('fourth', 'acme', one.id),
      ]),
      lambdaContext(600_000),
    )
    expect(failed(answer)).toEqual(['first', 'second', 'fourth'])
    const stored = async (workspace: string, apply: string) =>
      (await testApi(parts.deps)('GET', `/v1/workspaces/${workspace}/applies/${apply}`, { scope: 'read' })).json[
        'status'
      ]
    expect(await stored('acme', one.id)).toBe('queued')
    expect(await stored('beta', two.id)).not.toBe('queued')
  })
})
