import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { long } from '../../builders/long.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

const key = 'k3y-of-the-boxes'
const document = `provider:
  id: api
  with: { baseUrl: {}, key: { secret: true } }
  baseUrl: "{with.baseUrl}"
  auth: { bearer: { secret: "{with.key}" } }
  reads: { absent: [404] }
resources:
  api_box:
    operations:
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: PUT, path: "/boxes/{name}" }
      delete: { method: DELETE, path: "/boxes/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        attributes:
          name: { required: true, in: path }
          size: { type: number, immutable: true }
`

let folder: string
let server: Server
let address: string
const boxes = new Set<string>()
const writes: string[] = []
const run = (...args: readonly string[]) =>
  runCommand(['provider', 'probe', 'api.yaml', '--with', `baseUrl=${address}`, '--with', 'key=env:KEY', ...args], {
    folder,
    variables: { KEY: key },
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-probe-'))
  await writeFile(join(folder, 'api.yaml'), document)
  server = createServer(({ method = '', url = '', headers }, response) => {
    const isKnown = headers.authorization === `Bearer ${key}`
    if (method !== 'GET') writes.push(`${method} ${url}`)
    const status = !isKnown ? 401 : method === 'GET' && !boxes.has(url) ? 404 : 200
    if (isKnown && method === 'PUT') boxes.add(url)
    if (isKnown && method === 'DELETE') boxes.delete(url)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ name: decodeURIComponent(url.split('/').at(-1) ?? ''), size: 7 }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

describe('the command provider probe', () => {
  test('says what to add and where, leaves nothing behind, and exits with 2', long, async () => {
    const { code, stdout, stderr } = await run('--yes')
    expect(code).toBe(2)
    expect(stderr).toMatch(/this creates, changes and deletes:\n {2}api_box name=plumbline-probe-/)
    expect(stdout).toMatch(/^api.yaml:20:\d+: api_box.size: the server fills it in\n {2}add: default: 7\n/)
    expect(stdout).toContain('2 objects created, and deleted again')
    expect(stdout + stderr).not.toContain(key)
    expect([...boxes]).toEqual([])
  })

  test('answers JSON', long, async () => {
    const { code, stdout } = await run('--yes', '--json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ findings: [{ attribute: 'size', add: { default: 7 } }], left: [] })
  })

  test('sends nothing where nobody agrees', async () => {
    writes.length = 0
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('--yes')
    expect(writes).toEqual([])
  })

  test.each([
    [['--yes', '--type', 'api_bix'], 'api_box'],
    [['--yes', '--set', 'size=1'], 'type.attribute'],
    [['--yes', '--with', 'other=1'], 'other'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code === 0, (stdout + stderr).includes(message)]).toEqual([false, true])
  })
})
