import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { long } from '../../builders/long.ts'
import { runCommand, startCommand } from '../../builders/workspaces/command.ts'

const canary = 'T0CANARY'
let folder: string
let heard: { readonly kind: string; readonly episodeId: string }[] = []
let status = 204
const server = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  if (status < 300) heard.push(JSON.parse(text))
  response.writeHead(status).end()
})

const configuration = `workspace: kitchen
providers:
  host: { source: host, with: { root: ./machine } }
resources:
  - { type: host_file, name: menu, spec: { path: menu, content: "Soup" } }
alerts:
  routes:
    - { kind: webhook, url: { secret: "env:HOOK_URL" }, key: { secret: "env:HOOK_KEY" } }
`
const serve = (text: string) => writeFile(join(folder, 'machine', 'menu'), text)

beforeEach(async () => {
  heard = []
  status = 204
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  folder = await mkdtemp(join(tmpdir(), 'plumbline-routes-'))
  await writeFile(join(folder, 'plumbline.yaml'), configuration)
  await mkdir(join(folder, 'machine'))
  await serve('Tea')
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

const variables = () => ({
  HOOK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${canary}`,
  HOOK_KEY: `key-${canary}`,
})
const check = (...more: readonly string[]) => runCommand(['check', ...more], { folder, variables: variables() })

/** Everything that was stored, as text. */
const stored = async (): Promise<string> => {
  const files = await readdir(join(folder, '.plumbline'), { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

test('a check on a machine sends the beginning and the end of an episode to the routes of its workspace, each once', async () => {
  await check()
  await check()
  await serve('Soup')
  expect((await check()).code).toBe(0)
  expect(heard.map(({ kind }) => kind)).toEqual(['opened', 'resolved'])
  expect(new Set(heard.map(({ episodeId }) => episodeId)).size).toBe(1)
  expect(await stored()).not.toContain(canary)
})

test('a receiver that refuses does not fail the check, is told of, and its address is written nowhere', async () => {
  status = 410
  const { code, stdout, stderr } = await check()
  expect(code).toBe(2)
  expect(stderr).toContain('the alert was not sent to webhook (env:HOOK_URL): status 410')
  expect(stdout + stderr + (await stored())).not.toContain(canary)
  const unset = await runCommand(['check'], { folder })
  expect(unset.code).toBe(2)
})

test('a check that keeps nothing sends nothing: it would begin an episode each time', async () => {
  expect((await check('--store', 'memory')).code).toBe(2)
  expect(heard).toEqual([])
})

test('dev sends what a receiver that was away has missed, as soon as it is back', long, async () => {
  status = 503
  const dev = await startCommand(['dev', '--every', '0', '--port', '0'], { folder, variables: variables() })
  await dev.says(/the alert was not sent to webhook \(env:HOOK_URL\): status 503/)
  status = 204
  for (let n = 0; heard.length === 0 && n < 200; n += 1) await new Promise((resolve) => setTimeout(resolve, 100))
  dev.child.kill('SIGINT')
  const { stdout, stderr } = await dev.ended
  expect(heard.map(({ kind }) => kind)).toEqual(['opened'])
  expect(stdout + stderr + (await stored())).not.toContain(canary)
})
