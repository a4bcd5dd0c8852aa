import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { renderText } from '../../../../core/pages/render/formats/text/render-text.ts'
import { reportOfPlan } from '../../../../core/pages/render/report/report-of-plan.ts'
import { long } from '../../../builders/long.ts'
import { driveShelves, startShelves, thing } from '../../../builders/servers/shelves.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const actionsOf = (plan: Awaited<ReturnType<typeof checkWorkspace>>['plan']) =>
  plan?.changes.map(({ address, action }) => `${action} ${address}`)
const uncheckedOf = (plan: Awaited<ReturnType<typeof checkWorkspace>>['plan']) =>
  plan?.unchecked.map(({ address, reason }) => `${address} ${reason}`)

describe('a resource with a new address', () => {
  it('is the same object: its record moves along, and nothing is sent', async () => {
    await using api = await startShelves('counted')
    const { want, check, apply } = driveShelves(api.url)
    want(thing('app', 'one'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    want(thing('application', 'one'))
    const { run, plan } = await check()
    expect(plan?.moved).toEqual([{ from: 'shelf_thing.app', to: 'shelf_thing.application' }])
    expect([run.status, plan?.changes, plan?.commands]).toEqual(['in_sync', [], []])
    expect(renderText(reportOfPlan(plan as NonNullable<typeof plan>))).toContain('renamed from shelf_thing.app')
    // The record stands under the new address now, so that it can leave from there.
    want('')
    expect(actionsOf((await check()).plan)).toEqual(['delete shelf_thing.application'])
  })

  it('and a new note is one change, under the new address', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url)
    want(thing('app', 'one'))
    await apply()
    want(thing('application', 'one', 'other'))
    expect((await check()).plan?.changes).toMatchObject([
      { action: 'update', address: 'shelf_thing.application', previousAddress: 'shelf_thing.app' },
    ])
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.writes()).toEqual(['POST /things', 'PATCH /things/1'])
    expect((await check()).plan).toMatchObject({ inSync: true })
  })

  it('and a new name at once is told from a new object by "moved"', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url)
    want(thing('app', 'one'))
    await apply()
    want(thing('application', 'two'), 'moved: [{ from: shelf_thing.app, to: shelf_thing.application }]')
    expect(actionsOf((await check()).plan)).toEqual(['update shelf_thing.application'])
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.writes()).toEqual(['POST /things', 'PATCH /things/1'])
    expect(api.names()).toEqual(['two'])
  })

  it('keeps its file', async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    await mkdir(root)
    await writeFile(join(root, 'motd'), 'hello\n')
    const given = testDeps()
    const want = (name: string, path: string): void => {
      given.current.bundle = yaml(
        `workspace: host\nproviders: { host: { source: host, with: { root: ${root} } } }\nresources: [{ type: host_file, name: ${name}, spec: { path: ${path}, content: "hello\\n" } }]`,
      )
    }
    const check = () => checkWorkspace({ workspace: 'host', trigger: 'cli', actor }, given.deps)
    want('app', 'motd')
    await check()
    want('application', `${root}/motd`)
    expect((await check()).plan).toMatchObject({ inSync: true, changes: [], moved: [{ from: 'host_file.app' }] })
    want('application', 'issue')
    const { run, plan } = await check()
    expect(actionsOf(plan)).toEqual(['replace host_file.application'])
    const digest = run.digests?.commands ?? ''
    const request = { workspace: 'host', mode: 'execute', digest, reason: 'another path', actor } as const
    const { id } = await requestApply(request, given.deps)
    expect(await runApply({ workspace: 'host', applyId: id }, given.deps)).toMatchObject({ status: 'succeeded' })
    expect(await readdir(root)).toEqual(['issue'])
    folder.remove()
  })
})

describe('a resource that may be one of two objects', () => {
  const objects = [
    { name: 'one', note: 'n' },
    { name: 'two', note: 'n' },
  ]

  it('gives neither of them to another resource', async () => {
    await using api = await startShelves('counted', objects)
    const { want, check, apply } = driveShelves(api.url)
    want(thing('x', 'one'))
    await check()
    want(thing('x', 'two') + thing('z', 'one', 'new'))
    const { plan } = await check()
    expect(actionsOf(plan)).toEqual([])
    expect(uncheckedOf(plan)?.toSorted()).toEqual(['shelf_thing.x ambiguous', 'shelf_thing.z ambiguous'])
    expect(await apply()).toMatchObject({ outcomes: [] })
    expect(api.things.map(({ body }) => body)).toEqual(objects)
  })
})

describe('an id that another object got', () => {
  it('right after our own delete is not taken for our object', async () => {
    await using api = await startShelves('position', [
      { name: 'first', note: 'n' },
      { name: 'second', note: 'n' },
    ])
    const { want, apply, check } = driveShelves(api.url)
    want(thing('a', 'first'))
    await apply()
    want('')
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['second'])
    expect((await check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  it.each([
    ['reused', { inSync: true, changes: [], unchecked: [] }],
    ['stable', { changes: [], unchecked: [{ address: 'shelf_thing.a', reason: 'other_parent' }] }],
  ] as const)(
    'is not taken for a rename where the name cannot change, and told where the document says that this never happens (%s)',
    async (kind, found) => {
      await using api = await startShelves('reused')
      const { want, apply, check } = driveShelves(api.url, { kind, name: '{ immutable: true }' })
      want(thing('a', 'one'))
      await apply()
      api.things.length = 0
      api.add({ name: 'foreign', note: 'n' })
      want('')
      expect((await check()).plan).toMatchObject(found)
      expect(api.names()).toEqual(['foreign'])
    },
  )

  it('is unchecked where the name can change and ids are used again', async () => {
    await using api = await startShelves('reused')
    const { want, apply, check } = driveShelves(api.url, { kind: 'reused' })
    want(thing('a', 'one'))
    await apply()
    api.things.length = 0
    api.add({ name: 'foreign', note: 'n' })
    expect(uncheckedOf((await check()).plan)).toEqual(['shelf_thing.a ambiguous'])
    want('')
    expect(uncheckedOf((await check()).plan)).toEqual(['shelf_thing.a ambiguous'])
  })

  it('by position stays with an object that moved up, which is not destroyed', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = driveShelves(api.url, { kind: 'position', name: '{ immutable: true }' })
    want(thing('a', 'one') + thing('d', 'four'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    want(thing('d', 'four'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['four'])
    expect((await check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  it('by position deletes several objects from last to first', async () => {
    await using api = await startShelves('position', [{ name: 'foreign', note: 'n' }])
    const { want, apply, check } = driveShelves(api.url, { kind: 'position', name: '{ immutable: true }' })
    want(['a', 'b', 'c', 'd'].map((name) => thing(name, name)).join(''))
    await apply()
    want(thing('c', 'c'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['foreign', 'c'])
    expect((await check()).plan).toMatchObject({ inSync: true })
  })

  it('by position does not identify an object by a name that several had, until somebody decides', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = driveShelves(api.url, { kind: 'position' })
    want(thing('a', 'one'))
    await apply()
    api.add({ name: 'one', note: 'n' })
    want('')
    expect(uncheckedOf((await check()).plan)).toEqual(['shelf_thing.a ambiguous'])
    api.things.splice(0, 1)
    const [unchecked] = (await check()).plan?.unchecked ?? []
    expect(unchecked?.detail).toMatch(/^several objects had its name .* declare it with `absent: true`/)
    want(thing('a', 'one'))
    expect((await check()).plan).toMatchObject({ inSync: true })
    want('')
    expect(actionsOf((await check()).plan)).toEqual(['delete shelf_thing.a'])
  })

  it('by position destroys the object that must not exist by this name, whoever had it', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = driveShelves(api.url, { kind: 'position' })
    want(thing('a', 'one'))
    await apply()
    api.add({ name: 'one', note: 'n' })
    want('')
    await check()
    api.things.splice(0, 1)
    want('  - { type: shelf_thing, name: a, absent: true, spec: { name: one } }\n')
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect((await check()).plan).toMatchObject({ inSync: true })
    expect(api.names()).toEqual([])
  })

  it('by position belongs to another object where a fixed attribute differs', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = driveShelves(api.url, { kind: 'position' })
    want('  - { type: shelf_thing, name: a, spec: { name: one, kind: plain } }\n')
    await apply()
    api.things[0] = { key: 2, body: { name: 'one', kind: 'round' } }
    want('')
    const [unchecked] = (await check()).plan?.unchecked ?? []
    expect(unchecked?.detail).toMatch(/^the object with its name has another kind now, /)
  })
})

describe('two objects that could be meant', () => {
  it('are unchecked where our object was renamed and another one took its name', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url)
    want(thing('a', 'one'))
    await apply()
    api.things[0] = { key: 1, body: { name: 'two', note: 'n' } }
    expect(actionsOf((await check()).plan)).toEqual(['update shelf_thing.a'])
    api.add({ name: 'one', note: 'n' })
    const { plan } = await check()
    expect([plan?.changes, uncheckedOf(plan)]).toEqual([[], ['shelf_thing.a ambiguous']])
  })

  it('are both unchecked and named where two resources want one object', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url)
    want(thing('a', 'one'))
    await apply()
    want(thing('a', 'two') + thing('c', 'one'))
    const { plan } = await check()
    expect(plan?.changes).toEqual([])
    expect(plan?.unchecked).toMatchObject([
      { address: 'shelf_thing.a', reason: 'ambiguous', detail: expect.stringContaining('shelf_thing.c') },
      { address: 'shelf_thing.c', reason: 'ambiguous', detail: expect.stringContaining('shelf_thing.a') },
    ])
  })

  it('both stay where two resources exchange their names, and the report says how to solve it', long, async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url)
    want(thing('a', 'one') + thing('b', 'two'))
    await apply()
    want(thing('a', 'two') + thing('b', 'one'))
    const { plan } = await check()
    expect([plan?.changes, uncheckedOf(plan)]).toEqual([[], ['shelf_thing.a ambiguous', 'shelf_thing.b ambiguous']])
    const detail = expect.stringContaining('to exchange names, give one of them a third name first')
    expect(plan?.unchecked).toMatchObject([{ detail }, { detail }])
    for (const [a, b] of [
      ['third', 'two'],
      ['third', 'one'],
      ['two', 'one'],
    ] as const) {
      want(thing('a', a) + thing('b', b))
      expect(await apply()).toMatchObject({ status: 'succeeded' })
    }
    expect(api.things.map(({ key, body }) => [key, body['name']])).toEqual([
      [1, 'two'],
      [2, 'one'],
    ])
    expect(api.writes()).toEqual([
      'POST /things',
      'POST /things',
      ...['1', '2', '1'].map((id) => `PATCH /things/${id}`),
    ])
  })

  it('are unchecked where a resource left and its object was renamed, which is not deleted under its new name', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url)
    want(thing('a', 'one'))
    await apply()
    api.things[0] = { key: 1, body: { name: 'theirs', note: 'n' } }
    want('')
    const { run, plan } = await check()
    expect([plan?.changes, uncheckedOf(plan), run.status]).toEqual([[], ['shelf_thing.a ambiguous'], 'incomplete'])
  })

  it('are told apart where somebody made again what left the configuration', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url)
    want(thing('a', 'one'))
    await apply()
    api.things.length = 0
    api.add({ name: 'one', note: 'n' })
    want('')
    expect((await check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  it('are told apart where somebody made again an object of a type that adopts nothing', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url, { lifecycle: '{ adopt: false }' })
    want(thing('a', 'one'))
    await apply()
    api.things.length = 0
    api.add({ name: 'one', note: 'n' })
    expect((await check()).plan?.changes).toMatchObject([{ blocked: { reason: 'made_again' } }])
  })
})

describe('another identity under the same address', () => {
  it('belongs to us after the apply, where the type adopts nothing', async () => {
    await using api = await startShelves('counted')
    const lifecycle = '{ adopt: false, onImmutable: replace }'
    const { want, apply, check } = driveShelves(api.url, { name: '{ immutable: true }', lifecycle })
    want(thing('a', 'one'))
    await apply()
    want(thing('a', 'two'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect((await check()).plan).toMatchObject({ inSync: true })
    want('')
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual([])
  })

  it('destroys the old object for the new one, and forgets neither', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = driveShelves(api.url, { name: '{ immutable: true }' })
    want(thing('a', 'one'))
    await apply()
    want(thing('a', 'two'))
    expect(actionsOf((await check()).plan)).toEqual(['replace shelf_thing.a'])
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['two'])
  })
})
