import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Write } from '../../../core/engine/state/store/store.ts'
import { localClient } from '../../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../../functions/adapters/dynamodb/store.ts'
import { testClock } from '../../builders/time/stores.ts'

/* What the embedded engine never does: it knows no transaction conflicts and no throttling. */

// biome-ignore lint/suspicious/noExplicitAny: requests of several operations.
type Asked = any
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
const failed = (name: string, more: object = {}): Answer => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'failed', ...more },
})

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Answers in this order, the last one for ever; keeps what was asked. An answer may repeat what was asked. */
const serve = async (answers: readonly (Answer | ((asked: Asked) => Answer))[], maxAttempts = 1) => {
  const tokens: (string | undefined)[] = []
  const operations: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const asked: Asked = JSON.parse(Buffer.concat(chunks).toString())
      const next = answers[Math.min(tokens.length, answers.length - 1)] ?? fine
      const { status, body } = typeof next === 'function' ? next(asked) : next
      tokens.push(asked.ClientRequestToken)
      operations.push(String(request.headers['x-amz-target']).replace(/.*\./, ''))
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  closers.push(() => server.close().closeAllConnections())
  await new Promise((resolve) => server.once('listening', resolve))
  const client = { ...localClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), maxAttempts }
  return { tokens, operations, store: dynamoStore({ client, tableName: 'table', clock: testClock() }) }
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

const put = { kind: 'put', item: { pk: 'a', sk: 'b' }, if: [{ kind: 'absent' }] } as const
const found = { pk: { S: 'a' }, sk: { S: 'b' }, n: { N: '1' } }

describe('a single put with a condition', () => {
  it.each(['TransactionConflictException', 'ThrottlingException', 'ProvisionedThroughputExceededException'])(
    'is no transaction, and is repeated after %s',
    async (name) => {
      const { store, operations } = await serve([failed(name), failed(name), fine])
      expect(await store.write([put])).toEqual({ ok: true })
      expect(operations).toEqual(['PutItem', 'PutItem', 'PutItem'])
    },
  )
  it('names what is there if its condition fails', async () => {
    const Item = { ...found, '#mark': { S: 'of another write' } }
    const { store, operations } = await serve([failed('ConditionalCheckFailedException', { Item })])
    expect(await store.write([put])).toEqual({ ok: false, index: 0, found: { pk: 'a', sk: 'b', n: 1 } })
    expect(operations).toHaveLength(1)
  })
  it('is done if its first attempt was, whose answer was lost', async () => {
    const lost = { status: 500, body: { __type: 'InternalServerError', message: 'lost' } }
    const again = ({ Item }: Asked) => failed('ConditionalCheckFailedException', { Item })
    const { store, operations } = await serve([lost, again], 2)
    expect(await store.write([put])).toEqual({ ok: true })
    expect(operations).toEqual(['PutItem', 'PutItem'])
  })
})

it.each<readonly [string, Write]>([
  ['a put without a condition', { kind: 'put', item: { pk: 'a', sk: 'b' } }],
  ['a put with no conditions', { kind: 'put', item: { pk: 'a', sk: 'b' }, if: [] }],
  ['a put of a kind that has a format', { kind: 'put', item: { pk: 'W#acme', sk: 'SOURCE', seen: { source: 'a' } } }],
  ['a delete', { kind: 'delete', key: { pk: 'a', sk: 'b' }, if: [{ kind: 'exists' }] }],
])('%s is a transaction, because a repetition could not be told from the first attempt', async (_, write) => {
  const { store, operations } = await serve([fine])
  await store.write([write])
  expect(operations).toEqual(['TransactWriteItems'])
})

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
