import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { long } from '../builders/long.ts'
import { startServer } from '../builders/servers/loopback.ts'
import { type Running, runCommand, startCommand } from '../builders/workspaces/command.ts'
import { serveCommand } from '../builders/workspaces/served-command.ts'
import { createRunner, type Words } from './pipeline.ts'

/* examples/fleet: three workspaces in one repository, in the pipelines of docs/ci.md, and its story. */

const addresses = new Map<string, string>()
let target: Awaited<ReturnType<typeof startServer>>
let command: Awaited<ReturnType<typeof serveCommand>>
let dev: Running
let folder: string
let repository: string
let endpoint: Words
let runner: ReturnType<typeof createRunner>

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=mona', '-c', 'user.email=mona@acme.example', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

/** Replaces a text in a file, and commits. */
const change = async (file: string, from: string, to: string): Promise<void> => {
  const path = join(repository, file)
  const text = await readFile(path, 'utf8')
  expect(text).toContain(from)
  await writeFile(path, text.replace(from, to))
  git('commit', '--quiet', '--all', '--message', `${from} becomes ${to}`)
}

const read = (name: string) => readFile(`examples/ci/${name}`, 'utf8')

beforeAll(async () => {
  command = await serveCommand()
  target = await startServer(({ method, url, body }, response) => {
    const name = url.split('/').at(-1) ?? ''
    if (method === 'PUT') addresses.set(name, JSON.parse(body).address)
    const address = addresses.get(name)
    response.writeHead(address === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ name, address, ttl: 3600 }))
  })
  folder = await mkdtemp(join(tmpdir(), 'plumbline-fleet-'))
  await writeFile(join(folder, 'plumbline.yaml'), 'workspace: other\nproviders: {}\nresources: []\n')
  dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  endpoint = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: token }
})

afterAll(async () => {
  dev.child.kill('SIGTERM')
  await dev.ended
  await command[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  repository = await mkdtemp(join(tmpdir(), 'plumbline-fleet-repository-'))
  for (const name of ['shared', 'web', 'mail', 'office', 'ci'])
    await cp(join('examples/fleet', name), join(repository, name), { recursive: true })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  git('commit', '--quiet', '--message', 'three workspaces')
  for (const [n, name] of ['web', 'mail', 'office'].entries())
    addresses.set(`${name}.acme.example`, `192.0.2.${n + 1}0`)
})
afterEach(async () => {
  await runner.end()
  await rm(repository, { recursive: true, force: true })
})

const address = (name: string) => addresses.get(`${name}.acme.example`)

const onGithub = (event: string, more: Words = {}) => {
  runner = createRunner({
    command: command.line,
    repository,
    values: {
      'github.event_name': event,
      'github.server_url': 'https://github.example',
      'github.repository': 'acme/fleet',
      'github.token': 'forge-token',
      'github.event.before': '',
      'github.event.pull_request.number': '12',
      'github.event.pull_request.base.sha': '',
      'vars.PLUMBLINE_ENDPOINT': endpoint['PLUMBLINE_ENDPOINT'] ?? '',
      'secrets.PLUMBLINE_CHECK_TOKEN': endpoint['PLUMBLINE_TOKEN'] ?? '',
      'secrets.PLUMBLINE_APPLY_TOKEN': endpoint['PLUMBLINE_TOKEN'] ?? '',
      ...more,
    },
    variables: {
      PLUMBLINE_VAR_api: target.url,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'acme/fleet',
      GITHUB_RUN_ID: '77',
    },
  })
  return runner
}

describe('the workflow of GitHub Actions for several workspaces', () => {
  const workspaces = (text: string) => [...text.matchAll(/`(web|mail|office)`: /g)].map(([, name]) => name)
  const review = async (base: string) =>
    onGithub('pull_request', { 'github.event.pull_request.base.sha': base }).github(
      await read('github-actions-fleet.yml'),
      'review',
    )

  test('comments once about the workspaces that a branch changes, and about all for a shared file', long, async () => {
    const base = git('rev-parse', 'HEAD')
    git('switch', '--quiet', '--create', 'branch')
    await change('web/plumbline.yaml', '192.0.2.10', '192.0.2.11')
    const one = await review(base)
    expect([one.code, workspaces(one.forge)], one.log).toEqual([0, ['web']])
    expect(one.forge.match(/gh pr comment/g)).toHaveLength(1)
    await runner.end()
    await change('shared/records.provider.yaml', '3600', '7200')
    const all = await review(base)
    expect([all.code, workspaces(all.forge).toSorted()], all.log).toEqual([0, ['mail', 'office', 'web']])
    expect(all.forge.match(/gh pr comment/g)).toHaveLength(1)
    expect(address('web')).toBe('192.0.2.10')
  })

  test('says that nothing changes, and fails where a workspace cannot be checked', long, async () => {
    const base = git('rev-parse', 'HEAD')
    const none = await review(base)
    expect([none.code, none.forge]).toEqual([0, expect.stringContaining('This branch changes no workspace.')])
    await runner.end()
    await change('mail/plumbline.yaml', 'zone_record, name', 'zone_recrod, name')
    const wrong = await review(base)
    expect([wrong.code === 0, wrong.forge]).toEqual([
      false,
      expect.stringContaining('`mail/plumbline.yaml:10:13`: `zone_recrod.main'),
    ])
  })

  test('applies exactly the saved plans of a push after the approval, and the schedule finds drift', long, async () => {
    const workflow = await read('github-actions-fleet.yml')
    const first = onGithub('workflow_dispatch')
    expect((await first.github(workflow, 'plan')).outputs).toEqual({ code: '0' })
    await first.end()
    const before = git('rev-parse', 'HEAD')
    await change('web/plumbline.yaml', '192.0.2.10', '192.0.2.11')
    await change('mail/plumbline.yaml', '192.0.2.20', '192.0.2.21')
    // Drift of a workspace that the push does not change is not in its plan.
    addresses.set('office.acme.example', '203.0.113.66')
    const own = onGithub('push', { 'github.event.before': before })
    const plan = await own.github(workflow, 'plan')
    expect([plan.code, plan.outputs, workspaces(plan.summary).toSorted()], plan.log).toEqual([
      0,
      { code: '2' },
      ['mail', 'web'],
    ])
    // Somebody is faster at one of them: that plan is stale, and the other one is sent.
    addresses.set('mail.acme.example', '203.0.113.9')
    const apply = await own.github(workflow, 'apply', { 'needs.plan.outputs.code': '2' })
    expect([apply.code, ...['mail', 'web', 'office'].map(address)], apply.log).toEqual([
      2,
      '203.0.113.9',
      '192.0.2.11',
      '203.0.113.66',
    ])
    await own.end()
    const drift = await onGithub('schedule').github(workflow, 'drift')
    expect([drift.code, workspaces(drift.summary).toSorted()], drift.log).toEqual([2, ['mail', 'office', 'web']])
    addresses.set('mail.acme.example', '192.0.2.21')
    addresses.set('office.acme.example', '192.0.2.30')
    await runner.end()
    expect((await onGithub('schedule').github(workflow, 'drift')).code).toBe(0)
  })
})

describe('the pipeline of GitLab for several workspaces', () => {
  test('comments, plans and applies what changed, and the schedule finds drift', long, async () => {
    const pipeline = await read('gitlab-ci-fleet.yml')
    // Another origin has stored them before: the first pipeline of a project takes them over once.
    await runCommand(['workspace', 'push', '--all', '--yes', '--claim'], {
      folder: repository,
      variables: { ...endpoint, PLUMBLINE_VAR_api: target.url, PLUMBLINE_ORIGIN: 'https://gitlab.example/acme/fleet' },
    })
    const base = git('rev-parse', 'HEAD')
    await change('web/plumbline.yaml', '192.0.2.10', '192.0.2.12')
    runner = createRunner({
      command: command.line,
      repository,
      values: {},
      variables: {
        PLUMBLINE_VAR_api: target.url,
        CI_PROJECT_URL: 'https://gitlab.example/acme/fleet',
        CI_API_V4_URL: 'https://gitlab.example/api/v4',
        CI_PROJECT_ID: '3',
        CI_MERGE_REQUEST_IID: '12',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        CI_COMMIT_BEFORE_SHA: base,
        CI_PIPELINE_URL: 'https://gitlab.example/acme/fleet/-/pipelines/5',
        GITLAB_USER_LOGIN: 'mona',
        REVIEW_TOKEN: 'forge-token',
      },
    })
    const review = await runner.gitlab(pipeline, 'review')
    expect([review.code, review.forge], review.log).toEqual([
      2,
      expect.stringMatching(/^curl [^\n]*\/projects\/3\/merge_requests\/12\/notes [^\n]*\n### `web`: 1 change/),
    ])
    const plan = await runner.gitlab(pipeline, 'plan', endpoint)
    expect([plan.code, address('web')], plan.log).toEqual([2, '192.0.2.10'])
    const apply = await runner.gitlab(pipeline, 'apply', endpoint)
    expect([apply.code, address('web')], apply.log).toEqual([0, '192.0.2.12'])
    expect((await runner.gitlab(pipeline, 'drift', endpoint)).code).toBe(0)
    addresses.set('office.acme.example', '203.0.113.66')
    const drift = await runner.gitlab(pipeline, 'drift', endpoint)
    expect([drift.code, await drift.file('plumbline.xml')]).toEqual([2, expect.stringContaining('zone_record.main')])
  })
})

test('the script of what changed names a workspace whose file is gone, and all where a file left it', async () => {
  runner = onGithub('push')
  const base = git('rev-parse', 'HEAD')
  const changed = () => execFileSync('sh', ['ci/changed.sh', base], { cwd: repository, encoding: 'utf8' }).split('\n')
  await mkdir(join(repository, 'mail/more'))
  await writeFile(join(repository, 'mail/more/a b.yaml'), 'resources: []\n'.repeat(20))
  git('add', '.')
  git('commit', '--quiet', '--message', 'a file')
  expect(changed()).toContain('mail')
  git('mv', 'mail/more/a b.yaml', 'shared/a.yaml')
  git('commit', '--quiet', '--message', 'shared')
  expect(changed()).toEqual(['mail', 'office', 'web', ''])
})

test('the story of examples/fleet runs as a stranger would run it', long, async () => {
  runner = onGithub('push')
  const copy = join(folder, 'story')
  await cp('examples/fleet', copy, { recursive: true })
  const file = join(folder, 'plumbline')
  await writeFile(file, `#!/bin/sh\n${command.line}\n`, { mode: 0o755 })
  const { PATH = '', TMPDIR = '' } = process.env
  const child = spawn('sh', [join(copy, 'story.sh')], { env: { PATH, TMPDIR, HOME: folder, PLUMBLINE: file } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data))
  const [code] = await once(child, 'close')
  expect(code, said).toBe(0)
  expect(said).toMatch(
    /3 plans are in plans[\s\S]*### `web`: 1 change[\s\S]*203\.0\.113\.66[\s\S]*# drift[\s\S]*mail\noffice\nweb\n$/,
  )
})

test.each(['github-actions-fleet.yml', 'gitlab-ci-fleet.yml'])('docs/ci.md shows %s as it is', async (name) => {
  runner = onGithub('push')
  expect(await readFile('docs/ci.md', 'utf8')).toContain(`\`\`\`yaml\n${await read(name)}\`\`\``)
})
