import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { localClient } from '../../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../../functions/adapters/dynamodb/store.ts'
import { testClock } from '../../builders/time/stores.ts'

/* What the embedded engine never does: it knows no transaction conflicts and no throttling. */

type Answer = { readonly status: number; readonly body: object }

const cancelled = (...codes: string[]): Answer => ({
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  },
})
const fine: Answer = { status: 200, body: {} }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Answers in this order, the last one for ever; keeps what was asked. */
const serve = async (answers: readonly Answer[]) => {
  const tokens: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { status, body } = answers[Math.min(tokens.length, answers.length - 1)] ?? fine
      tokens.push(JSON.parse(Buffer.concat(chunks).toString()).ClientRequestToken)
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  closers.push(() => server.close().closeAllConnections())
  await new Promise((resolve) => server.once('listening', resolve))
  const client = { ...localClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), maxAttempts: 1 }
  return { tokens, store: dynamoStore({ client, tableName: 'table', clock: testClock() }) }
}

const writes = [{ kind: 'put', item: { pk: 'a', sk: 'b' } }] as const

it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'repeats a transaction after %s under the same token',
  async (code) => {
    const { store, tokens } = await serve([cancelled('None', code), cancelled(code), fine])
    expect(await store.write(writes)).toEqual({ ok: true })
    expect(tokens).toHaveLength(3)
    expect(new Set(tokens).size).toBe(1)
  },
)

it('reports a failed condition even beside a conflict, and does not try again', async () => {
  const { store, tokens } = await serve([cancelled('TransactionConflict', 'ConditionalCheckFailed')])
  expect(await store.write(writes)).toEqual({ ok: false, index: 1 })
  expect(tokens).toHaveLength(1)
})

it('gives up after its last attempt', async () => {
  const { store, tokens } = await serve([cancelled('TransactionConflict')])
  await expect(store.write(writes)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(tokens).toHaveLength(12)
})

it('reports what DynamoDB calls invalid as a defect of this program', async () => {
  const invalid = { __type: 'com.amazon.coral.validate#ValidationException', message: 'no' }
  const { store } = await serve([{ status: 400, body: invalid }])
  await expect(store.write(writes)).rejects.toMatchObject({ code: 'INTERNAL' })
})

// As the engine and SQLite say it, beside statuses that could be anything.
it.each([
  'commit failed (backend: database or disk is full) and rollback also failed (backend: cannot rollback)',
  'SQLITE_FULL',
  'write failed: No space left on device (os error 28)',
  'Disk quota exceeded',
])('reports a full store where the engine says: %s', async (message) => {
  const full = { status: 500, body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message } }
  const { store } = await serve([full])
  await expect(store.write(writes)).rejects.toMatchObject({ code: 'STORE_FULL', retryable: true })
  await expect(store.get({ pk: 'a', sk: 'b' })).rejects.toMatchObject({ code: 'STORE_FULL' })
})

it('repeats none of the words of the engine', async () => {
  const broken = { status: 500, body: { __type: 'InternalServerError', message: 'canary disk is full' } }
  const { store } = await serve([broken])
  await expect(store.write(writes)).rejects.toSatisfy((error: Error) => !error.message.includes('canary'))
})

it('reports that nothing answers', async () => {
  const client = { ...localClient('http://127.0.0.1:1'), maxAttempts: 1 }
  const store = dynamoStore({ client, tableName: 'table', clock: testClock() })
  const unavailable = { code: 'STORE_UNAVAILABLE' }
  await expect(store.get({ pk: 'a', sk: 'b' })).rejects.toMatchObject(unavailable)
  await expect(store.query({ pk: 'a' })).rejects.toMatchObject(unavailable)
  await expect(store.write(writes)).rejects.toMatchObject(unavailable)
})
