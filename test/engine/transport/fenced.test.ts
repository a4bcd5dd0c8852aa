import { expect, it } from 'vitest'
import { AppError, asAppError } from '../../../core/engine/errors/errors.ts'
import { type Fence, fenced } from '../../../core/engine/transport/limits/fenced.ts'
import { aGet, anAnswer, aTransport, aWrite } from '../../builders/values/transports.ts'

/** Leave that ends as soon as it is given, so many times; then it lasts. */
const aFence = (expired = 0) => {
  let entered = 0
  const ends: (string | undefined)[] = []
  const fence: Fence = {
    enter: async () => {
      entered += 1
      const isOver = entered <= expired
      return { mayLeave: () => !isOver, signal: new AbortController().signal, end: (how) => ends.push(how) }
    },
  }
  return { fence, ends, entered: () => entered }
}

const failed = (reason: 'unsent' | 'network') =>
  new AppError('REQUEST_FAILED', { method: 'POST', url: 'http://target.test/things', detail: 'failed', reason })

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => asAppError(error).code,
  )
const options = { timeoutMs: 1_000 }

it('sends reads without leave, and no write without a valid fence', async () => {
  const inner = aTransport(anAnswer())
  expect(await codeOf(fenced(inner, undefined, options).send(aGet()))).toBe('answered')
  expect(await codeOf(fenced(inner, undefined, options).send(aWrite()))).toBe('WRITE_IN_CHECK')
  expect(inner.sent).toHaveLength(1)
})

it('asks for leave again where the first leave ended before the write could be sent', async () => {
  const [inner, { fence, ends, entered }] = [aTransport(anAnswer()), aFence(2)]
  expect(await codeOf(fenced(inner, fence, options).send(aWrite()))).toBe('answered')
  expect([inner.sent.length, entered(), ends]).toEqual([1, 3, [undefined, undefined, 'answered']])
})

it('asks for leave again where the last step delayed the write', async () => {
  const [inner, { fence, ends }] = [aTransport(failed('unsent'), anAnswer()), aFence()]
  expect(await codeOf(fenced(inner, fence, options).send(aWrite()))).toBe('answered')
  expect(ends).toEqual([undefined, 'answered'])
})

it('gives up, and sends nothing, where every leave ends too early', async () => {
  const [inner, { fence, entered }] = [aTransport(anAnswer()), aFence(9)]
  expect(await codeOf(fenced(inner, fence, options).send(aWrite()))).toBe('STORE_UNAVAILABLE')
  expect([inner.sent.length, entered()]).toEqual([0, 3])
})

it('tries a write that failed on its way only once', async () => {
  const [inner, { fence, ends }] = [aTransport(failed('network'), anAnswer()), aFence()]
  expect(await codeOf(fenced(inner, fence, options).send(aWrite()))).toBe('REQUEST_FAILED')
  expect(ends).toEqual([undefined])
})
