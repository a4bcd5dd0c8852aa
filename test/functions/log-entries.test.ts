import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#core'
import { applyHandler } from '../../functions/apply.ts'
import { checkHandler } from '../../functions/check.ts'
import { logger } from '../../functions/middleware/observe.ts'
import { testApi, testDeps } from '../builders/aws/api.ts'
import { lambdaContext } from '../builders/aws/api-event.ts'
import { readLog } from '../builders/aws/cloudwatch.ts'
import { sqsEvent, testDelivery } from '../builders/aws/sqs-event.ts'

// Before the functions are loaded, as Lambda has it.
vi.hoisted(() => {
  process.env['POWERTOOLS_LOG_LEVEL'] = 'INFO'
})

let log: ReturnType<typeof readLog>
beforeEach(() => {
  log = readLog()
})
afterEach(() => log.stop())

const compose = async () => testDeps().deps

const failing = () => Promise.reject(new AppError('STORE_UNAVAILABLE', { detail: 'throttled' }))

it.each([
  ['check', checkHandler(compose, testDelivery().delivery), 'the check did not run'],
  ['apply', applyHandler(compose, testDelivery().delivery), 'the apply did not run'],
])('the log of %s names a message that cannot be understood', async (_, handler, message) => {
  await handler(sqsEvent([{ id: 'm-7', body: { workspace: 7 } }]), lambdaContext())
  expect(log.entries.find((entry) => entry['message'] === message)).toMatchObject({ level: 'ERROR', messageId: 'm-7' })
})

it('log entries use no name that the logger needs for itself, because it drops such entries', () => {
  // @ts-expect-error
  logger.info('text', { message: 'lost' })
  // @ts-expect-error
  logger.info('text', { timestamp: 1 })
  expect(log.entries.filter((entry) => entry['message'] === 'text')).toHaveLength(2)
})

it.each([
  ['check', checkHandler(failing, testDelivery().delivery), 'the check did not run', { workspace: 'acme' }],
  [
    'apply',
    applyHandler(failing, testDelivery().delivery),
    'the apply did not run',
    { workspace: 'acme', applyId: '01A' },
  ],
])('the log of %s names what a failed message is about', async (_, handler, message, body) => {
  await handler(sqsEvent([{ id: 'm-8', body }]), lambdaContext())
  expect(log.entries.find((entry) => entry['message'] === message)).toMatchObject({ messageId: 'm-8', ...body })
})

it('each entry of a request names its workspace, its run and its apply, also where it fails', async () => {
  const call = testApi(testDeps().deps)
  await call('GET', '/v1/workspaces/acme/runs/01R', { scope: 'read' })
  await call('GET', `/v1/workspaces/acme/applies/${'x'.repeat(500)}`, { scope: 'read' })
  const failed = log.entries.filter((entry) => entry['message'] === 'the request failed')
  expect(failed).toMatchObject([
    { workspace: 'acme', run: '01R' },
    { workspace: 'acme', apply: 'x'.repeat(80) },
  ])
})
