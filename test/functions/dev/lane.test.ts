import type { SQSEvent } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { createLane, maxReceives, queueOf } from '../../../functions/dev/queues/lane.ts'
import { gathered } from '../../builders/time/gathered.ts'
import { turns } from '../../builders/time/turns.ts'

const bodyOf = ({ Records }: SQSEvent): string => Records[0]?.body ?? ''
const done = { batchItemFailures: [] }
const failedOf = ({ Records }: SQSEvent) => ({
  batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
})

/** A lane whose handler writes down what it is given; a failed message comes again at once. */
const start = (fails: (body: string, before: number) => boolean | 'throws' = () => false, atOnce = 10) => {
  const lane = createLane('checks', 0)
  const handled = gathered<string>()
  const failures = gathered<unknown>()
  const handle = async (event: SQSEvent) => {
    const body = bodyOf(event)
    const before = handled.items.filter((one) => one === body).length
    const how = fails(body, before)
    handled.add(body)
    if (how === 'throws') throw new Error('no')
    return how ? failedOf(event) : done
  }
  return { send: lane.send, handled, failures, worker: lane.start({ atOnce, handle, failed: failures.add }) }
}

/** A lane whose messages are under way until they are let go. */
const held = (atOnce: number) => {
  const lane = createLane('checks', 0)
  const begun = gathered<string>()
  const letGo = Promise.withResolvers<void>()
  const handle = async (event: SQSEvent) => {
    begun.add(bodyOf(event))
    await letGo.promise
    return done
  }
  return { send: lane.send, begun, letGo: letGo.resolve, worker: lane.start({ atOnce, handle, failed: () => {} }) }
}

describe('a queue within the process', () => {
  it('delivers events as SQS does, also those that were sent before it was started', async () => {
    const lane = createLane('checks')
    lane.send('early')
    const events = gathered<SQSEvent>()
    const handle = async (event: SQSEvent) => {
      events.add(event)
      return done
    }
    lane.start({ atOnce: 1, failed: () => {}, handle })
    await events.until(({ length }) => length === 1)
    expect(events.items[0]?.Records).toMatchObject([
      { body: 'early', eventSource: 'aws:sqs', attributes: { ApproximateReceiveCount: '1' } },
    ])
  })

  it('handles one message of a group at a time, and other groups at the same time', async () => {
    const { send, begun, letGo } = held(10)
    send('a1', 'a')
    send('a2', 'a')
    send('b1', 'b')
    await begun.until((all) => all.includes('b1'))
    // A second one that did not wait would be here within some turns of the loop.
    await turns(50)
    expect(begun.items).toEqual(['a1', 'b1'])
    letGo()
    await begun.until((all) => all.includes('a2'))
  })

  it('handles only a limited number at once', async () => {
    const { send, begun, letGo } = held(2)
    for (const body of ['a', 'b', 'c']) send(body)
    await begun.until(({ length }) => length === 2)
    await turns(50)
    expect(begun.items).toEqual(['a', 'b'])
    letGo()
    await begun.until(({ length }) => length === 3)
  })

  it('keeps the order of a group when its first message fails', async () => {
    const { send, handled } = start((body, before) => body === 'a' && before === 0)
    for (const body of ['a', 'b', 'c']) send(body, 'w')
    await handled.until((all) => all.includes('c'))
    expect(handled.items).toEqual(['a', 'a', 'b', 'c'])
  })

  it('handles a message that a handler sends to its own group after the current one', async () => {
    const lane = createLane('applies', 0)
    const told = gathered<string>()
    const handle = async (event: SQSEvent) => {
      if (bodyOf(event) === 'first') lane.send('next', 'w')
      await turns(10)
      told.add(bodyOf(event))
      return done
    }
    lane.start({ atOnce: 10, handle, failed: () => {} })
    lane.send('first', 'w')
    await told.until(({ length }) => length === 2)
    expect(told.items).toEqual(['first', 'next'])
  })

  it.each(['is refused', 'throws'] as const)('gives up a message that %s each time, and says so', async (how) => {
    const { send, handled, failures, worker } = start((body) => body === 'bad' && (how === 'throws' ? how : true))
    send('bad', 'w')
    send('good', 'w')
    await handled.until((all) => all.includes('good'))
    await worker.stop()
    expect(handled.items).toEqual([...Array.from({ length: maxReceives }, () => 'bad'), 'good'])
    const thrown = how === 'throws' ? maxReceives : 0
    expect(failures.items).toHaveLength(thrown + 1)
    expect(failures.items.at(-1)).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('the checks was given up after 10 tries: bad'),
    })
  })

  it('delivers a message again when its handler said', async () => {
    const lane = createLane('checks', 3_600_000)
    const handled = gathered<string>()
    const handle = async (event: SQSEvent) => {
      handled.add(bodyOf(event))
      if (handled.items.length > 1) return done
      for (const record of event.Records) await lane.delivery.later(record, 0)
      return failedOf(event)
    }
    lane.start({ atOnce: 1, handle, failed: () => {} })
    lane.send('once more')
    await handled.until(({ length }) => length === 2)
  })

  it('drops at once, and says so, what its handler gives up', async () => {
    const lane = createLane('checks', 3_600_000)
    const failures = gathered<unknown>()
    const handle = async (event: SQSEvent) => {
      for (const record of event.Records) await lane.delivery.giveUp(record, 'REQUEST_INVALID')
      return done
    }
    const worker = lane.start({ atOnce: 1, handle, failed: failures.add })
    lane.send('hopeless')
    await failures.until(({ length }) => length === 1)
    await worker.stop()
    expect(failures.items).toMatchObject([{ message: expect.stringContaining('after 1 tries: hopeless') }])
  })

  it('stops when the current messages are done, and begins no others', async () => {
    const { send, begun, letGo, worker } = held(1)
    send('one')
    send('two')
    await begun.until(({ length }) => length === 1)
    const told: string[] = []
    const stopped = worker.stop().then(() => told.push('stopped'))
    await turns(50)
    expect(told).toEqual([])
    letGo()
    await stopped
    await turns(50)
    expect(begun.items).toEqual(['one'])
  })
})

describe('the queue of the workflows', () => {
  it('sends each check by itself, and applies to the group of their workspace', async () => {
    const sent: unknown[][] = []
    const note =
      (name: string) =>
      (body: string, group?: string): void =>
        void sent.push([name, JSON.parse(body), group])
    const queue = queueOf({ send: note('checks') }, { send: note('applies') })
    expect(await queue.checks([{ workspace: 'a' }, { workspace: 'b' }])).toEqual([])
    await queue.apply({ workspace: 'a', applyId: 'x' })
    expect(sent).toEqual([
      ['checks', { workspace: 'a' }, undefined],
      ['checks', { workspace: 'b' }, undefined],
      ['applies', { workspace: 'a', applyId: 'x' }, 'a'],
    ])
  })
})
