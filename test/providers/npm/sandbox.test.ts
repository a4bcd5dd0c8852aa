import { describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Json } from '../../../core/engine/schema/json.ts'
import { openSandbox } from '../../../functions/adapters/packages/sandbox.ts'
import { sandboxLimits } from '../../../functions/adapters/packages/sandbox-messages.ts'
import { eachOf, long } from '../../builders/long.ts'
import { anAnswer, aTransport } from '../../builders/values/transports.ts'

const type = (body: string) =>
  `export const provider = { configure: () => ({ ok: true, provider: { types: { x_y: { name: 'x_y', schema: {}, ${body} } } } }) }`

const opened = (body: string, limits: Partial<typeof sandboxLimits> = {}) => {
  const guest = openSandbox(type(body), '@acme/x', { ...sandboxLimits, ...limits })
  guest.call('configure', [{}])
  return guest
}

const told = (run: () => unknown): string => {
  try {
    return `answered ${JSON.stringify(run())}`
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`
  }
}

describe('the sandbox', () => {
  it('calls functions and forwards requests', async () => {
    const guest = opened(`
      commands: (change) => [{ got: change.a }],
      read: async (target, { transport }) => {
        const first = await transport.send({ url: 'one' })
        const [second, third] = await Promise.all([transport.send({ url: 'two' }), transport.send({ url: 'three' })])
        return { first: first.body, others: [second.status, third.status], target }
      }`)
    expect(guest.call('commands', ['x_y', { a: 'ü"\u0000\u{1F600}' }])).toEqual([{ got: 'ü"\u0000\u{1F600}' }])
    const transport = aTransport(anAnswer(200, { id: 1 }), anAnswer(201))
    const reads = [1, 2, 3].map((n) => guest.ask('read', ['x_y', { n }], { transport }))
    const [first] = await Promise.all(reads)
    expect(first).toMatchObject({ others: [201, 201], target: { n: 1 } })
    expect(transport.sent).toHaveLength(9)
  })

  it('passes on the error of the transport, and shows the package only its code', async () => {
    const guest = opened(`
      read: async (target, { transport }) => {
        if (target === 'catch') try { return await transport.send({}) } catch (error) { return { error: error.message, keys: Object.keys(error) } }
        return transport.send({})
      }`)
    const failure = new AppError('REQUEST_FAILED', {
      method: 'GET',
      url: 'https://x/',
      detail: 'secret words',
      reason: 'timeout',
    })
    await expect(guest.ask('read', ['x_y', null], { transport: aTransport(failure) })).rejects.toBe(failure)
    const caught = await guest.ask('read', ['x_y', 'catch'], { transport: aTransport(failure) })
    expect(caught).toMatchObject({ error: 'REQUEST_FAILED' })
  })

  const probes: Record<string, string> = {
    process: 'typeof process',
    require: 'typeof require',
    fetch: 'typeof fetch',
    WebAssembly: 'typeof WebAssembly',
    SharedArrayBuffer: 'typeof Worker + typeof MessageChannel + typeof structuredClone',
    timers: 'typeof setTimeout + typeof setInterval + typeof setImmediate + typeof queueMicrotask',
    console: 'typeof console',
    std: 'typeof std + typeof os + typeof scriptArgs',
    'the constructor of a function': "typeof (() => {}).constructor('return typeof process + typeof fetch')()",
    'the constructor of send': "await transport.send.constructor('return typeof process')()",
    'the global object':
      'Object.getOwnPropertyNames(globalThis).filter((name) => /process|fetch|require|node|Deno|Bun|std|host|send/i.test(name)).join()',
  }
  eachOf(it, 1)(Object.entries(probes))('has no %s', async (_, expression) => {
    const guest = opened(`read: async (target, { transport }) => ({ found: String(${expression}) })`)
    const answer = (await guest.ask('read', ['x_y', {}], { transport: aTransport() })) as { found: string }
    expect(answer.found.replaceAll('undefined', '').replace('string', '')).toBe('')
  })

  it.each([
    ["import 'node:fs'"],
    ["export { readFileSync } from 'fs'"],
    ["await import('node:fs')"],
    ["import x from './other.mjs'"],
  ])('loads no module: %s', (line) => {
    const guest = openSandbox(`${line}\n${type('')}`, '@acme/x', sandboxLimits)
    expect(told(() => guest.call('configure', [{}]))).toContain('PROVIDER_PACKAGE_FAILED')
  })

  it('loads no module later', async () => {
    const guest = opened(`read: () => import('node:fs').then(() => 'loaded', () => 'refused')`)
    expect(await guest.ask('read', ['x_y', {}], { transport: aTransport() })).toBe('refused')
  })

  const hostile: Record<string, readonly [string, RegExp, Partial<typeof sandboxLimits>?]> = {
    'an endless loop': ['commands: () => { for (;;) {} }', /it took too long/],
    'an endless loop that catches': ['commands: () => { for (;;) try { for (;;) {} } catch {} }', /it took too long/],
    'an endless recursion': ['commands: () => { const f = () => f() + 1; return f() }', /PROVIDER_PACKAGE_FAILED/],
    'a full memory': [
      'commands: () => { const all = []; for (;;) all.push([1, 2, 3]) }',
      /PROVIDER_PACKAGE_FAILED: .*out of memory/,
      // Before its steps end.
      { memoryBytes: 4 * 1024 * 1024 },
    ],
    'a text without end': ["commands: () => { let text = 'x'; for (;;) text += text }", /PROVIDER_PACKAGE_FAILED/],
    'an answer that is too large': ["commands: () => 'x'.repeat(20e6)", /too long a text/],
    'an answer that is no JSON': ['commands: () => { const a = {}; a.a = a; return a }', /PROVIDER_PACKAGE_FAILED/],
    'an answer that lies about its text': ['commands: () => ({ toJSON: () => { for (;;) {} } })', /it took too long/],
    'a thrown nothing': ['commands: () => { throw undefined }', /PROVIDER_PACKAGE_FAILED/],
    'a thrown trap': [
      'commands: () => { throw new Proxy({}, { get: () => { for (;;) {} } }) }',
      /PROVIDER_PACKAGE_FAILED/,
    ],
  }
  eachOf(it, 1)(Object.entries(hostile))(
    'ends the call after %s, and answers the next call',
    (_, [body, words, limits = {}]) => {
      const guest = opened(`${body}, urlOf: () => 'still here'`, { steps: 50, ...limits })
      expect(told(() => guest.call('commands', ['x_y', {}]))).toMatch(words)
      expect(told(() => guest.call('urlOf', ['x_y', {}]))).toMatch(/answered "still here"|PROVIDER_PACKAGE_FAILED/)
    },
  )

  it('ends a loop inside of the language by the clock, with everything that waits', long, async () => {
    const guest = opened(
      'commands: () => [].indexOf.call({ length: 2 ** 53 - 1 }, 1), read: (target, { transport }) => transport.send({})',
      { turnMs: 1_500 },
    )
    const waiting = guest.ask('read', ['x_y', {}], { transport: { send: () => new Promise(() => {}) } })
    expect(told(() => guest.call('commands', ['x_y', {}]))).toContain('it took too long')
    await expect(waiting).rejects.toThrow('it took too long')
    expect(told(() => guest.call('configure', [{}]))).toContain('it took too long')
  })

  it.each([
    ['one after the other', 'await transport.send({})'],
    ['at once', 'transport.send({})'],
    ['whose errors it catches', 'try { await transport.send({}) } catch {}'],
  ])('ends a read that sends too many requests %s', async (_, send) => {
    const guest = opened(
      `read: async (target, { transport }) => { for (let n = 0; n < target; n++) ${send}; return target }`,
      {
        mostRequests: 5,
      },
    )
    const transport = aTransport(anAnswer(200, {}))
    expect(await guest.ask('read', ['x_y', 5], { transport })).toBe(5)
    await expect(guest.ask('read', ['x_y', 50], { transport })).rejects.toThrow(
      'it sent more than 5 requests in one read',
    )
    expect(transport.sent).toHaveLength(10)
    await expect(guest.ask('read', ['x_y', 1], { transport })).rejects.toThrow('more than 5 requests')
  })

  it('ends a loop in a read by its steps', async () => {
    const guest = opened('read: async (target, { transport }) => { await transport.send({}); for (;;) {} }', {
      steps: 50,
    })
    await expect(guest.ask('read', ['x_y', {}], { transport: aTransport() })).rejects.toThrow('it took too long')
  })

  it('reports a read that never answers', async () => {
    const guest = opened('read: () => new Promise(() => {})')
    await expect(guest.ask('read', ['x_y', {}], { transport: aTransport() })).rejects.toThrow('never answers')
  })

  it('ends jobs without an end', long, async () => {
    // The steps end it: no time is short enough to be reached on a slow machine before.
    const guest = opened('read: () => { const again = () => Promise.resolve().then(again); again(); return again() }', {
      steps: 50,
      turnMs: 600_000,
    })
    await expect(guest.ask('read', ['x_y', {}], { transport: aTransport() })).rejects.toThrow(/failed/)
  })

  it('changes nothing outside when the package changes the language', () => {
    const guest = opened(`
      commands: () => { Object.prototype.polluted = true; Array.prototype.push = null; JSON.stringify = () => 'x'; return JSON.parse('{"__proto__":{"deep":true}}') }`)
    const answer = guest.call('commands', ['x_y', {}]) as Record<string, Json>
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(({} as Record<string, unknown>)['deep']).toBeUndefined()
    expect(answer['deep']).toBeUndefined()
  })

  it('sends no request outside of a read', async () => {
    const guest = opened(`
      read: async (target, { transport }) => { globalThis.kept = transport; return 'kept' },
      list: async () => { try { await kept.send({ url: 'late' }) } catch (error) { return error.message } }`)
    const transport = aTransport()
    const kept = await guest.ask('read', ['x_y', {}], { transport })
    expect(kept).toBe('kept')
    expect(await guest.ask('list', ['x_y', []], { transport })).toBe('only a read sends requests')
    expect(transport.sent).toEqual([])
  })
})
