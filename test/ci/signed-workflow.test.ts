import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../infra/settings.ts'
import { settings } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'
import { type Heard, startServer } from '../builders/servers/loopback.ts'
import { startMachinesDoor } from '../builders/servers/machines-door.ts'
import { type Running, runCommand, startCommand } from '../builders/workspaces/command.ts'
import { serveCommand } from '../builders/workspaces/served-command.ts'
import { createRunner } from './pipeline.ts'

const workflow = () => readFile('examples/ci/github-actions-aws.yml', 'utf8')

const provider = `provider:
  id: shelf
  baseUrl: "{with.url}"
  with: { url: { description: Of the shelf. } }
  reads: { absent: [404] }
resources:
  shelf_item:
    operations:
      retrieve: { method: GET, path: "/items/{name}" }
      create: { method: PUT, path: "/items/{name}" }
      update: { method: PUT, path: "/items/{name}" }
      delete: { method: DELETE, path: "/items/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: object }
        attributes:
          name: { required: true, in: path }
          size: { required: true }
`

let size = 'small'
let target: Awaited<ReturnType<typeof startServer>>
let dev: Running
let door: Awaited<ReturnType<typeof startMachinesDoor>>
let command: Awaited<ReturnType<typeof serveCommand>>
let folder: string
let runner: ReturnType<typeof createRunner> | undefined
let files: Readonly<Record<string, string>>

const key = {
  id: 'ASIAPLANTEDKEYIDWXYZ',
  secret: 'planted-secret',
  sessionToken: 'planted-session',
  region: 'eu-central-1',
}

/** The function behind the authorizer: `plumbline dev`, which takes a token. */
const passOn = (url: string, token: string) => async (heard: Heard, response: ServerResponse) => {
  const names = ['accept', 'content-type', 'idempotency-key'].filter((name) => heard.headers[name] !== undefined)
  const headers = Object.fromEntries(names.map((name) => [name, String(heard.headers[name])]))
  const answer = await fetch(`${url}${heard.url}`, {
    method: heard.method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: heard.body === '' ? null : heard.body,
  })
  const link = answer.headers.get('link')
  response.writeHead(answer.status, link === null ? {} : { link }).end(await answer.text())
}

beforeAll(async () => {
  command = await serveCommand()
  target = await startServer(({ method, body }, response) => {
    if (method === 'PUT') size = JSON.parse(body).size
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ name: 'cup', size }))
  })
  files = {
    'plumbline.yaml': `workspace: shelf
providers:
  shelf: { source: rest, definition: ./shelf.provider.yaml, with: { url: ${target.url} } }
resources:
  - { type: shelf_item, name: cup, spec: { name: cup, size: large } }
`,
    'shelf.provider.yaml': provider,
  }
  folder = await mkdtemp(join(tmpdir(), 'plumbline-ci-signed-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  door = await startMachinesDoor(key, passOn(url, token))
})

afterAll(async () => {
  await runner?.end()
  dev.child.kill('SIGTERM')
  await dev.ended
  for (const each of [door, target, command]) await each[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const aws = {
  AWS_ACCESS_KEY_ID: key.id,
  AWS_SECRET_ACCESS_KEY: key.secret,
  AWS_SESSION_TOKEN: key.sessionToken,
  AWS_REGION: key.region,
}

const callsOf = (heard: readonly Heard[]) => [
  ...new Set(heard.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url.split('?')[0]}`)),
]

describe('the workflow of GitHub Actions with roles of AWS', () => {
  test('plans with rights to check, and applies exactly that with rights to apply', long, async () => {
    runner = createRunner({
      command: command.line,
      files,
      values: { 'vars.PLUMBLINE_MACHINE_ENDPOINT': door.url },
      variables: {
        ...aws,
        GITHUB_SERVER_URL: 'https://github.example',
        GITHUB_REPOSITORY: 'acme/shelf',
        GITHUB_RUN_ID: '77',
      },
    })
    const plan = await runner.github(await workflow(), 'plan')
    expect([plan.code, plan.outputs, size, door.refused], plan.log).toEqual([0, { code: '2' }, 'small', []])
    expect(plan.summary).toContain('shelf_item.cup')
    expect(callsOf(door.passed.splice(0))).toEqual(['POST /v1/workspaces/shelf/check'])
    const apply = await runner.github(await workflow(), 'apply', { 'needs.plan.outputs.code': '2' })
    expect([apply.code, size, door.refused], apply.log).toEqual([0, 'large', []])
    expect(callsOf(door.passed)).toEqual(['POST /v1/workspaces/shelf/apply'])
    expect(`${plan.log}${apply.log}${plan.summary}`).not.toMatch(/planted|ASIA/i)
    const ledger = ['ledger', 'list', 'shelf', '--json', '--endpoint', door.url, '--sign', 'aws', '--limit', '200']
    const { stdout } = await runCommand(ledger, { folder, variables: aws })
    expect(stdout).toContain('approved in https://github.example/acme/shelf/actions/runs/77')
  })

  test('is in docs/ci.md as it is, with settings that a deployment takes', async () => {
    const page = await readFile('docs/ci.md', 'utf8')
    expect(page).toContain(`\`\`\`yaml\n${await workflow()}\`\`\``)
    const { machines } = JSON.parse(/^ {3}\{\n {5}"machines"[\s\S]*?^ {3}\}$/m.exec(page)?.[0] ?? '{}')
    const { node } = new App({ context: { plumbline: { ...settings, machines } } })
    expect(Object.keys(readSettings(node).machines ?? {})).toHaveLength(2)
  })
})
