import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../functions/cli/backend/http-client.ts'
import { long } from '../../builders/long.ts'
import { runCommand, startCommand } from '../../builders/workspaces/command.ts'

/** Answers every request with JSON, and keeps what was sent. */
const startRecorder = async () => {
  const requests: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    requests.push({ headers: request.headers, body })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { requests, client: createClient({ url: `http://127.0.0.1:${port}`, token: async () => 't' }, '1') }
}

/** JSON of a text has two quotes more. */
test('a body is packed from 16,001 bytes on, and then has no Content-Type', async () => {
  const { requests, client } = await startRecorder()
  await client.put('/v1/x', 'a'.repeat(15_998))
  await client.put('/v1/x', 'a'.repeat(15_999))
  await client.get('/v1/x')
  const [small, large, none] = requests
  expect([small?.headers['content-type'], small?.headers['content-encoding']]).toEqual(['application/json', undefined])
  expect(small?.body.byteLength).toBe(16_000)
  expect([large?.headers['content-type'], large?.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  expect(gunzipSync(large?.body ?? '').toString()).toBe(JSON.stringify('a'.repeat(15_999)))
  expect(large?.body.byteLength).toBe(Number(large?.headers['content-length']))
  expect([none?.headers['content-type'], none?.body.byteLength]).toEqual([undefined, 0])
})

/** Most of it is comments, which are quickly read. */
const largeText = (content: string): string => {
  const rows = Array.from(
    { length: 1_000 },
    (_, n) =>
      `  # ${`the file of site ${n}; `.repeat(250)}\n  - { type: host_file, name: f${n}, spec: { path: f${n}, content: "${content} ${n}" } }\n`,
  )
  return `workspace: large\nproviders:\n  files: { source: host, with: { root: /srv/large } }\nresources:\n${rows.join('')}`
}

test('a configuration of more than 4 MB is pushed, listed and compared', long, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-large-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'plumbline.yaml'), 'workspace: small\nproviders: {}\nresources: []\n')
  const dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder })
  onTestFinished(async () => {
    dev.child.kill('SIGTERM')
    await dev.ended
  })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  const pushed = await mkdtemp(join(tmpdir(), 'plumbline-pushed-'))
  onTestFinished(() => rm(pushed, { recursive: true, force: true }))
  const run = async (...args: readonly string[]) => {
    const variables = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: token }
    const { code, stdout, stderr } = await runCommand([...args, '--json'], { folder: pushed, variables })
    expect({ code, said: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, said: '' })
    return JSON.parse(stdout)
  }
  for (const content of ['first', 'second']) {
    const text = largeText(content)
    expect(text.length).toBeGreaterThan(4_000_000)
    await writeFile(join(pushed, 'plumbline.yaml'), text)
    await run('workspace', 'push')
  }
  expect((await run('workspace', 'history', 'large')).items).toMatchObject([{ version: 2 }, { version: 1 }])
  const { resources } = await run('workspace', 'diff', '1', '2', '--workspace', 'large')
  expect(resources).toHaveLength(1_000)
})
