import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { long } from '../../builders/long.ts'
import { gathered } from '../../builders/time/gathered.ts'
import { type Running, runCommand, startCommand } from '../../builders/workspaces/command.ts'

let folder: string
let running: Running[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-dev-'))
  running = []
})

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  await rm(folder, { recursive: true, force: true })
})

const start = async (...args: readonly string[]): Promise<Running> => {
  const dev = await startCommand(['dev', '--port', '0', ...args], { folder })
  running.push(dev)
  return dev
}

const seen = (dev: Running, pattern: RegExp, from = 0): Promise<RegExpExecArray> => dev.says(pattern, from)

const run = (...args: readonly string[]) => runCommand(args, { folder })

/** All at once, as editors do: a check may look at any moment, and half of a file is another change. */
const edit = async (file: string, text: string): Promise<void> => {
  const beside = join(folder, 'edited')
  await writeFile(beside, text)
  await rename(beside, file)
}
const motd = () => join(folder, 'plumbline-demo', 'machine', 'motd')

/** Processes that name the folder, other than this one. */
const left = async (): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid,args'])
  return stdout.split('\n').filter((line) => line.includes(folder) && !line.includes('vitest'))
}

const stop = async (dev: Running) => {
  dev.child.kill('SIGINT')
  return dev.ended
}

test('a new user edits a file, sees the drift, repairs it as printed, and the ledger verifies', long, async () => {
  const dev = await start()
  await seen(dev, /in sync/)
  await edit(motd(), 'Coffee only.\n')
  const [, ...words] = await seen(dev, /plumbline (apply) (tea-room) (--digest) (sha256:[0-9a-f]{64})/)
  await seen(dev, /alert .*tea-room differs/)
  const from = dev.stdout().length
  expect((await run(...words)).code).toBe(0)
  expect(await readFile(motd(), 'utf8')).toContain('Welcome to the tea room.')
  await seen(dev, /in sync/, from)
  await seen(dev, /alert .*matches its configuration again/, from)
  expect((await run('ledger', 'verify')).code).toBe(0)
  const { code, stderr } = await stop(dev)
  expect([code, stderr]).toEqual([0, ''])
  expect(await left()).toEqual([])
})

test('the printed token opens the API, which lists, checks, applies and proves', long, async () => {
  const dev = await start()
  const [, token = ''] = await seen(dev, /PLUMBLINE_TOKEN=(\S+)/)
  const [url = ''] = await seen(dev, /http:\/\/127\.0\.0\.1:\d+/)
  const there = ['--endpoint', url, '--token', token, '--json']
  const remote = async (...args: readonly string[]) => {
    const { code, stdout } = await run(...args, ...there)
    return { code, value: JSON.parse(stdout) }
  }
  await seen(dev, /in sync/)
  expect((await remote('workspace', 'list')).value.items).toMatchObject([{ id: 'tea-room' }])
  await edit(motd(), 'Coffee only.\n')
  const checked = await remote('check', 'tea-room')
  expect(checked.code).toBe(2)
  const digest = checked.value.plumbline.digests.commands
  expect((await remote('apply', 'tea-room', '--check', '--digest', digest)).value).toMatchObject({
    status: 'succeeded',
    mode: 'check',
  })
  expect(await readFile(motd(), 'utf8')).toBe('Coffee only.\n')
  for (const format of ['summary', 'html']) {
    const shown = await run('show', '--workspace', 'tea-room', '--format', format, ...there.slice(0, 4))
    expect(shown).toMatchObject({ code: 2, stdout: expect.stringContaining('host_file.motd') })
  }
  expect((await remote('apply', 'tea-room', '--digest', digest)).value).toMatchObject({
    status: 'succeeded',
    actor: { via: 'api' },
  })
  expect((await remote('check', 'tea-room')).code).toBe(0)
  expect((await remote('show', '--workspace', 'tea-room')).code).toBe(0)
  expect((await remote('ledger', 'verify', 'tea-room')).value.ok).toBe(true)
  await edit(motd(), 'Tea is off.\n')
  const stale = await remote('apply', 'tea-room', '--digest', digest)
  expect(stale.code).toBe(2)
  expect((await remote('runs', 'nobody')).value.error.code).toBe('WORKSPACE_NOT_FOUND')
  const exported = await fetch(`${url}/v1/workspaces/tea-room/ledger/export`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await writeFile(join(folder, 'ledger.ndjson'), await exported.text())
  expect((await run('ledger', 'verify', '--file', 'ledger.ndjson')).code).toBe(0)
  expect((await run('runs', 'tea-room', '--endpoint', url, '--token', 'x.y.z', '--json')).stdout).toContain(
    'UNAUTHENTICATED',
  )
  expect((await run('runs', 'tea-room', '--endpoint', 'http://127.0.0.1:1', '--json')).stdout).toContain(
    'ENDPOINT_FAILED',
  )
})

test('runs, ledger and tokens survive a restart, and so does a killed dev', async () => {
  const first = await start()
  const [, token = ''] = await seen(first, /PLUMBLINE_TOKEN=(\S+)/)
  await seen(first, /in sync/)
  first.child.kill('SIGKILL')
  await first.ended
  expect(await left()).toEqual([])
  const before = JSON.parse((await run('runs', '--json')).stdout).items
  expect(before.length).toBeGreaterThan(0)
  const second = await start()
  const [url = ''] = await seen(second, /http:\/\/127\.0\.0\.1:\d+/)
  await seen(second, /in sync/)
  const after = JSON.parse((await run('runs', '--json')).stdout).items
  expect(after.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(before.map(({ id }: { id: string }) => id)),
  )
  // The issuer's address changed with the port, so only its key can be compared.
  expect(token.split('.')[0]).toBe((await seen(second, /PLUMBLINE_TOKEN=(\S+)/))[1]?.split('.')[0])
  expect((await fetch(`${url}/v1/health`)).status).toBe(200)
})

test('a second dev for the same folder, and a port in use, are refused', long, async () => {
  const first = await start()
  const [, port = ''] = await seen(first, /http:\/\/127\.0\.0\.1:(\d+)/)
  const second = await start()
  expect((await second.ended).stderr).toContain('DEV_RUNNING')
  const elsewhere = await mkdtemp(join(tmpdir(), 'plumbline-dev-'))
  const refused = await runCommand(['dev', '--port', port], { folder: elsewhere })
  await rm(elsewhere, { recursive: true })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`port ${port}`)
  expect(refused.stderr).toContain('PORT_IN_USE')
})

const kindOf = (body: string): unknown => JSON.parse(JSON.parse(body).Message).kind

test('a webhook receives each alert once, as JSON', long, async () => {
  const bodies = gathered<string>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    bodies.add(body)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const dev = await start('--webhook', `http://127.0.0.1:${port}/`)
  await seen(dev, /in sync/)
  const motdAsConfigured = await readFile(motd(), 'utf8')
  await edit(motd(), 'Coffee only.\n')
  await seen(dev, /alert .*differs/)
  const from = dev.stdout().length
  await edit(motd(), motdAsConfigured)
  await seen(dev, /alert .*matches its configuration again/, from)
  await bodies.until((all) => all.some((body) => kindOf(body) === 'resolved'))
  server.close()
  expect(bodies.items.map(kindOf).toSorted()).toEqual(['opened', 'resolved'])
  expect(JSON.parse(JSON.parse(bodies.items[0] ?? '').Message)).toMatchObject({ workspace: 'tea-room' })
})

test('an alert of a command is published by the dev that runs beside it', long, async () => {
  const dev = await start()
  await seen(dev, /in sync/)
  const other = join(folder, 'other')
  await mkdir(join(other, 'machine'), { recursive: true })
  const lines = [
    'workspace: kitchen',
    'providers:',
    '  host: { source: host, with: { root: ./machine } }',
    'resources:',
    '  - { type: host_file, name: menu, spec: { path: menu, content: "Soup.\\n" } }',
  ]
  await writeFile(join(other, 'plumbline.yaml'), `${lines.join('\n')}\n`)
  const { code, stderr } = await runCommand(['check'], { folder: other })
  await seen(dev, /alert .*kitchen/)
  expect(code).toBe(2)
  // The command itself says nothing of an alert that somebody else publishes.
  expect(stderr).not.toMatch(/alert|waits/)
})

test('a changed configuration is loaded, and a wrong one is reported with its place', long, async () => {
  const dev = await start('--every', '0')
  await seen(dev, /in sync/)
  const file = join(folder, 'plumbline-demo', 'plumbline.yaml')
  const right = await readFile(file, 'utf8')
  await edit(file, right.replace('half past three', 'four'))
  await seen(dev, /The kettle is on from four/)
  await edit(file, right.replace('schedule:', 'shedule:'))
  await seen(dev, /plumbline\.yaml:\d+:\d+/)
})
