import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { startThings } from '../../../builders/servers/things-api.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

/* Who edits a provider document changes what is read, and not the target. */

const documentOf = (size: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_box:
    operations:
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: PUT, path: "/boxes/{name}" }
      update: { method: PATCH, path: "/boxes/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { in: path }, size: { ${size} } } }]
`

const open = async () => {
  const server = await startThings()
  const show = (more: JsonObject): void => void server.state.set('/boxes/b', JSON.stringify({ name: 'b', ...more }))
  show({ size: 1, volume: '1', note: 'x' })
  const bundleOf = (size: string, spec: JsonObject) =>
    yaml(
      JSON.stringify({
        workspace: 'w',
        providers: { api: { source: 'rest', definition: './api.yaml', with: { baseUrl: server.url } } },
        resources: [{ type: 'api_box', name: 'b', spec: { name: 'b', ...spec } }],
      }),
      { 'api.yaml': documentOf(size) },
    )
  const { deps, current, alerts } = testDeps({ bundle: bundleOf('type: number', { size: 1 }) })
  const check = async () => {
    const { plan } = await checkWorkspace({ workspace: 'w', trigger: 'cli', actor }, deps)
    return plan ?? expect.unreachable()
  }
  expect((await check()).inSync).toBe(true)
  const edit = (size: string, spec: JsonObject): void => {
    current.bundle = bundleOf(size, spec)
  }
  return { server, show, check, edit, alerts }
}

describe('an edited provider document', () => {
  it('is no drift of the target: what it shows is the new agreement, with a note', async () => {
    const { server, check, edit } = await open()
    await using _ = server
    edit('path: volume', { size: '1' })
    const plan = await check()
    expect([plan.inSync, plan.drift]).toEqual([true, []])
    expect(plan.notes).toMatchObject([
      { level: 'info', value: 'api', message: expect.stringMatching(/^api_box.b is read otherwise since/) },
    ])
    expect((await check()).notes).toBeUndefined()
  })

  it('is no drift later either, where what it shows is not as configured', async () => {
    const { server, show, check, edit } = await open()
    await using _ = server
    edit('path: volume', { size: '5' })
    const checks = [await check(), await check()]
    expect(checks.map(({ changes, drift }) => [changes.length, drift.length])).toEqual([
      [1, 0],
      [1, 0],
    ])
    show({ size: 1, volume: '2' })
    expect((await check()).drift).toHaveLength(1)
  })

  it('hides no change that somebody makes afterwards', async () => {
    const { server, show, check, edit } = await open()
    await using _ = server
    edit('path: volume', { size: '1' })
    await check()
    show({ size: 1, volume: '2' })
    expect((await check()).drift).toMatchObject([{ address: 'api_box.b', kind: 'changed' }])
  })

  it('is not the cause of a difference that it explains no more than before', async () => {
    const { server, show, check, edit } = await open()
    await using _ = server
    show({ size: 2, volume: '2' })
    edit('type: number, description: how large', { size: 1 })
    const plan = await check()
    expect([plan.changes.length, plan.drift.length]).toEqual([1, 1])
    expect(plan.notes).toBeUndefined()
  })

  it('says nothing where it changes nothing that was read', async () => {
    const { server, check, edit } = await open()
    await using _ = server
    edit('type: number, normalise: [number]', { size: 1 })
    const plan = await check()
    expect([plan.inSync, plan.notes]).toEqual([true, undefined])
  })
})
