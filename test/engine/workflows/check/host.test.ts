import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Request } from '../../../../core/engine/schema/command.ts'
import { readLedger } from '../../../../core/engine/state/ledger.ts'
import type { WireRequest } from '../../../../core/engine/transport/transport.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const workspace = 'tea-room'
const folder = temporaryFolder()
const motd = join(folder.path, 'motd')
const menu = join(folder.path, 'menu')

const bundle = yaml(`
workspace: ${workspace}
providers:
  host: { source: host, with: { root: ${folder.path} } }
resources:
  - { type: host_file, name: motd, spec: { path: motd, content: "welcome\\n", mode: "0640" } }
  - { type: host_file, name: menu, spec: { path: menu, content: "tea\\n" } }
  - { type: host_file, name: coffee, absent: true, spec: { path: coffee } }
`)

const start = () => {
  const sent: Request[] = []
  const given = testDeps({
    bundle,
    wire: (inner) => ({
      send: (request, signal) => {
        // What the transport is told beside the request: that no secret is in it.
        const { isAnonymous: _, ...plain }: WireRequest = request
        if (request.method !== 'GET') sent.push(plain)
        return inner.send(request, signal)
      },
    }),
  })
  const check = () => checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps)
  const apply = async (digest: string, mode: 'check' | 'execute' = 'execute') => {
    const { id } = await requestApply({ workspace, mode, digest, reason: 'tidy', actor }, given.deps)
    return runApply({ workspace, applyId: id }, given.deps)
  }
  const entries = async () => {
    const found = []
    for await (const entry of readLedger(given.deps.store, workspace)) found.push(entry)
    return found
  }
  return { ...given, sent, check, apply, entries }
}

const digestOf = ({ run }: Awaited<ReturnType<ReturnType<typeof start>['check']>>) => run.digests?.commands ?? ''

beforeEach(() => {
  for (const name of ['motd', 'menu', 'coffee']) rmSync(join(folder.path, name), { force: true })
})
afterEach(() => expect(existsSync(folder.path)).toBe(true))

describe('a workspace of files, from drift to ledger', () => {
  it('creates missing files, and then plans nothing, twice', async () => {
    const { check, apply, sent } = start()
    const first = await check()
    expect(first.run.status).toBe('changes')
    expect(first.plan?.commands.map(({ id, action }) => [id, action])).toEqual([
      ['host_file.menu#1', 'create'],
      ['host_file.motd#1', 'create'],
    ])
    expect(sent).toEqual([])
    const applied = await apply(digestOf(first))
    expect(applied).toMatchObject({ status: 'succeeded', outcomes: [{ status: 'succeeded' }, { status: 'succeeded' }] })
    expect(readFileSync(motd, 'utf8')).toBe('welcome\n')
    for (let n = 0; n < 2; n += 1)
      expect(await check()).toMatchObject({ run: { status: 'in_sync' }, plan: { changes: [] } })
    expect(sent).toHaveLength(2)
  })

  it('distinguishes drift, a pending change, and a conflict of both', async () => {
    const { check, apply, current } = start()
    await apply(digestOf(await check()))
    writeFileSync(motd, 'hacked\n')
    const causes = async () => (await check()).plan?.changes.flatMap((change) => change.causes)
    expect(await causes()).toEqual([{ path: ['content'], cause: 'drift' }])
    expect(await causes()).toEqual([{ path: ['content'], cause: 'drift' }])
    current.bundle = yaml(bundle.files['plumbline.yaml']?.replace('welcome', 'good evening') ?? '')
    expect(await causes()).toEqual([{ path: ['content'], cause: 'conflict' }])
    writeFileSync(motd, 'welcome\n')
    expect(await causes()).toEqual([{ path: ['content'], cause: 'pending' }])
  })

  it('opens, changes and resolves one alert', async () => {
    const { check, apply, alerts, clock } = start()
    await apply(digestOf(await check()))
    const kinds = () => alerts.map(({ kind, about }) => `${about} ${kind}`)
    expect(kinds()).toEqual(['drift opened', 'drift resolved'])
    alerts.length = 0
    const later = () => clock.forward(60_000)
    writeFileSync(motd, 'hacked\n')
    later()
    await check()
    later()
    await check()
    rmSync(menu)
    later()
    const found = await check()
    later()
    await apply(digestOf(found))
    expect(kinds()).toEqual(['drift opened', 'drift changed', 'drift resolved'])
  })

  it('logs an apply in check mode, sends nothing, and then sends exactly what it logged', async () => {
    const { check, apply, sent, entries } = start()
    const digest = digestOf(await check())
    const logged = await apply(digest, 'check')
    expect(logged).toMatchObject({
      status: 'succeeded',
      mode: 'check',
      outcomes: [{ status: 'logged' }, { status: 'logged' }],
    })
    expect(sent).toEqual([])
    await apply(digest)
    const commands = (kind: string) =>
      entries().then((all) => all.filter((entry) => entry.kind === kind).map(({ command }) => command?.['request']))
    expect(await commands('logged')).toEqual(await commands('intent'))
    expect(JSON.stringify(sent)).toBe(JSON.stringify(await commands('logged')))
  })

  it('refuses an apply when the object changed in between, names the command and sends nothing', async () => {
    const { check, apply, sent, entries, deps } = start()
    await apply(digestOf(await check()))
    writeFileSync(motd, 'first drift\n')
    const digest = digestOf(await check())
    writeFileSync(motd, 'second drift\n')
    sent.length = 0
    const refused = await apply(digest)
    expect(refused).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(refused.error?.message).toContain('host_file.motd#1')
    expect(sent).toEqual([])
    expect((await entries()).at(-1)).toMatchObject({ kind: 'refused' })
    expect(await verifyLedger({ workspace }, deps)).toMatchObject({ ok: true })
  })

  it('refuses the same digest a second time, because nothing is left to do', async () => {
    const { check, apply, sent } = start()
    const digest = digestOf(await check())
    await apply(digest)
    sent.length = 0
    expect(await apply(digest)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(sent).toEqual([])
  })

  it('deletes files that must not exist or that left the configuration', async () => {
    const { check, apply, current } = start()
    await apply(digestOf(await check()))
    writeFileSync(join(folder.path, 'coffee'), 'bitter\n')
    current.bundle = yaml((bundle.files['plumbline.yaml'] ?? '').replace(/^.*name: menu.*$/m, ''))
    const found = await check()
    expect(found.plan?.changes.map(({ address, action, reason }) => [address, action, reason]).toSorted()).toEqual([
      ['host_file.coffee', 'delete', 'delete_because_absent'],
      ['host_file.menu', 'delete', 'delete_because_no_resource_config'],
    ])
    expect(await apply(digestOf(found))).toMatchObject({ status: 'succeeded' })
    expect([existsSync(menu), existsSync(join(folder.path, 'coffee')), existsSync(motd)]).toEqual([false, false, true])
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
  })
})
