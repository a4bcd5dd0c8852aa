import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WireRequest } from '../../../core/engine/transport/transport.ts'
import { createFileTransport } from '../../../functions/adapters/transport/file/file.ts'
import { createHttpTransport } from '../../../functions/adapters/transport/http/http.ts'
import { aGet, aWrite } from '../../builders/values/transports.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

const pem = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8')

/** Tells which requests came in whole, and how many bytes came in all. */
const aServer = async (isSecure: boolean, socket?: string) => {
  const seen: string[] = []
  const listener: RequestListener = (request, response) => {
    request.resume().on('end', () => {
      seen.push(request.method ?? '')
      response.end('{}')
    })
  }
  const server = isSecure ? createHttps({ key: pem('ours-key'), cert: pem('ours') }, listener) : createHttp(listener)
  let bytes = 0
  if (!isSecure) server.on('connection', (socket: Socket) => socket.on('data', ({ length }) => (bytes += length)))
  await new Promise<void>((resolve) =>
    server.listen(socket === undefined ? { port: 0, host: '127.0.0.1' } : { path: socket }, resolve),
  )
  return {
    seen,
    bytes: () => bytes,
    url:
      socket === undefined
        ? `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/things`
        : 'http://localhost/things',
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const unsent = { code: 'REQUEST_FAILED', payload: { reason: 'unsent' } }

describe('a request whose permission ends before its bytes are sent', () => {
  const ways = ['http', 'https', 'a Unix socket'].flatMap((way) =>
    ['a new connection', 'a connection that was kept'].flatMap((connection) =>
      (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({ way, connection, method })),
    ),
  )
  it.each(ways)('sends no byte with $method over $way on $connection', async ({ way, connection, method }) => {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    const path = way === 'a Unix socket' ? join(folder.path, 'sock') : undefined
    await using server = await aServer(way === 'https', path)
    const transport = createHttpTransport({
      ...(way === 'https' ? { tls: async () => ({ ca: pem('ours-authority') }) } : {}),
      ...(path === undefined ? {} : { socket: { path, origin: 'http://localhost' } }),
    })
    if (connection !== 'a new connection') await transport.send(aGet(server.url))
    const before = { seen: server.seen.length, bytes: server.bytes() }
    const request: WireRequest = {
      ...aWrite(method, { url: server.url, ...(method === 'DELETE' ? {} : { body: { text: 'x'.repeat(100_000) } }) }),
      mayLeave: () => false,
    }
    await expect(transport.send(request)).rejects.toMatchObject(unsent)
    // The next one goes: what was refused is not kept for later either.
    await transport.send(aGet(server.url))
    expect(server.seen.slice(before.seen)).toEqual(['GET'])
    expect(server.bytes() - before.bytes).toBeLessThan(1_000)
  })

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('leaves a file unchanged with %s', async (method) => {
    const folder = temporaryFolder()
    try {
      const path = join(folder.path, 'a')
      await writeFile(path, 'before')
      const transport = createFileTransport({ roots: [folder.path] })
      const body = method === 'PUT' ? { content: 'after' } : { mode: '0600' }
      const request: WireRequest = { ...aWrite(method, { url: `file://${path}`, body }), mayLeave: () => false }
      await expect(transport.send(request)).rejects.toMatchObject(unsent)
      expect(await readFile(path, 'utf8')).toBe('before')
    } finally {
      folder.remove()
    }
  })
})
