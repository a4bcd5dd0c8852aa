import { describe, expect, it } from 'vitest'
import { throttle } from '../../../core/engine/transport/limits/pace.ts'
import { memo } from '../../../core/engine/transport/memo.ts'
import { readOnly } from '../../../core/engine/transport/read-only.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { turns } from '../../builders/time/turns.ts'
import { aGet, anAnswer, aTransport, aWrite } from '../../builders/values/transports.ts'

describe('memo', () => {
  it('sends equal reads once, also those that are requested while the first is under way', async () => {
    const inner = aTransport(anAnswer(200, 'a'))
    const transport = memo(inner)
    await Promise.all([transport.send(aGet()), transport.send(aGet())])
    expect(await transport.send({ effect: 'read', url: aGet().url, method: 'GET' })).toEqual(anAnswer(200, 'a'))
    expect(inner.sent).toHaveLength(1)
  })

  it('distinguishes reads by method, URL, headers and body', async () => {
    const inner = aTransport()
    const transport = memo(inner)
    const reads = [
      aGet(),
      aGet('http://target.test/things?page=2'),
      aGet(undefined, { headers: { accept: 'text/plain' } }),
      aWrite('POST', { effect: 'read', body: { a: 1 } }),
      aWrite('POST', { effect: 'read', body: { a: 2 } }),
    ]
    for (const read of [...reads, ...reads]) await transport.send(read)
    expect(inner.sent).toHaveLength(reads.length)
  })

  it('stores no error', async () => {
    const inner = aTransport(new Error('reset'), anAnswer(200))
    const transport = memo(inner)
    await expect(transport.send(aGet())).rejects.toThrow('reset')
    expect((await transport.send(aGet())).status).toBe(200)
  })

  it('sends every write, and then forgets the stored answers', async () => {
    const inner = aTransport()
    const transport = memo(inner)
    for (const request of [aGet(), aWrite(), aWrite(), aGet()]) await transport.send(request)
    expect(inner.sent).toHaveLength(4)
  })

  it('keeps a value that was computed from answers as long as these, and keeps no failure', async () => {
    const transport = readOnlyBut(memo(aTransport()))
    let made = 0
    const make = async () => {
      made += 1
      if (made === 1) throw new Error('reset')
      return made
    }
    await expect(transport.remember?.('list', make)).rejects.toThrow('reset')
    expect(await Promise.all([transport.remember?.('list', make), transport.remember?.('list', make)])).toEqual([2, 2])
    expect(await transport.remember?.('other', make)).toBe(3)
    await transport.send(aWrite())
    expect(await transport.remember?.('list', make)).toBe(4)
  })
})

/** Writes pass, so that what they do to the memo shows behind a wrapper that hands on everything else. */
const readOnlyBut = (inner: Transport): Transport => ({ ...readOnly(inner), send: inner.send })

describe('throttle', () => {
  it('has no more requests under way than its limit, and sends all', async () => {
    let under = 0
    let most = 0
    const inner = aTransport(async () => {
      under += 1
      most = Math.max(most, under)
      await turns(1)
      under -= 1
      return anAnswer()
    })
    const transport = throttle(inner, 3)
    await Promise.all(Array.from({ length: 12 }, (_, n) => transport.send(aGet(`http://target.test/${n}`))))
    expect({ most, sent: inner.sent.length }).toEqual({ most: 3, sent: 12 })
  })
})
