import type { SQSRecord } from 'aws-lambda'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listRuns } from '../../../core/engine/state/runs/runs.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import type { Patience } from '../../../functions/adapters/aws/patience.ts'
import { readSealKey } from '../../../functions/adapters/aws/seal-key.ts'
import { createAlertSink } from '../../../functions/adapters/aws/sns.ts'
import { createQueue } from '../../../functions/adapters/aws/sqs.ts'
import { createDelivery } from '../../../functions/adapters/aws/sqs-delivery.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { dynamoStore } from '../../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../../functions/adapters/dynamodb/table.ts'
import { createIds } from '../../../functions/adapters/ids.ts'
import { createSecrets } from '../../../functions/adapters/secrets.ts'
import { sqsEvent } from '../../builders/aws/sqs-event.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { anAlert } from '../../builders/values/records.ts'
import { actor, testDeps, yaml } from '../../builders/workspaces/workspace.ts'

/** Gives up soon, and never: what is cut then is cut by its signal. */
const short: Patience = { attempts: 2, connectMs: 200, answerMs: 20 }
const endless: Patience = { attempts: 2, connectMs: 3_600_000, answerMs: 3_600_000 }
const own = { accessKeyId: 'test', secretAccessKey: 'test' }
const client = (endpoint: string) => ({ endpoint, region: 'eu-central-1', credentials: own })

interface At {
  readonly endpoint: string
  readonly patience: Patience
}

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', own.accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', own.secretAccessKey)
})
afterEach(() => vi.unstubAllEnvs())

const queueAt = ({ endpoint, patience }: At) => {
  const url = () => `${endpoint}/000000000000/q.fifo`
  return createQueue({ checkUrl: url, applyUrl: url, ids: createIds(systemClock), client: client(endpoint), patience })
}
const deliveryAt = ({ endpoint, patience }: At) => {
  const url = () => `${endpoint}/000000000000/q`
  return createDelivery({ name: 'checks', queueUrl: url, deadUrl: url, client: client(endpoint), patience })
}
const [failedMessage] = sqsEvent([{ body: '{' }]).Records as [SQSRecord]
const secretsAt = ({ endpoint, patience }: At) => {
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint)
  // Its own limit would hide what the client does.
  return createSecrets({ environment: {}, clock: systemClock, patience, limitMs: 3_600_000 })
}
const storeAt = ({ endpoint, patience }: At) =>
  dynamoStore({ client: client(endpoint), tableName: 't', clock: systemClock, patience })
const sinkAt = ({ endpoint, patience }: At) =>
  createAlertSink(() => 'arn:aws:sns:eu-central-1:0:t', { client: client(endpoint), patience })

type Call = (at: At, signal?: AbortSignal) => Promise<unknown>

/** Every service of AWS that is spoken to, and every way in which it is. */
const calls: Readonly<Record<string, readonly [code: string, Call]>> = {
  'SSM: a secret': ['SECRET_UNRESOLVED', (at, signal) => secretsAt(at).resolve('ssm:/s', signal)],
  'Secrets Manager: a secret': ['SECRET_UNRESOLVED', (at, signal) => secretsAt(at).resolve('secretsmanager:s', signal)],
  'SQS: checks': ['QUEUE_UNAVAILABLE', (at, signal) => queueAt(at).checks([{ workspace: 'w' }], signal)],
  'SQS: an apply': ['QUEUE_UNAVAILABLE', (at, signal) => queueAt(at).apply({ workspace: 'w', applyId: 'a' }, signal)],
  'SQS: later': ['QUEUE_UNAVAILABLE', (at) => deliveryAt(at).later(failedMessage, 10)],
  'SQS: given up': ['QUEUE_UNAVAILABLE', (at) => deliveryAt(at).giveUp(failedMessage, 'REQUEST_INVALID')],
  'SNS: an alert': ['ALERT_REFUSED', (at, signal) => sinkAt(at).publish(anAlert(1), signal)],
  'DynamoDB: get': ['STORE_UNAVAILABLE', (at, signal) => storeAt(at).get({ pk: 'a', sk: 'b' }, signal)],
  'DynamoDB: query': ['STORE_UNAVAILABLE', (at, signal) => storeAt(at).query({ pk: 'a' }, signal)],
  'DynamoDB: write': [
    'STORE_UNAVAILABLE',
    (at, signal) => storeAt(at).write([{ kind: 'delete', key: { pk: 'a', sk: 'b' } }], signal),
  ],
  'DynamoDB: its table': ['STORE_UNAVAILABLE', (at) => ensureTable(client(at.endpoint), 't', at.patience)],
  'KMS: the key of the seals': [
    'SECRET_UNRESOLVED',
    ({ endpoint, patience }) =>
      readSealKey({
        keyId: 'k',
        endpoint,
        patience,
        pause: async () => {},
        surroundings: async () => ({ region: async () => 'eu-central-1', credentials: async () => own }),
      }),
  ],
}

/** Takes every connection and every request, and says nothing. */
const silent = (heard: () => void = () => {}) => aLoopback(() => heard())

describe('a service that accepts a connection and never answers', () => {
  test.each(Object.entries(calls))('causes an error within its time limit: %s', async (_, [code, call]) => {
    await using server = await silent()
    await expect(call({ endpoint: server.url, patience: short })).rejects.toMatchObject({ code })
    // A busy machine can give an attempt up before its bytes have left.
    expect(server.seen.length).toBeLessThanOrEqual(short.attempts)
  })

  test.each(Object.entries(calls).filter(([, [, { length }]]) => length === 2))(
    'is not asked again after the end of the work that needs it: %s',
    async (_, [, call]) => {
      const over = new AbortController()
      await using server = await silent(() => over.abort())
      await expect(call({ endpoint: server.url, patience: endless }, over.signal)).rejects.toThrow()
      expect(server.seen).toHaveLength(1)
    },
  )

  test('is asked again for a secret that somebody else stopped waiting for', async () => {
    const over = new AbortController()
    await using server = await aLoopback((_, response) => {
      if (server.seen.length === 1) return over.abort()
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(JSON.stringify({ SecretString: 'found' }))
    })
    const secrets = secretsAt({ endpoint: server.url, patience: endless })
    const [first, second] = await Promise.allSettled([
      secrets.resolve('secretsmanager:s', over.signal),
      secrets.resolve('secretsmanager:s', new AbortController().signal),
    ])
    expect(first.status).toBe('rejected')
    expect(second).toEqual({ status: 'fulfilled', value: 'found' })
  })
})

const document = `
provider: { id: things, baseUrl: "http://api.test", with: { s: { secret: true } }, auth: { header: { name: X-Key, secret: "{with.s}" } } }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: /things }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]
`
const bundle = (secret: string) =>
  yaml(
    `workspace: one
providers: { api: { source: rest, definition: ./api.yaml, with: { s: { secret: "${secret}" } } } }
resources: [{ type: api_thing, name: a, spec: { name: a } }]
`,
    { 'api.yaml': document },
  )

/** What a check does where such a service is silent. */
const checks: Readonly<Record<string, (at: At) => Parameters<typeof testDeps>[0]>> = {
  SSM: (at) => ({ secrets: secretsAt(at), bundle: bundle('ssm:/s') }),
  'Secrets Manager': (at) => ({ secrets: secretsAt(at), bundle: bundle('secretsmanager:s') }),
  SNS: (at) => ({ alerts: sinkAt(at), bundle: bundle('env:S') }),
  SQS: (at) => ({ queue: queueAt(at), bundle: bundle('env:S') }),
}

describe('a check with a silent service', () => {
  test.each(Object.entries(checks))('is stored, and reports what is missing: %s', async (name, open) => {
    await using server = await silent()
    const { deps, warnings, alerts } = testDeps(open({ endpoint: server.url, patience: short }))
    const { run } = await checkWorkspace({ workspace: 'one', trigger: 'cli', actor }, deps)
    expect(run).toMatchObject({ status: 'incomplete', counts: { unchecked: 1 } })
    expect((await listRuns(deps.store, 'one', { limit: 5 })).items).toEqual([run])
    if (name === 'SNS') expect(warnings).toMatchObject([{ error: { code: 'ALERT_REFUSED' } }])
    else expect(alerts).toMatchObject([{ about: 'unchecked', kind: 'opened' }])
  })

  test('reports the error of DynamoDB, and reports nothing that is not stored', async () => {
    await using server = await silent()
    const { deps, alerts } = testDeps({
      store: storeAt({ endpoint: server.url, patience: short }),
      bundle: bundle('env:S'),
    })
    await expect(checkWorkspace({ workspace: 'one', trigger: 'cli', actor }, deps)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
    })
    expect(alerts).toEqual([])
  })
})
