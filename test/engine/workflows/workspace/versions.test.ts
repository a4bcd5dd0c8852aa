import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { findWorkspace, loadBundle } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import {
  diffVersions,
  rollbackWorkspace,
  workspaceHistory,
} from '../../../../core/engine/workflows/workspace/versions/versions.ts'
import { storeSource } from '../../../../functions/adapters/store-source.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const workspace = 'acme'
let world: ReturnType<typeof testDeps>

/** A workspace of files, by name and content. */
const filesOf = (contents: Readonly<Record<string, string>>, head = '') =>
  yaml(
    `workspace: acme\n${head}providers:\n  files: { source: host, with: { root: /nowhere } }\nresources:\n${Object.entries(
      contents,
    )
      .map(
        ([name, content]) =>
          `  - { type: host_file, name: ${name}, spec: { path: ${name}, content: ${JSON.stringify(content)} } }\n`,
      )
      .join('')}  - { type: host_file, name: last, spec: { path: last, content: x } }\n`,
  )
const put = (contents: Readonly<Record<string, string>>, who = actor) =>
  putWorkspace({ bundle: filesOf(contents), actor: who }, world.deps)
const history = async () => (await workspaceHistory({ workspace, limit: 200 }, world.deps)).items
const diff = (from: number, to: number) => diffVersions({ workspace, from, to }, world.deps)
const rollback = (version: number, more: { expected?: number } = {}) =>
  rollbackWorkspace({ workspace, version, reason: 'it was better', actor, ...more }, world.deps)
const blobs = async () =>
  (await world.deps.store.query({ pk: keys.workspace(workspace).pk, prefix: 'BLOB#', limit: 500 })).items

beforeEach(() => {
  world = testDeps()
})

describe('the list of versions of a configuration', () => {
  it('says when, by whom, with which digest, and what changed', async () => {
    await put({ a: '1', b: '1' })
    world.clock.forward(60_000)
    const { configurationDigest: digest } = await put({ b: '2', c: '1' }, { subject: 'ada', via: 'api' } as never)
    expect(await history()).toEqual([
      {
        version: 2,
        at: '2026-11-21T06:01:00.000Z',
        by: { subject: 'ada', via: 'api' },
        digest,
        changes: { resources: { added: 1, removed: 1, changed: 1 }, files: { added: 0, removed: 0, changed: 1 } },
      },
      expect.objectContaining({
        version: 1,
        changes: { resources: { added: 3, removed: 0, changed: 0 }, files: { added: 1, removed: 0, changed: 0 } },
      }),
    ])
  })

  it('comes page by page', async () => {
    for (const content of ['1', '2', '3', '4', '5']) await put({ a: content })
    const first = await workspaceHistory({ workspace, limit: 2 }, world.deps)
    expect(first.items.map(({ version }) => version)).toEqual([5, 4])
    const rest = await workspaceHistory({ workspace, limit: 9, after: String(first.next) }, world.deps)
    expect(rest.items.map(({ version }) => version)).toEqual([3, 2, 1])
  })

  it('gets no new one for the same content, whoever stores it', async () => {
    await put({ a: '1' })
    await put({ a: '1' }, { subject: 'bob', via: 'cli' } as never)
    expect(await history()).toMatchObject([{ version: 1, by: actor }])
  })

  it('compares resources by address and texts as unified diffs', async () => {
    await put({ a: '1', b: '1' })
    await put({ b: '2', c: '1' })
    const { resources, files, from, to } = await diff(1, 2)
    expect([from.version, to.version]).toEqual([1, 2])
    expect(resources).toEqual([
      { address: 'host_file.a', kind: 'removed' },
      { address: 'host_file.b', kind: 'changed' },
      { address: 'host_file.c', kind: 'added' },
    ])
    expect(files).toEqual([
      { file: 'plumbline.yaml', kind: 'changed', diff: expect.stringMatching(/^--- a\/plumbline.yaml\n/) },
    ])
    expect(files[0]?.diff).toContain('-  - { type: host_file, name: a,')
    expect(files[0]?.diff).toContain('+  - { type: host_file, name: c,')
    expect((await diff(2, 1)).resources.map(({ kind }) => kind)).toEqual(['added', 'changed', 'removed'])
  })

  it.each([
    [0, 1],
    [1, 9],
  ])('refuses versions that do not exist: %i to %i', async (from, to) => {
    await put({ a: '1' })
    await expect(diff(from, to)).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' })
  })

  it('ends with the workspace, and the next one of its name begins with 1', async () => {
    for (const content of ['1', '2', '3']) await put({ a: content })
    await removeWorkspace({ workspace, actor, reason: 'gone' }, world.deps)
    expect(await blobs()).toEqual([])
    await expect(history()).rejects.toMatchObject({ code: 'WORKSPACE_REMOVED' })
    await putWorkspace({ bundle: filesOf({ a: '3' }), actor, reuse: { reason: 'again' } }, world.deps)
    expect(await history()).toMatchObject([{ version: 1 }])
  })

  it('has no gap and no duplicate when many store at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, n) => put({ a: String(n) }).catch((error) => error)))
    const stored = all.filter((one) => !(one instanceof Error))
    expect(stored.length).toBeGreaterThan(0)
    const versions = (await history()).map(({ version }) => version)
    expect(versions).toEqual(Array.from({ length: versions.length }, (_, n) => versions.length - n))
    expect(versions).toHaveLength(stored.length)
  })
})

describe('a rollback', () => {
  it('makes a new version that says who, why and from which one', async () => {
    await put({ a: '1' })
    await put({ a: '2' })
    const stored = await rollback(1)
    expect(stored).toMatchObject({ configurationVersion: 3 })
    expect((await history())[0]).toMatchObject({ version: 3, by: actor, reason: 'it was better', rollbackOf: 1 })
  })

  it.each([
    ['the current content', 2, {}, 'VERSION_CURRENT'],
    ['a version that does not exist', 7, {}, 'VERSION_NOT_FOUND'],
    ['another current version than the caller saw', 1, { expected: 1 }, 'VERSION_CONFLICT'],
  ])('is refused for %s', async (_, version, more, code) => {
    await put({ a: '1' })
    await put({ a: '2' })
    await expect(rollback(version, more)).rejects.toMatchObject({ code })
    expect(await history()).toHaveLength(2)
  })

  it('is refused for content that is not valid any more', async () => {
    await put({ a: '1' })
    await put({ a: '2' })
    const providers = async () => ({})
    await expect(
      rollbackWorkspace({ workspace, version: 1, reason: 'x', actor }, { ...world.deps, providers }),
    ).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    const { unreadable, files } = await diffVersions({ workspace, from: 1, to: 2 }, { ...world.deps, providers })
    expect(unreadable).toMatchObject([{ version: 1 }, { version: 2 }])
    expect(files).toEqual([{ file: 'plumbline.yaml', kind: 'changed' }])
  })

  it('keeps the origin of the files', async () => {
    const claim = { origin: 'm:/here', mayTake: async () => false }
    for (const content of ['1', '2']) await putWorkspace({ bundle: filesOf({ a: content }), actor, claim }, world.deps)
    expect(await rollback(1)).toMatchObject({ origin: 'm:/here' })
  })

  it('has one winner when many roll back the version that they saw', async () => {
    for (const content of ['1', '2', '3']) await put({ a: content })
    const all = await Promise.allSettled([1, 2, 1, 2].map((version) => rollback(version, { expected: 3 })))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await history()).map(({ version }) => version)).toEqual([4, 3, 2, 1])
  })

  it('equals what it goes back to, whatever happened in between', async () => {
    const content = fc.constantFrom({ a: '1' }, { a: '2' }, { a: '1', b: '1' }, { c: '3' }, { a: '2', c: '4' })
    const step = fc.oneof(
      content.map((files) => ({ files })),
      fc.nat(8).map((back) => ({ back })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        world = testDeps()
        const kept = [await put({ first: '0' }).then(() => loadBundle(world.deps.store, workspace))]
        for (const one of steps) {
          const to = 'back' in one ? (one.back % kept.length) + 1 : 0
          try {
            await ('files' in one ? put(one.files) : rollback(to))
          } catch (error) {
            expect(error).toMatchObject({ code: 'VERSION_CURRENT' })
          }
          const now = await loadBundle(world.deps.store, workspace)
          if ((await history()).length > kept.length) kept.push(now)
          if ('back' in one) expect(now).toEqual(kept[to - 1])
        }
        const versions = (await history()).map(({ version }) => version)
        expect(versions).toEqual(kept.map((_, n) => kept.length - n))
        for (const version of versions) {
          const same = await diff(version, version)
          expect([same.resources, same.files, same.variables]).toEqual([[], [], []])
        }
        expect((await blobs()).length).toBe(new Set(kept.map((one) => JSON.stringify(one))).size)
      }),
      lawRuns(25),
    )
  })
})

describe('a value that became secret', () => {
  const head = (variable: string) => `variables:\n  key: ${variable}\n`
  const api = (key: string) => `
workspace: acme
${head(key)}providers:
  files: { source: host, with: { root: /nowhere } }
resources:
  - { type: host_file, name: a, spec: { path: a, content: "\${var.key}" } }
`
  it.each([
    ['a default', '{ type: string, default: hunter2-canary }', undefined],
    ['a given value', '{ type: string }', { key: 'hunter2-canary' }],
  ])('is hidden in the older version: %s', async (_, declared, variables) => {
    const first = { ...yaml(api(declared)), ...(variables && { variables }) }
    await putWorkspace({ bundle: first, actor }, world.deps)
    const second = api('{ type: string, sensitive: true, default: { secret: "env:KEY" } }').replace(
      / {2}- .*\n/,
      '  []\n',
    )
    await putWorkspace({ bundle: yaml(second.replace('resources:\n', 'resources:')), actor }, world.deps)
    for (const [from, to] of [
      [1, 2],
      [2, 1],
    ] as const) {
      const found = await diff(from, to)
      expect(JSON.stringify(found)).not.toContain('hunter2')
      expect(found.files[0]?.diff).toBeDefined()
    }
  })
})

describe('the version of a configuration', () => {
  it('is named in runs, applies and alerts', async () => {
    await put({ a: '1' })
    await put({ a: '2' })
    const deps = { ...world.deps, config: storeSource(world.deps.store) }
    const { run } = await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    expect(run).toMatchObject({ configurationVersion: 2 })
    expect(world.alerts).toMatchObject([{ configurationVersion: 2 }])
    const digest = run.digests?.commands
    if (digest === undefined) throw new Error('no commands')
    await rollback(1)
    const apply = await requestApply({ workspace, mode: 'check', digest, reason: 'x', actor }, deps)
    expect(apply).toMatchObject({ configurationVersion: 2 })
    expect(await findWorkspace(deps.store, workspace)).toMatchObject({ configurationVersion: 3 })
  })
})

describe('a workspace in a folder of this machine', () => {
  it('is compared and rolled back with its relative paths', async () => {
    const relative = (content: string) => ({
      ...yaml(filesOf({ a: content }).files['plumbline.yaml']?.replace('/nowhere', './machine') ?? ''),
      folder: '/there',
    })
    const deps = { ...world.deps, config: { ...world.deps.config, folder: async () => '/there' } }
    for (const content of ['1', '2']) await putWorkspace({ bundle: relative(content), actor }, deps)
    const { unreadable, resources, files } = await diffVersions({ workspace, from: 1, to: 2 }, deps)
    expect([unreadable, resources]).toEqual([undefined, [{ address: 'host_file.a', kind: 'changed' }]])
    expect(files[0]?.diff).toContain('content: "2"')
    const stored = await rollbackWorkspace({ workspace, version: 1, reason: 'x', actor }, deps)
    expect(stored).toMatchObject({ configurationVersion: 3 })
  })
})
