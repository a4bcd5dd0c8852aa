import type { SNSClientConfig } from '@aws-sdk/client-sns'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Alert } from '#core'
import { createAlertSink } from '../../../functions/adapters/aws/sns.ts'
import { alertRequest, asciiSubject, maxBytes } from '../../../functions/adapters/aws/sns-request.ts'
import { anId } from '../../builders/values/records.ts'

const anAlert = (more: Partial<Alert> = {}): Alert => ({
  version: '2',
  id: anId(1),
  workspace: 'acme',
  episodeId: anId(2),
  kind: 'opened',
  about: 'drift',
  severity: 'medium',
  at: '2026-11-21T06:00:00.000Z',
  runId: anId(3),
  digest: `sha256:${'c'.repeat(64)}`,
  findings: [
    { address: 'pdns_zone.main', kind: 'update', summary: 'rrsets[www A].ttl', digest: `sha256:${'d'.repeat(64)}` },
  ],
  findingsLeftOut: 0,
  ...more,
})

const many = (count: number, summary = 'ä'.repeat(300)): Alert['findings'] =>
  Array.from({ length: count }, (_, n) => ({
    address: `pdns_zone.z${n}`,
    kind: 'update',
    summary,
    digest: `sha256:${'d'.repeat(64)}`,
  }))

const bodies = (alert: Alert) => JSON.parse(String(alertRequest(alert, 'arn').Message)) as Record<string, string>
const sizeOf = (alert: Alert): number => {
  const { Message = '', Subject = '', MessageAttributes } = alertRequest(alert, 'arn')
  return Buffer.byteLength(Message) + Buffer.byteLength(Subject) + Buffer.byteLength(JSON.stringify(MessageAttributes))
}

describe('the messages of an alert', () => {
  test('are JSON for machines, and text for people', () => {
    const alert = anAlert()
    const { default: machine, email, sms, ...others } = bodies(alert)
    expect(others).toEqual({})
    expect(JSON.parse(machine ?? '')).toEqual(alert)
    expect(email).toContain('pdns_zone.main')
    expect(() => JSON.parse(email ?? '')).toThrow()
    expect(sms?.length).toBeLessThanOrEqual(160)
  })

  test.each([0, 1, 10, 200, 5_000])('stay below the limit of SNS with %i findings', (count) => {
    const alert = anAlert({ findings: many(count), findingsLeftOut: 7 })
    expect(sizeOf(alert)).toBeLessThanOrEqual(maxBytes)
    const sent = JSON.parse(bodies(alert)['default'] ?? '') as Alert
    expect(sent.findings.length + sent.findingsLeftOut).toBe(count + 7)
    expect(sent.findings).toEqual(alert.findings.slice(0, sent.findings.length))
  })

  test('leave out no more findings than necessary', () => {
    const alert = anAlert({ findings: many(5_000) })
    const kept = (JSON.parse(bodies(alert)['default'] ?? '') as Alert).findings.length
    expect(kept).toBeGreaterThan(0)
    expect(sizeOf(alert)).toBeGreaterThan(maxBytes - 2_000)
  })

  test('leave out a single finding that is too large by itself', () => {
    const sent = JSON.parse(bodies(anAlert({ findings: many(1, 'ä'.repeat(200_000)) }))['default'] ?? '') as Alert
    expect(sent).toMatchObject({ findings: [], findingsLeftOut: 1 })
  })
})

test.each([
  ['drift in acme', 'drift in acme'],
  ['drift – ä\n in\tacme ', 'drift ? ? in acme'],
  ['x'.repeat(101), `${'x'.repeat(97)}...`],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['\u{1F6A8} drift', '? drift'],
])('the subject of an alert is right: %s', (text, expected) => {
  expect(asciiSubject(text)).toBe(expected)
})

describe('an alert that is sent through SNS', () => {
  let server: FauxqsServer
  let client: SNSClientConfig

  beforeAll(async () => {
    server = await startFauxqs({ port: 0, logger: false, defaultRegion: 'eu-central-1' })
    client = {
      endpoint: `http://127.0.0.1:${server.port}`,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    }
  })
  afterAll(() => server.stop())

  const subscribed = (queue: string, policy: Record<string, unknown>) => {
    server.createQueue(queue)
    server.subscribe({
      topic: 'alerts',
      queue,
      attributes: { RawMessageDelivery: 'true', FilterPolicy: JSON.stringify(policy) },
    })
    // SNS hands on the body of the protocol; the embedded one hands on all of them.
    const alertOf = (body: string) => JSON.parse((JSON.parse(body) as { default: string }).default) as Alert
    return () => (server.inspectQueue(queue)?.messages.ready ?? []).map(({ body }) => alertOf(body).id)
  }

  test('reaches exactly the subscribers whose filter policy asks for it', async () => {
    const { topicArn } = server.createTopic('alerts')
    const acme = subscribed('acme', { workspace: ['acme'] })
    const loud = subscribed('loud', { severity: ['high'], kind: ['opened', 'changed'] })
    const unchecked = subscribed('unchecked', { about: ['unchecked'], version: ['2'] })
    const endpoint = 'https://plumbline.acme.example'
    const sink = createAlertSink(() => topicArn, { client, endpoint, page: endpoint })
    await sink.publish(anAlert({ id: 'a' }))
    await sink.publish(anAlert({ id: 'b', workspace: 'other', severity: 'high' }))
    await sink.publish(anAlert({ id: 'c', kind: 'resolved', severity: 'high', about: 'unchecked' }))
    await sink.publish(anAlert({ id: 'd', findings: many(5_000) }))
    expect(acme()).toEqual(['a', 'c', 'd'])
    expect(loud()).toEqual(['b'])
    expect(unchecked()).toEqual(['c'])
    const [{ body = '' } = {}] = server.inspectQueue('acme')?.messages.ready ?? []
    const { default: machine = '', email } = JSON.parse(body) as Record<string, string>
    expect(JSON.parse(machine)).toMatchObject({ endpoint })
    expect(email).toContain(`--endpoint ${endpoint}`)
    expect(email).toMatch(/^ {2}page +https:\/\/plumbline\.acme\.example\/#\/w\/[\w-]+\/runs\/\w+$/m)
  })

  test('is an error where SNS does not accept it', async () => {
    const sink = createAlertSink(() => 'arn:aws:sns:eu-central-1:000000000000:nowhere', { client })
    await expect(sink.publish(anAlert())).rejects.toMatchObject({
      code: 'ALERT_REFUSED',
      payload: { detail: 'NotFoundException' },
    })
  })
})
