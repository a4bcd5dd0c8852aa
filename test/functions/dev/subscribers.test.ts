import { describe, expect, it } from 'vitest'
import { alertsTo, bodyFor, type Subscriber, webhook } from '../../../functions/dev/queues/subscribers.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { anAlert } from '../../builders/values/records.ts'

/** A receiver on this machine that answers with these statuses, the last one for ever. */
const receiver = (...statuses: readonly number[]) => {
  let n = 0
  return aLoopback((_request, response) => {
    response.writeHead(statuses[Math.min(n, statuses.length - 1)] ?? 200).end()
    n += 1
  })
}

describe('a webhook', () => {
  it('receives a notification as SNS posts it, with the alert as JSON', async () => {
    await using there = await receiver(200)
    const alert = anAlert(1)
    await alertsTo([webhook(`${there.url}/hook`)]).publish(alert)
    const [heard] = there.seen
    expect(heard).toMatchObject({
      method: 'POST',
      url: '/hook',
      headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' },
    })
    const { Message, ...envelope } = JSON.parse(heard?.body ?? '')
    expect(JSON.parse(Message)).toEqual(alert)
    expect(envelope).toMatchObject({
      Type: 'Notification',
      Subject: expect.any(String),
      MessageAttributes: { workspace: { Type: 'String', Value: alert.workspace } },
    })
  })

  it('that refuses is named by its origin only, because its path may hold a key', async () => {
    await using there = await receiver(503)
    const refused = alertsTo([webhook(`${there.url}/?key=hunter2`)]).publish(anAlert(1))
    const failure: unknown = await refused.catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'ENDPOINT_FAILED', message: expect.stringContaining('status 503') })
    expect(String(failure)).not.toContain('hunter2')
  })

  it('that has failed is not asked for a while', async () => {
    await using there = await receiver(503, 200)
    const sink = alertsTo([webhook(there.url, 60_000)])
    await expect(sink.publish(anAlert(1))).rejects.toThrow('503')
    await expect(sink.publish(anAlert(2))).rejects.toThrow('503')
    expect(there.seen).toHaveLength(1)
  })

  it('is asked again after that while', async () => {
    await using there = await receiver(503, 200)
    const sink = alertsTo([webhook(there.url, 0)])
    await expect(sink.publish(anAlert(1))).rejects.toThrow('503')
    await sink.publish(anAlert(1))
    expect(there.seen).toHaveLength(2)
  })

  it('is not followed to another address', async () => {
    await using other = await receiver(200)
    await using there = await aLoopback((_request, response) => {
      response.writeHead(307, { location: other.url }).end()
    })
    await expect(alertsTo([webhook(there.url)]).publish(anAlert(1))).rejects.toMatchObject({ code: 'ENDPOINT_FAILED' })
    expect(other.seen).toEqual([])
  })
})

describe('an alert for subscribers', () => {
  it('is published again only to the one that refused it', async () => {
    const seen: string[] = []
    let isDown = true
    const terminal: Subscriber = async (published) => void seen.push(`terminal ${published.Subject ?? ''}`)
    const flaky: Subscriber = async () => {
      if (isDown) throw new Error('down')
      seen.push('flaky')
    }
    const sink = alertsTo([terminal, flaky])
    await expect(sink.publish(anAlert(1))).rejects.toThrow('down')
    isDown = false
    await sink.publish(anAlert(1))
    expect(seen).toEqual([expect.stringMatching(/^terminal ./), 'flaky'])
    // It is another publication, after a crash for example.
    await sink.publish(anAlert(1))
    expect(seen).toHaveLength(4)
  })

  it('has a text for people', async () => {
    const texts: string[] = []
    await alertsTo([async (published) => void texts.push(bodyFor('email', published))]).publish(anAlert(1))
    expect(texts[0]).toContain(anAlert(1).workspace)
    expect(() => JSON.parse(texts[0] ?? '')).toThrow()
  })
})
