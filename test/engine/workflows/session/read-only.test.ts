import { describe, expect, test } from 'vitest'
import { loadRecorded } from '../../../../core/engine/state/runs/recorded.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { provider, startShelves } from '../../../builders/servers/shelves.ts'
import { head, objectOfHost, previewWorld } from '../../../builders/workspaces/preview-world.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const type = 'shelf_thing'

const open = (server: Awaited<ReturnType<typeof startShelves>>) => {
  const world = testDeps()
  const run = async (resources: readonly string[], more = '') => {
    const text = `workspace: shelves
providers: { shelf: { source: rest, definition: ./shelf.yaml, with: { baseUrl: "${server.url}" } } }
resources: [${resources.map((each) => `{ type: ${type}, ${each} }`).join(', ')}]
${more}`
    world.current.bundle = yaml(text, { 'shelf.yaml': provider({}) })
    return checkWorkspace({ workspace: 'shelves', trigger: 'cli', actor }, world.deps)
  }
  const check = async (...given: Parameters<typeof run>) => {
    const { plan, run: checked } = await run(...given)
    return plan ?? expect.unreachable(JSON.stringify(checked.error))
  }
  const apply = async (...given: Parameters<typeof run>) => {
    const { digests } = await check(...given)
    const asked = { workspace: 'shelves', mode: 'execute', digest: digests.commands, reason: 'r', actor } as const
    const { id } = await requestApply(asked, world.deps)
    return runApply({ workspace: 'shelves', applyId: id }, world.deps)
  }
  const recorded = async () => (await loadRecorded(world.deps.store, 'shelves')).resources.map(({ address }) => address)
  return { check, apply, recorded, run }
}

const fact = (spec: string) => `name: theirs, lifecycle: { readOnly: true }, spec: { ${spec} }`
const mine = `name: mine, spec: { name: mine, note: "in \${resource.${type}.theirs.id}" }`

describe('a resource that is only read', () => {
  test('gives its values to others, needs only what identifies it, and is never recorded', async () => {
    await using server = await startShelves('counted', [{ name: 'theirs', note: 'x' }])
    const { apply, check, recorded, run } = open(server)
    await apply([fact('name: theirs'), mine])
    expect(server.writes()).toEqual(['POST /things'])
    expect(server.things.map(({ body }) => body['note'])).toEqual(['x', 'in 1'])
    expect(await recorded()).toEqual([`${type}.mine`])
    expect((await run([fact('name: theirs'), mine])).run.status).toBe('in_sync')
    // Somebody changes it, and that is theirs.
    Object.assign(server.things[0]?.body ?? {}, { note: 'y' })
    const { changes, drift } = await check([fact('name: theirs'), mine])
    expect([changes, drift]).toEqual([[], []])
  })

  test('is another object when others made it again, and what refers to it follows', async () => {
    await using server = await startShelves('counted', [{ name: 'theirs', note: 'x' }])
    const { apply, check } = open(server)
    await apply([fact('name: theirs'), mine])
    server.things.shift()
    server.add({ name: 'theirs', note: 'x' })
    const { changes, unchecked } = await check([fact('name: theirs'), mine])
    expect(changes.map(({ address, action, blocked }) => [address, action, blocked])).toEqual([
      [`${type}.mine`, 'update', undefined],
    ])
    expect(unchecked).toEqual([])
  })

  test('is not made where it is missing, and what refers to it waits', async () => {
    await using server = await startShelves('counted')
    const { check } = open(server)
    const { changes, unchecked, commands } = await check([fact('name: theirs, note: x'), mine])
    expect(changes.map(({ address, action, blocked }) => [address, action, blocked?.reason])).toEqual([
      [`${type}.theirs`, 'create', 'read_only'],
    ])
    expect(unchecked.map(({ address, reason }) => [address, reason])).toEqual([[`${type}.mine`, 'unresolved']])
    expect(commands).toEqual([])
  })

  test('is shown where it differs from what the spec expects, and is not changed', async () => {
    await using server = await startShelves('counted', [{ name: 'theirs', note: 'x' }])
    const { check, apply } = open(server)
    const { changes } = await check([fact('name: theirs, note: y')])
    expect(changes.map(({ action, blocked }) => [action, blocked?.reason])).toEqual([['update', 'read_only']])
    await apply([fact('name: theirs, note: y'), mine])
    expect(server.writes()).toEqual(['POST /things'])
  })

  test('is left alone when it leaves the configuration, also if it was made or moved here before', async () => {
    await using server = await startShelves('counted')
    const { check, apply, recorded } = open(server)
    await apply(['name: theirs, spec: { name: theirs }', 'name: old, spec: { name: old }'])
    const move = `moved: [{ from: ${type}.old, to: ${type}.kept }]`
    const kept = 'name: kept, lifecycle: { readOnly: true }, spec: { name: old }'
    expect((await check([fact('name: theirs'), kept], move)).changes).toEqual([])
    expect(await recorded()).toEqual([])
    expect((await check([])).changes).toEqual([])
  })

  test('is not managed here: another workspace may manage it without a note', async () => {
    await using server = await startShelves('counted', [{ name: 'theirs' }])
    const world = testDeps()
    const checkAs = async (workspace: string, resource: string) => {
      const text = `workspace: ${workspace}
providers: { shelf: { source: rest, definition: ./shelf.yaml, with: { baseUrl: "${server.url}" } } }
resources: [{ type: ${type}, ${resource} }]`
      world.current.bundle = yaml(text, { 'shelf.yaml': provider({}) })
      return (await checkWorkspace({ workspace, trigger: 'cli', actor }, world.deps)).plan
    }
    await checkAs('owner', 'name: theirs, spec: { name: theirs }')
    expect((await checkAs('reader', fact('name: theirs')))?.notes ?? []).toEqual([])
    expect((await checkAs('owner', 'name: theirs, spec: { name: theirs }'))?.notes ?? []).toEqual([])
  })
})

test('a preview uses the same object, and makes its own in it', async () => {
  const world = previewWorld()
  world.api.write('PUT', '/main/zones/main', { note: 'theirs' })
  const text = `${head}resources:
  - { type: z_zone, name: main, lifecycle: { readOnly: true }, spec: { name: main } }
  - { type: z_host, name: www, spec: { zone: "\${resource.z_zone.main.name}", name: www } }
`
  await world.push(text)
  await world.apply('acme')
  await world.preview(text, 'rename: [{ address: "z_host.*", attribute: name, to: "${slug}-${value}" }]\n')
  await world.apply('acme--login')
  const { plan } = await world.check('acme--login')
  expect([plan?.changes, plan?.unchecked]).toEqual([[], []])
  expect(world.api.writes.map(({ object }) => object).slice(1)).toEqual(
    ['www', 'login-www'].map((name) => objectOfHost('main', 'main', name)),
  )
})
