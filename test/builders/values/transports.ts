import type { Request, Response } from '../../../core/engine/schema/command.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import type { Clock } from '../../../core/engine/schema/ports.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'

export const aGet = (url = 'http://target.test/things', rest: Partial<Request> = {}): Request => ({
  method: 'GET',
  url,
  effect: 'read',
  ...rest,
})

export const aWrite = (method = 'POST', rest: Partial<Request> = {}): Request => ({
  method,
  url: 'http://target.test/things',
  effect: 'write',
  ...rest,
})

export const anAnswer = (status = 200, body: Json = null, headers: Record<string, string> = {}): Response => ({
  status,
  headers,
  body,
})

type Step = Response | Error | ((request: Request) => Response | Promise<Response>)

/** Plays the steps in order, the last one for ever, and keeps what it was sent. */
export const aTransport = (...steps: Step[]): Transport & { readonly sent: Request[] } => {
  const sent: Request[] = []
  return {
    sent,
    send: async (request) => {
      const step = steps[Math.min(sent.length, steps.length - 1)] ?? anAnswer()
      sent.push(request)
      if (step instanceof Error) throw step
      return typeof step === 'function' ? step(request) : step
    },
  }
}

/** Time moves only by sleeping. */
export const aSleepingClock = (start = '2026-01-01T00:00:00Z'): Clock & { readonly slept: number[] } => {
  const slept: number[] = []
  const begin = Date.parse(start)
  return {
    slept,
    now: () => new Date(begin + slept.reduce((sum, each) => sum + each, 0)),
    monotonic: () => slept.reduce((sum, each) => sum + each, 0),
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
    },
    after: () => () => {},
  }
}
