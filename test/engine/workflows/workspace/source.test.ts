import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { findWorkspace, loadBundle } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { pullSource } from '../../../../core/engine/workflows/source/pull-source.ts'
import { removeSource, setSource } from '../../../../core/engine/workflows/source/source.ts'
import { receiveWebhook } from '../../../../core/engine/workflows/source/webhook.ts'
import { pauseWorkspace } from '../../../../core/engine/workflows/workspace/manage-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { rollbackWorkspace, workspaceHistory } from '../../../../core/engine/workflows/workspace/versions/versions.ts'
import { storeSource } from '../../../../functions/adapters/store-source.ts'
import { eachOf } from '../../../builders/long.ts'
import { githubStandin } from '../../../builders/servers/github-standin.ts'
import { readable } from '../../../builders/values/readable-writes.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const workspace = 'acme'
const token = 'ghp_canary_of_the_token'
const hookSecret = 'canary-of-the-webhook'
let github: Awaited<ReturnType<typeof githubStandin>>
let world: ReturnType<typeof testDeps>
let folder: ReturnType<typeof temporaryFolder>

const text = (content: string) =>
  `workspace: acme\nschedule: rate(15 minutes)\nproviders:\n  files: { source: host, with: { root: ${folder.path} } }\nresources:\n  - { type: host_file, name: a, spec: { path: a, content: ${JSON.stringify(content)} } }\n`
const one = (content: string) => ({ 'plumbline.yaml': text(content) })
const set = (more: object = {}) =>
  setSource(
    {
      workspace,
      actor,
      source: {
        github: {
          repository: 'acme/config',
          ref: 'main',
          token: { secret: 'env:TOKEN' },
          webhookSecret: { secret: 'env:HOOK' },
          apiUrl: github.url,
          ...more,
        },
      },
    },
    world.deps,
  )
const check = async () => (await checkWorkspace({ workspace, trigger: 'cli', actor, pull: pullSource }, world.deps)).run
const history = async () => (await workspaceHistory({ workspace, limit: 50 }, world.deps)).items
const asked = () => github.requests.splice(0).length

beforeEach(async () => {
  folder = temporaryFolder()
  writeFileSync(join(folder.path, 'a'), '1')
  github = await githubStandin({ token })
  world = testDeps()
  Object.assign(world.deps, { config: storeSource(world.deps.store) })
  world.secrets['env:TOKEN'] = token
  world.secrets['env:HOOK'] = hookSecret
})
afterEach(async () => {
  folder.remove()
  await github.close()
})

describe('a configuration from a Git repository', () => {
  it('is read at the ref before a check; run, version and alert name the commit', async () => {
    writeFileSync(join(folder.path, 'a'), 'changed outside')
    const commit = github.push({ ...one('1'), 'README.md': 'not read' })
    await set()
    const run = await check()
    expect(run).toMatchObject({ configurationVersion: 2, commit })
    expect(run.status).not.toBe('failed')
    expect(await history()).toMatchObject([
      { version: 2, commit, by: { subject: 'github:acme/config@main' } },
      { version: 1, by: actor },
    ])
    expect(world.alerts).toMatchObject([{ commit, configurationVersion: 2 }])
    expect(await loadBundle(world.deps.store, workspace)).toEqual(yaml(text('1')))
    // Ref, commit, tree, and the one file that the configuration names.
    expect(asked()).toBe(4)
  })

  it('costs one request as long as the commit stays', async () => {
    const commit = github.push(one('1'))
    await set()
    await check()
    asked()
    for (let n = 0; n < 3; n += 1) expect(await check()).toMatchObject({ commit, configurationVersion: 2 })
    expect(github.requests.map(({ status }) => status)).toEqual([304, 304, 304])
  })

  it('makes no version for a commit that changes something else, and names that commit', async () => {
    github.push(one('1'))
    await set()
    await check()
    const second = github.push({ ...one('1'), 'other.txt': 'x' })
    expect(await check()).toMatchObject({ commit: second, configurationVersion: 2 })
    expect(await history()).toHaveLength(2)
  })

  it('reads a folder with the files that the configuration names, by patterns too', async () => {
    const files = {
      'plumbline.yaml': 'workspace: other\nproviders: {}\nresources: []\n',
      'ws/dns/plumbline.yaml': `${text('1')}include: [more/*.yaml]\n`,
      'ws/dns/more/b.yaml': 'resources:\n  - { type: host_file, name: b, spec: { path: b, content: x } }\n',
      'ws/dns/unused.yaml': 'x: y',
    }
    github.push(files)
    await set({ path: 'ws/dns' })
    expect((await check()).error).toBeUndefined()
    const { files: stored } = await loadBundle(world.deps.store, workspace)
    expect(Object.keys(stored).sort()).toEqual(['more/b.yaml', 'plumbline.yaml'])
  })

  it('reads what is above the folder from the whole repository, and refuses what is outside', async () => {
    const files = {
      'ws/dns/plumbline.yaml': `${text('1')}include: ["../../shared/*.yaml", ../b.yaml]\n`,
      'ws/b.yaml': 'resources:\n  - { type: host_file, name: b, spec: { path: b, content: x } }\n',
      'shared/c.yaml': 'resources:\n  - { type: host_file, name: c, spec: { path: c, content: x } }\n',
      'shared/unused.txt': 'x',
    }
    github.push(files)
    await set({ path: 'ws/dns' })
    expect((await check()).error).toBeUndefined()
    const { files: stored } = await loadBundle(world.deps.store, workspace)
    expect(Object.keys(stored).sort()).toEqual(['^/^/shared/c.yaml', '^/b.yaml', 'plumbline.yaml'])
    github.push({
      ...files,
      'ws/dns/plumbline.yaml': `${text('1')}include: ["../../../x.yaml", "../../../y/*.yaml"]\n`,
    })
    expect((await check()).error?.message).toContain(
      'ws/dns/plumbline.yaml:7:11: ../../../x.yaml is outside the repository',
    )
  })

  it.each([
    ['refs/heads/main', 'main'],
    ['feature/x', 'feature/x'],
  ])('reads the ref %s', async (ref, pushed) => {
    const commit = github.push(one('1'), pushed)
    await set({ ref })
    expect(await check()).toMatchObject({ commit })
  })

  it('is due once by its own schedule after a pull', async () => {
    github.push(one('1'))
    await set()
    await check()
    const stored = await findWorkspace(world.deps.store, workspace)
    expect(stored?.nextCheckAt).toBe('2026-11-21T06:15:00.000Z')
    expect(stored).toMatchObject({ schedule: 'rate(15 minutes)' })
  })
})

describe('a source that cannot be read', () => {
  const failing: Readonly<Record<string, readonly [fault: () => void, code: string, detail: RegExp]>> = {
    'a token that is refused': [
      () => void Object.assign(world.secrets, { 'env:TOKEN': 'ghp_other_canary' }),
      'SOURCE_UNREADABLE',
      /401/,
    ],
    'a token that is not set': [() => void delete world.secrets['env:TOKEN'], 'SOURCE_UNREADABLE', /env:TOKEN/],
    'a ref that is gone': [() => github.deleteRef('main'), 'SOURCE_UNREADABLE', /no ref main/],
    'a rate limit': [
      () => github.faults.push(() => ({ status: 403, headers: { 'x-ratelimit-remaining': '0' }, body: {} })),
      'SOURCE_UNREADABLE',
      /rate limit/,
    ],
    'an empty repository': [() => github.faults.push(() => ({ status: 409, body: {} })), 'SOURCE_UNREADABLE', /empty/],
    'a server error': [() => github.faults.push(() => ({ status: 500, body: {} })), 'SOURCE_UNREADABLE', /500/],
    'a redirect': [
      () => github.faults.push(() => ({ status: 301, headers: { location: 'http://127.0.0.1:1/' } })),
      'SOURCE_UNREADABLE',
      /moved or renamed \(301\)/,
    ],
    'a repository that was moved to another owner': [
      () => {
        github.push(one('2'))
        github.faults.push((path) =>
          path.includes('?moved') ? undefined : { status: 301, headers: { location: `${path}?moved` } },
        )
      },
      'SOURCE_UNREADABLE',
      /moved or renamed \(301\)/,
    ],
    'a page instead of an answer': [
      () => github.faults.push(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' })),
      'SOURCE_UNREADABLE',
      /documented form/,
    ],
    'a tree that is cut': [
      () => {
        github.push({ ...one('2'), 'a.txt': '', 'b.txt': '' })
        github.limitTrees(2)
      },
      'SOURCE_UNREADABLE',
      /cut the list/,
    ],
    'an ETag that is the token': [
      () =>
        github.faults.push((path) =>
          path.includes('/commits/main')
            ? { status: 200, headers: { etag: `"${token}"`, 'content-type': 'text/plain' }, body: '1'.repeat(40) }
            : undefined,
        ),
      'SOURCE_UNREADABLE',
      /the ETag of the commit repeats the token/,
    ],
    'a comment that is the token': [
      () => github.push({ 'plumbline.yaml': `${text('2')}# ${token}\n` }),
      'SOURCE_UNREADABLE',
      /plumbline.yaml repeats the token/,
    ],
    'a comment that is the token in another spelling': [
      () => github.push({ 'plumbline.yaml': `${text('2')}# ${Buffer.from(`x-token:${token}`).toString('base64')}\n` }),
      'SOURCE_UNREADABLE',
      /plumbline.yaml repeats the token/,
    ],
    'a file name that is the token': [
      () => github.push({ ...one('2'), [`${token}.yaml`]: '' }),
      'SOURCE_UNREADABLE',
      /the list of files repeats the token/,
    ],
    'a file that fails': [
      () => {
        github.push(one('2'))
        github.faults.push((path) => (path.includes('/blobs/') ? { status: 502, body: {} } : undefined))
      },
      'SOURCE_UNREADABLE',
      /502/,
    ],
    'a file that is damaged': [
      () => {
        github.push(one('2'))
        github.damage(text('2'), text('3'))
      },
      'SOURCE_UNREADABLE',
      /content of plumbline.yaml/,
    ],
    'a commit without a configuration': [() => github.push({ 'x.txt': '' }), 'SOURCE_INVALID', /no plumbline.yaml/],
    'a commit with two entries': [
      () => github.push({ ...one('2'), 'plumbline.json': '{}' }),
      'SOURCE_INVALID',
      /several entry files/,
    ],
    'an entry in Jsonnet': [() => github.push({ 'plumbline.jsonnet': '{}' }), 'SOURCE_INVALID', /Jsonnet/],
    'an entry that is a link': [
      () => github.push({ 'plumbline.yaml': { link: '/etc/passwd' } }),
      'SOURCE_INVALID',
      /symbolic link/,
    ],
    'a file of another encoding': [
      () => github.push({ 'plumbline.yaml': new Uint8Array([0xff, 0xfe, 0x41]) }),
      'SOURCE_INVALID',
      /not UTF-8/,
    ],
    'a file that is too large': [
      () => github.push({ 'plumbline.yaml': `${text('2')}#${'x'.repeat(1_000_001)}` }),
      'SOURCE_INVALID',
      /larger than 1000000/,
    ],
    'a file below a submodule': [
      () => github.push({ 'plumbline.yaml': `${text('2')}include: [lib/a.yaml]\n`, lib: { submodule: true } }),
      'SOURCE_INVALID',
      /plumbline.yaml:7:\d+: .*submodule/,
    ],
    'a file below a link': [
      () => github.push({ 'plumbline.yaml': `${text('2')}include: [lib/a.yaml]\n`, lib: { link: '..' } }),
      'SOURCE_INVALID',
      /symbolic link/,
    ],
    'a file outside the folder': [
      () => github.push({ 'plumbline.yaml': `${text('2')}include: [../a.yaml]\n` }),
      'SOURCE_INVALID',
      /outside/,
    ],
    'a configuration that is not valid': [
      () => github.push({ 'plumbline.yaml': `${text('2')}ressources: []\n` }),
      'SOURCE_INVALID',
      /plumbline.yaml:7:1: /,
    ],
    'another workspace': [
      () => github.push({ 'plumbline.yaml': text('2').replace('acme', 'other') }),
      'SOURCE_INVALID',
      /names the workspace "other"/,
    ],
  }

  eachOf(it, 15)(Object.keys(failing))('fails the run, and keeps the version: %s', async (name) => {
    const [fault, code, detail] = failing[name] as (typeof failing)[string]
    const commit = github.push(one('1'))
    await set()
    await check()
    world.alerts.splice(0)
    fault()
    for (let n = 0; n < 2; n += 1) {
      const run = await check()
      expect(run).toMatchObject({ status: 'failed', error: { code }, configurationVersion: 2, commit })
      expect(run.error?.message).toMatch(detail)
      expect(run.error?.message).toContain(`version 2 of commit ${commit.slice(0, 12)} is still stored`)
      expect(run.error?.message).not.toContain('canary')
    }
    expect(await history()).toHaveLength(2)
    expect(await loadBundle(world.deps.store, workspace)).toEqual(yaml(text('1')))
    expect(world.alerts).toMatchObject([{ about: 'unchecked', kind: 'opened' }])
  })

  it('reads an invalid commit once, and says the same of it again for one request', async () => {
    github.push(one('1'))
    await set()
    await check()
    github.push({ 'plumbline.yaml': 'workspace: [' })
    const first = await check()
    expect(first).toMatchObject({ status: 'failed', error: { code: 'SOURCE_INVALID' } })
    asked()
    for (let n = 0; n < 3; n += 1) {
      const again = await check()
      expect(again.error).toEqual(first.error)
    }
    expect(github.requests.map(({ status }) => status)).toEqual([304, 304, 304])
    github.push({ 'plumbline.yaml': 'workspace: {' })
    expect((await check()).error?.message).not.toBe(first.error?.message)
    const back = github.push(one('1'))
    expect(await check()).toMatchObject({ commit: back, configurationVersion: 2 })
  })

  it('recovers with the commit that corrects it', async () => {
    github.push({ 'plumbline.yaml': 'workspace: [' })
    await set()
    expect(await check()).toMatchObject({ status: 'failed', error: { code: 'SOURCE_INVALID' } })
    const commit = github.push(one('1'))
    expect(await check()).toMatchObject({ commit })
  })

  it('never lets a new workspace be in sync before it was read', async () => {
    await set()
    expect(await check()).toMatchObject({ status: 'failed' })
  })
})

describe('a workspace with a source', () => {
  it('takes no push and no rollback until the source is removed', async () => {
    await putWorkspace({ bundle: yaml(text('0')), actor }, world.deps)
    github.push(one('1'))
    await set()
    await check()
    const put = () => putWorkspace({ bundle: yaml(text('9')), actor }, world.deps)
    const back = () => rollbackWorkspace({ workspace, version: 1, reason: 'x', actor }, world.deps)
    await expect(put()).rejects.toMatchObject({ code: 'WORKSPACE_SOURCED' })
    await expect(back()).rejects.toMatchObject({ code: 'WORKSPACE_SOURCED' })
    await removeSource({ workspace, actor }, world.deps)
    const [entry] = (await Array.fromAsync(readLedger(world.deps.store, workspace))).slice(-1)
    expect(entry).toMatchObject({ kind: 'source_removed', actor, reason: 'github:acme/config@main' })
    expect(await back()).toMatchObject({ configurationVersion: 3 })
    asked()
    await check()
    expect(asked()).toBe(0)
  })

  it('follows the repository, also where a folder of this machine has the same workspace', async () => {
    const commit = github.push(one('1'))
    await set()
    const config = { load: async () => ({ ...yaml(text('9')), folder: '/there' }), folder: async () => '/there' }
    Object.assign(world.deps, { config })
    expect(await check()).toMatchObject({ status: 'in_sync', commit, configurationVersion: 2 })
  })

  it('reads again after another source was set', async () => {
    github.push(one('1'))
    const other = github.push(one('2'), 'next')
    await set()
    await check()
    await set({ ref: 'next' })
    expect(await check()).toMatchObject({ commit: other })
  })

  it('may name only its own secrets, and for the webhook only one that the API may read', async () => {
    const rules = { kinds: ['ssm'], names: ['plumbline/{workspace}/*'] } as const
    const deps = { ...world.deps, secretRules: rules }
    const wish = (token: string, webhookSecret: string) =>
      setSource(
        {
          workspace,
          actor,
          source: {
            github: {
              repository: 'acme/config',
              ref: 'main',
              token: { secret: token },
              webhookSecret: { secret: webhookSecret },
            },
          },
        },
        deps,
      )
    await expect(wish('ssm:/plumbline/other/token', 'ssm:/plumbline/acme/token')).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      payload: { problems: [expect.stringContaining('token'), expect.stringContaining('`webhook`')] },
    })
    await expect(wish('ssm:/plumbline/acme/token', 'ssm:/plumbline/acme/webhook')).resolves.toBeDefined()
  })

  it('stores neither the token nor the secret', async () => {
    github.push(one('1'))
    await set()
    await check()
    github.push({ 'plumbline.yaml': `${text('1')}# ${token}\n` })
    await check()
    github.faults.push(() => ({ status: 500, body: { echo: token } }))
    await check()
    const items = await Promise.all(
      [keys.workspace(workspace).pk, 'DIR'].map((pk) => world.deps.store.query({ pk, limit: 500 })),
    )
    const all = JSON.stringify(readable([items, world.alerts, world.warnings]))
    expect(all).toContain('env:TOKEN')
    expect(all).not.toContain('canary')
  })
})

describe('a webhook delivery', () => {
  const push = (ref = 'refs/heads/main', repository = 'acme/config') =>
    JSON.stringify({ ref, after: '0'.repeat(40), repository: { full_name: repository } })
  const sign = (body: string, secret = hookSecret) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const receive = (body: string, signature: string | undefined = sign(body)) =>
    receiveWebhook({ workspace, body, signature }, world.deps)

  beforeEach(() => set())

  it('requests a check for a push to the ref', async () => {
    expect(await receive(push())).toBe('queued')
    expect(world.queued.check).toMatchObject([{ workspace, actor: { subject: 'github:acme/config', via: 'webhook' } }])
  })

  it.each([
    ['no signature', push(), ''],
    ['another secret', push(), sign(push(), 'other')],
    ['another body', push(), sign('x')],
    ['upper case', push(), sign(push()).toUpperCase()],
    ['SHA-1', push(), `sha1=${createHmac('sha1', hookSecret).update(push()).digest('hex')}`],
    ['a longer one', push(), `${sign(push())}00`],
    ['a text that is no JSON', '{', 'sha256=00'],
  ])('is refused with %s', async (_, body, signature) => {
    await expect(receive(body, signature)).rejects.toMatchObject({ code: 'WEBHOOK_REFUSED', status: 401 })
    expect(world.queued.check).toEqual([])
  })

  it('means nothing if it names the repository twice', async () => {
    const twice = push().replace('{', '{"repository":{"full_name":"acme/other"},')
    expect(await receive(twice)).toBe('ignored')
    expect(world.queued.check).toEqual([])
  })

  it('is refused in the same words where there is no workspace, no source and no secret', async () => {
    const body = push()
    const other = receiveWebhook({ workspace: 'none', body, signature: sign(body) }, world.deps).catch((error) => error)
    await setSource({ workspace, actor, source: { github: { repository: 'acme/config', ref: 'main' } } }, world.deps)
    const none = receive(body).catch((error) => error)
    expect([(await other).code, (await other).message]).toEqual([(await none).code, (await none).message])
  })

  it.each([
    ['another branch', push('refs/heads/next')],
    ['another repository', push('refs/heads/main', 'acme/other')],
    ['another event', '{"zen":"Design for failure."}'],
    ['a text that is no JSON', 'nothing'],
  ])('ignores %s', async (_, body) => {
    expect(await receive(body)).toBe('ignored')
    expect(world.queued.check).toEqual([])
  })

  it('requests nothing if it came before, and no second check while one is pending', async () => {
    expect(await receive(push())).toBe('queued')
    expect(await receive(push())).toBe('ignored')
    expect(await receive(push().replace('{', '{ '))).toBe('pending')
    expect(world.queued.check).toHaveLength(1)
  })

  it('during a check makes another one follow at once', async () => {
    github.push(one('1'))
    expect(await receive(push())).toBe('queued')
    const [message] = world.queued.check
    const scheduledFor = message?.scheduledFor ?? ''
    const begun = { workspace, trigger: 'schedule', actor, scheduledFor } as const
    // The push comes when the check has read the source.
    const pull = async (id: string, deps: Parameters<typeof pullSource>[1]) => {
      await pullSource(id, deps)
      github.push(one('2'))
      world.clock.forward(1_000)
      expect(await receive(push().replace('{', '{ '))).toBe('pending')
      world.clock.forward(1_000)
    }
    const { run } = await checkWorkspace({ ...begun, pull }, world.deps)
    expect(await findWorkspace(world.deps.store, workspace)).toMatchObject({ nextCheckAt: run.finishedAt })
    expect((await findWorkspace(world.deps.store, workspace))?.pendingCheck).toBeUndefined()
  })

  it('before its check begins is covered by that check', async () => {
    github.push(one('1'))
    expect(await receive(push())).toBe('queued')
    world.clock.forward(1_000)
    expect(await receive(push().replace('{', '{ '))).toBe('pending')
    world.clock.forward(1_000)
    const scheduledFor = world.queued.check[0]?.scheduledFor ?? ''
    const { run } = await checkWorkspace(
      { workspace, trigger: 'schedule', actor, scheduledFor, pull: pullSource },
      world.deps,
    )
    const stored = await findWorkspace(world.deps.store, workspace)
    expect((stored?.nextCheckAt ?? '') > run.finishedAt).toBe(true)
  })

  it('can be delivered again if the check could not be queued', async () => {
    const { queue } = world.deps
    const broken = { ...queue, checks: async () => Promise.reject(new Error('down')) }
    const body = push()
    await expect(
      receiveWebhook({ workspace, body, signature: sign(body) }, { ...world.deps, queue: broken }),
    ).rejects.toThrow()
    expect(await receive(body)).toBe('queued')
  })

  it('does not check a paused workspace', async () => {
    await pauseWorkspace({ workspace, actor, reason: 'x' }, world.deps)
    expect(await receive(push())).toBe('ignored')
  })

  it('reveals nothing of the secret if it cannot be read', async () => {
    delete world.secrets['env:HOOK']
    await expect(receive(push())).rejects.toMatchObject({
      code: 'WEBHOOK_UNAVAILABLE',
      message: expect.not.stringContaining('HOOK'),
    })
  })
})
