import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import { createHttpTransport } from '../../../functions/adapters/transport/http/http.ts'
import type { TlsMaterial } from '../../../functions/adapters/transport/http/node-fetch.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { aGet, aWrite } from '../../builders/values/transports.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

/** An authority `ours` with a certificate that it signed for 127.0.0.1, and an authority `other`; until 2126. */
const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8')

const aServer = async (listener: RequestListener, options: ServerOptions = {}) => {
  const server = createServer({ key: pem('ours-key'), cert: pem('ours'), ...options }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/things`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const trusting = (material: TlsMaterial, more: object = {}) =>
  createHttpTransport({ tls: async () => material, ...more })

const say =
  (body: string | Buffer, headers: Record<string, string | string[]> = {}, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

describe('a certificate authority of the provider', () => {
  it('is trusted, and answers are the same as from fetch', async () => {
    await using server = await aServer(say('{"a":1}', { 'X-Mixed': 'Case', 'set-cookie': ['a=1', 'b=2'] }))
    const transport = trusting({ ca: pem('ours-authority') })
    const answer = { status: 200, headers: { 'x-mixed': 'Case', 'set-cookie': 'a=1\nb=2' }, body: { a: 1 } }
    expect(await transport.send(aGet(server.url))).toMatchObject(answer)
    expect(await transport.send(aGet(server.url))).toMatchObject(answer)
  })

  it.each<[string, TlsMaterial | undefined]>([
    ['another authority', { ca: 'other-authority' }],
    ['no authority but those of the system', {}],
    ['no tls at all', undefined],
  ])('is required: no request succeeds with %s', async (_, names) => {
    await using server = await aServer(say('{}'))
    const material = names?.ca === undefined ? names : { ca: pem(names.ca) }
    const transport = material === undefined ? createHttpTransport() : trusting(material)
    await expect(transport.send(aGet(server.url))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      payload: { reason: 'network', detail: expect.stringMatching(/certificate/) },
    })
  })

  it('is trusted only for the name that was requested', async () => {
    await using server = await aServer(say('{}'))
    const url = server.url.replace('127.0.0.1', 'localhost')
    await expect(trusting({ ca: pem('ours-authority') }).send(aGet(url))).rejects.toThrow(/another host|ECONNREFUSED/)
  })

  it('receives method, headers and body', async () => {
    const seen: unknown[] = []
    await using server = await aServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      seen.push([
        request.method,
        request.url,
        request.headers['x-a'],
        Buffer.concat(chunks).toString(),
        request.headers['content-length'],
      ])
      response.writeHead(204).end()
    })
    const transport = trusting({ ca: pem('ours-authority') })
    const write = aWrite('PUT', { url: `${server.url}/a%2Fb?c=%20`, headers: { 'x-a': 'b' }, body: { a: 'ß' } })
    expect(await transport.send(write)).toMatchObject({ status: 204, body: null })
    await transport.send(aWrite('POST', { url: server.url }))
    expect(seen).toEqual([
      ['PUT', '/things/a%2Fb?c=%20', 'b', '{"a":"ß"}', '10'],
      ['POST', '/things', undefined, '', '0'],
    ])
  })

  it.each<[string, RequestListener, object, object]>([
    ['unpacks', say(gzipSync('[7]'), { 'content-encoding': 'gzip' }), {}, { body: [7] }],
    ['gives a redirected write back', say('', { location: '/x' }, 307), {}, { status: 307 }],
  ])('answers as an ordinary connection does: it %s', async (_, listener, options, expected) => {
    await using server = await aServer(listener)
    expect(
      await trusting({ ca: pem('ours-authority') }, options).send(aWrite('PUT', { url: server.url })),
    ).toMatchObject(expected)
  })

  it.each<[string, RequestListener, object, object]>([
    [
      'garbage for gzip',
      say('no gzip', { 'content-encoding': 'gzip' }),
      {},
      { code: 'REQUEST_FAILED', payload: { reason: 'network' } },
    ],
    ['silence', () => undefined, { timeoutMs: 60 }, { payload: { reason: 'timeout' } }],
    ['a large answer', say('x'.repeat(2000)), { maxBodyBytes: 1000 }, { code: 'RESPONSE_TOO_LARGE' }],
    [
      'a small answer that unpacks to a large one',
      say(gzipSync(Buffer.alloc(2_000_000)), { 'content-encoding': 'gzip' }),
      { maxBodyBytes: 100_000 },
      { code: 'RESPONSE_TOO_LARGE' },
    ],
    [
      'a reset in the middle',
      (_, response) => response.writeHead(200, { 'content-length': '99' }).write('[', () => response.destroy()),
      {},
      { code: 'REQUEST_FAILED', payload: { reason: 'network' } },
    ],
  ])('rejects %s', async (_, listener, options, expected) => {
    await using server = await aServer(listener)
    await expect(trusting({ ca: pem('ours-authority') }, options).send(aGet(server.url))).rejects.toMatchObject(
      expected,
    )
  })

  it('can be used with a certificate of the client', async () => {
    const demanding = { requestCert: true, rejectUnauthorized: true, ca: pem('ours-authority') }
    const listener: RequestListener = ({ socket }, response) =>
      response.end(String((socket as TLSSocket).getPeerCertificate().subject.CN))
    await using server = await aServer(listener, demanding)
    const material = { ca: pem('ours-authority'), cert: pem('ours'), key: pem('ours-key') }
    expect((await trusting(material).send(aGet(server.url))).body).toBe('ours server')
    await expect(trusting({ ca: material.ca }).send(aGet(server.url))).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
  })

  it('is read once, and again after it could not be read', async () => {
    await using server = await aServer(say('{}'))
    let asked = 0
    const transport = createHttpTransport({
      tls: async () => {
        asked += 1
        if (asked === 1) throw new AppError('SECRET_UNRESOLVED', { source: 'env:CA', detail: 'it is not set' })
        return { ca: pem('ours-authority') }
      },
    })
    await expect(transport.send(aGet(server.url))).rejects.toMatchObject({ code: 'SECRET_UNRESOLVED' })
    await transport.send(aGet(server.url))
    await transport.send(aGet(server.url))
    expect(asked).toBe(2)
  })

  it('is not needed without https', async () => {
    await using server = await aLoopback(say('[]'))
    const transport = createHttpTransport({ tls: () => Promise.reject(new Error('asked')) })
    expect((await transport.send(aGet(server.url))).body).toEqual([])
  })
})

describe('a Unix socket', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  const atSocket = async (name: string) => {
    const path = `${folder.path}/${name}`
    let seen = 0
    const server = createServer({ key: pem('ours-key'), cert: pem('ours') }, (_, response) => {
      seen += 1
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}')
    })
    await new Promise<void>((resolve) => server.listen(path, resolve))
    return {
      path,
      seen: () => seen,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }
  const origin = 'https://127.0.0.1'

  it('carries https too, and the server is verified by the name of the URL', async () => {
    await using server = await atSocket('secure')
    const socket = { path: server.path, origin }
    const transport = trusting({ ca: pem('ours-authority') }, { socket })
    expect(await transport.send(aGet(`${origin}/x`))).toMatchObject({ status: 200, body: { a: 1 } })
    expect(await transport.send(aGet(`${origin}/y`))).toMatchObject({ status: 200, body: { a: 1 } })
    await expect(createHttpTransport({ socket }).send(aGet(`${origin}/x`))).rejects.toThrow(/certificate/)
    expect(server.seen()).toBe(2)
  })

  it.each([
    ['for another socket', { socket: '/run/other.sock' }, origin],
    ['to another origin', {}, 'https://127.0.0.2'],
  ])('accepts no request %s', async (_, more, at) => {
    await using server = await atSocket(`refused${at.length}${Object.keys(more).length}`)
    const transport = trusting({ ca: pem('ours-authority') }, { socket: { path: server.path, origin } })
    await expect(transport.send({ ...aGet(`${at}/x`), ...more })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(server.seen()).toBe(0)
  })

  it('is never bypassed by a request that is for it', async () => {
    await using server = await aServer(say('{}'))
    const request = { ...aGet(server.url), socket: '/run/api.sock' }
    await expect(trusting({ ca: pem('ours-authority') }).send(request)).rejects.toThrow(/not the way there/)
  })
})
