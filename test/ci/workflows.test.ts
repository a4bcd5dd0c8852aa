import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { long } from '../builders/long.ts'
import { type Running, runCommand, startCommand } from '../builders/workspaces/command.ts'
import { serveCommand } from '../builders/workspaces/served-command.ts'
import { createRunner, type Runner, type Words } from './pipeline.ts'

/** The target: items with a size, as the workflows find and repair them. */
const items = new Map<string, string>()
let target: Server
let dev: Running
let command: Awaited<ReturnType<typeof serveCommand>>
let folder: string
let endpoint: Words
let files: Words
let withSecret: string

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
          pin: { writeOnly: true, sensitive: true }
`

const configuration = (url: string, more = ''): string => `workspace: shelf
providers:
  shelf: { source: rest, definition: ./shelf.provider.yaml, with: { url: ${url} } }
resources:
  - { type: shelf_item, name: cup, spec: { name: cup, size: large${more} } }
`

beforeAll(async () => {
  command = await serveCommand()
  target = createServer(async (request, response) => {
    const name = request.url?.split('/').at(-1) ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method === 'PUT') items.set(name, JSON.parse(Buffer.concat(chunks).toString()).size)
    const size = items.get(name)
    response.writeHead(size === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ name, size }))
  }).listen(0, '127.0.0.1')
  await new Promise((ready) => target.once('listening', ready))
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
  withSecret = configuration(url, ', pin: { secret: "env:SHELF_PIN" }')
  files = { 'plumbline.yaml': configuration(url), 'shelf.provider.yaml': provider }
  folder = await mkdtemp(join(tmpdir(), 'plumbline-ci-endpoint-'))
  await writeFile(join(folder, 'plumbline.yaml'), 'workspace: other\nproviders: {}\nresources: []\n')
  dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, at = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  endpoint = { PLUMBLINE_ENDPOINT: at, PLUMBLINE_TOKEN: token }
})

afterAll(async () => {
  dev.child.kill('SIGTERM')
  await dev.ended
  await command[Symbol.asyncDispose]()
  target.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(() => {
  items.clear()
  items.set('cup', 'small')
})

const read = (name: string) => readFile(`examples/ci/${name}`, 'utf8')

describe('the workflow of GitHub Actions', () => {
  const runner = (event: string, own: Words = files) =>
    startRunner({
      files: own,
      values: {
        'github.event_name': event,
        'github.server_url': 'https://github.example',
        'github.repository': 'acme/shelf',
        'github.token': 'forge-token',
        'github.event.pull_request.number': '12',
        'vars.PLUMBLINE_ENDPOINT': endpoint['PLUMBLINE_ENDPOINT'] ?? '',
        'secrets.PLUMBLINE_CHECK_TOKEN': endpoint['PLUMBLINE_TOKEN'] ?? '',
        'secrets.PLUMBLINE_APPLY_TOKEN': endpoint['PLUMBLINE_TOKEN'] ?? '',
      },
      variables: {
        SHELF_PIN: 'planted-pin',
        GITHUB_SERVER_URL: 'https://github.example',
        GITHUB_REPOSITORY: 'acme/shelf',
        GITHUB_RUN_ID: '77',
      },
    })

  test('a pull request gets the differences as a comment, and nothing is written', long, async () => {
    const { code, forge, summary } = await runner('pull_request').github(await read('github-actions.yml'), 'review')
    expect(code).toBe(0)
    expect(forge).toMatch(
      /^gh pr comment 12 --edit-last --create-if-none --body-file comment\.md\n### `shelf`: 1 change/,
    )
    expect(summary).toContain('shelf_item.cup')
    expect(summary).not.toMatch(/sha256|plumbline apply/)
    expect(items.get('cup')).toBe('small')
  })

  test(
    'a secret that cannot be read back is no change, and the comment says that it was not looked at',
    long,
    async () => {
      items.set('cup', 'large')
      const own = runner('pull_request', { ...files, 'plumbline.yaml': withSecret })
      const { code, forge, log } = await own.github(await read('github-actions.yml'), 'review')
      expect([code, forge]).toEqual([0, expect.stringMatching(/### `shelf`: in sync[\s\S]*`pin`: write-only/)])
      expect(log).toContain('1 passed')
    },
  )

  test.each([
    ['an invalid configuration', { 'plumbline.yaml': 'workspace: shelf\nresources: 7\n' }, 'the check failed'],
    [
      'a target that does not answer',
      { 'plumbline.yaml': configuration('http://127.0.0.1:9') },
      'could not be checked',
    ],
  ])('%s fails the job and is in the comment', async (_, changed, says) => {
    const workflow = await read('github-actions.yml')
    const { code, forge } = await runner('pull_request', { ...files, ...changed }).github(workflow, 'review')
    expect([code === 0, forge]).toEqual([false, expect.stringContaining(says)])
  })

  test(
    'a push plans; the approved job on another machine sends exactly that, with its reason in the ledger',
    long,
    async () => {
      const workflow = await read('github-actions.yml')
      const own = runner('push')
      const plan = await own.github(workflow, 'plan')
      expect([plan.code, plan.outputs, items.get('cup')], plan.log).toEqual([0, { code: '2' }, 'small'])
      const apply = await own.github(workflow, 'apply', { 'needs.plan.outputs.code': plan.outputs['code'] ?? '' })
      expect([apply.code, items.get('cup')], apply.log).toEqual([0, 'large'])
      const { items: applies } = JSON.parse(
        (await runCommand(['ledger', 'list', 'shelf', '--json', '--limit', '200'], { folder, variables: endpoint }))
          .stdout,
      )
      expect(JSON.stringify(applies)).toContain('approved in https://github.example/acme/shelf/actions/runs/77')
      // The same plan a second time: it is stale, and nothing is sent.
      items.set('cup', 'small')
      expect((await own.github(workflow, 'apply', { 'needs.plan.outputs.code': '2' })).code).toBe(2)
      expect(items.get('cup')).toBe('small')
    },
  )
})

describe('the pipeline of GitLab', () => {
  const variables = {
    CI_PROJECT_URL: 'https://gitlab.example/acme/shelf',
    CI_PIPELINE_URL: 'https://gitlab.example/acme/shelf/-/pipelines/5',
    GITLAB_USER_LOGIN: 'mona',
  }
  const runner = () => startRunner({ files, values: {}, variables })

  test('a merge request gets a report of tests, and ends with the code that the job may have', async () => {
    const { code, file } = await runner().gitlab(await read('gitlab-ci.yml'), 'review')
    expect([code, await file('plumbline.xml')]).toEqual([2, expect.stringContaining('name="shelf_item.cup"')])
  })

  test('the job by hand sends what the plan says', long, async () => {
    const pipeline = await read('gitlab-ci.yml')
    const own = runner()
    // Another origin has stored it before: the first pipeline of a project takes it over once.
    await runCommand(['workspace', 'remove', 'shelf', '--reason', 'another pipeline'], { folder, variables: endpoint })
    await runCommand(['workspace', 'push', '.', '--yes', '--reuse', '--reason', 'moved'], {
      folder: await writeFiles(),
      variables: { ...endpoint, PLUMBLINE_ORIGIN: variables.CI_PROJECT_URL },
    })
    const plan = await own.gitlab(pipeline, 'plan', endpoint)
    expect([plan.code, items.get('cup')], plan.log).toEqual([2, 'small'])
    const apply = await own.gitlab(pipeline, 'apply', endpoint)
    expect([apply.code, items.get('cup')], apply.log).toEqual([0, 'large'])
  })
})

/** Runners of this test; their checkouts are removed at its end. */
const runners: ReturnType<typeof createRunner>[] = []
const startRunner = (options: Omit<Runner, 'command'>) => {
  const made = createRunner({ ...options, command: command.line })
  runners.push(made)
  return made
}
afterEach(async () => {
  for (const made of runners.splice(0)) await made.end()
})

const writeFiles = async (): Promise<string> => {
  const made = join(folder, 'pushed')
  await mkdir(made, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(made, name), text)
  return made
}

test.each(['github-actions.yml', 'gitlab-ci.yml'])('docs/ci.md shows %s as it is', async (name) => {
  expect(await readFile('docs/ci.md', 'utf8')).toContain(`\`\`\`yaml\n${await read(name)}\`\`\``)
})
