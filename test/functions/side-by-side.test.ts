import { describe, expect, it } from 'vitest'
import { type Enter, type SideBySide, sideBySide } from '../../functions/middleware/side-by-side.ts'
import { lambdaContext } from '../builders/aws/api-event.ts'
import { type MessageParts, sqsEvent, testDelivery } from '../builders/aws/sqs-event.ts'

/** A clock whose bells the test rings. */
const bells = () => {
  const rings = new Map<() => void, number>()
  return {
    after: (ms: number, ring: () => void) => {
      rings.set(ring, ms)
      return () => void rings.delete(ring)
    },
    pass: (ms: number) => {
      for (const [ring, at] of rings) if (at <= ms) ring()
    },
  }
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Messages by id, each with its size; work goes on until `end` names it. 512 MB have room for 10,240 resources. */
const start = (
  sizes: Readonly<Record<string, number | undefined>>,
  receives: Readonly<Record<string, string>> = {},
) => {
  const parts = Object.keys(sizes).map((id): MessageParts => ({ id, body: {}, receives: receives[id] ?? '1' }))
  const { delivery, later } = testDelivery()
  const clock = bells()
  const running = new Map<string, () => void>()
  const begin = (id: string) => new Promise<void>((resolve) => running.set(id, resolve))
  const work: SideBySide['work'] = async (records, enter: Enter) => {
    await Promise.all(records.map((record) => enter(record, () => begin(record.messageId))))
    return { batchItemFailures: [] }
  }
  const done = sideBySide({
    records: sqsEvent(parts).Records,
    context: lambdaContext(),
    delivery,
    clock,
    sizeOf: async ({ messageId }) => sizes[messageId],
    work,
  })
  const end = async (...ids: string[]): Promise<void> => {
    for (const id of ids) {
      running.get(id)?.()
      running.delete(id)
    }
    await soon()
  }
  const pass = async (ms: number): Promise<void> => {
    clock.pass(ms)
    await soon()
  }
  const names = () => [...running.keys()].toSorted()
  const left = async () => (await done).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted()
  return { begun: soon().then(soon), names, end, pass, left, later }
}

describe('the messages of a batch', () => {
  it('are worked on at the same time if they are small', async () => {
    const sizes = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`w${n}`, 500]))
    const world = start(sizes)
    await world.begun
    expect(world.names()).toEqual(Object.keys(sizes))
    await world.end(...Object.keys(sizes))
    expect([await world.left(), world.later]).toEqual([[], []])
  })

  it.each<readonly [string, number | undefined]>([
    ['a large one', 10_000],
    ['one larger than the memory', 1_000_000],
    ['one that was never checked', undefined],
  ])('of which %s waits until the small ones have ended', async (_, size) => {
    const world = start({ large: size, a: 300, b: 300 })
    await world.begun
    expect(world.names()).toEqual(['a', 'b'])
    await world.end('a', 'b')
    expect(world.names()).toEqual(['large'])
    await world.end('large')
    expect([await world.left(), world.later]).toEqual([[], []])
  })

  it('are put off if they find no room in time, and hold up no other one', async () => {
    const world = start({ hangs: 300, large: 10_000, small: 200 })
    await world.begun
    await world.end('small')
    await world.pass(19_999)
    expect(world.later).toEqual([])
    await world.pass(20_000)
    expect(world.later).toEqual([['large', 1]])
    await world.end('hangs')
    expect(await world.left()).toEqual(['large'])
  })

  it('are worked on alone when they come again, and the others of the batch come apart', async () => {
    const world = start({ a: 1, again: 1, b: 1, too: 1 }, { again: '2', too: '3' })
    await world.begun
    expect(world.names()).toEqual(['again'])
    expect(world.later).toEqual([
      ['a', 5],
      ['b', 10],
      ['too', 15],
    ])
    await world.end('again')
    expect(await world.left()).toEqual(['a', 'b', 'too'])
  })
})
