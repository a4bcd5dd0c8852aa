import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderText } from '../../../core/render/formats/text/render-text.ts'
import { reportOfPlan } from '../../../core/render/report/report-of-plan.ts'
import type { Json, JsonObject } from '../../../core/schema/json.ts'
import { requestApply } from '../../../core/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/workflows/check/check-workspace.ts'
import { aLoopback } from '../../builders/loopback.ts'
import { actor, temporaryFolder, testDeps, yaml } from '../../builders/workspace.ts'

/** A row of things in shelves. `ids`: by number, never again; the smallest that is free; or the place in the row. */
const startShelves = async (ids: 'counted' | 'reused' | 'position', rows: readonly JsonObject[] = []) => {
  const things: { key: number; body: JsonObject }[] = []
  let last = 0
  const free = (): number => {
    for (let key = 1; ; key += 1) if (things.every((each) => each.key !== key)) return key
  }
  const add = (body: JsonObject): number => {
    last += 1
    const key = ids === 'reused' ? free() : last
    things.push({ key, body })
    return key
  }
  for (const row of rows) add(row)
  const idOf = (index: number): string => String(ids === 'position' ? index : things[index]?.key)
  const shown = (index: number): JsonObject => ({ id: idOf(index), ...things[index]?.body })
  const act = (method: string, path: string, body: JsonObject): [number, Json?] => {
    const [, , id] = path.split('/')
    if (id === undefined) {
      if (method === 'GET') return [200, things.map((_, index) => shown(index))]
      add(body)
      return [201, shown(things.length - 1)]
    }
    const index = things.findIndex((_, each) => idOf(each) === id)
    const found = things[index]
    if (found === undefined) return [404, { error: 'there is none' }]
    if (method === 'GET') return [200, shown(index)]
    if (method === 'DELETE') {
      things.splice(index, 1)
      return [204]
    }
    found.body = { ...found.body, ...body }
    return [200, shown(index)]
  }
  const server = await aLoopback((_, response) => {
    const { method = '', url = '', body } = server.seen.at(-1) ?? { body: '' }
    const [status, answer] = act(method, url.split('?')[0] ?? '', body === '' ? {} : JSON.parse(body))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  })
  const writes = () => server.seen.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`)
  return {
    url: server.url,
    writes,
    things,
    add,
    names: () => things.map(({ body }) => body['name']),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

interface Model {
  readonly kind?: 'stable' | 'reused' | 'position'
  readonly name?: string
  readonly lifecycle?: string
}

const provider = ({ kind = 'stable', name = '{}', lifecycle = '{ onImmutable: replace }' }: Model): string => `
provider: { id: shelf, with: { baseUrl: {} }, baseUrl: "{with.baseUrl}" }
resources:
  shelf_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name], ids: ${kind} }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: ${lifecycle}
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: ${name}, note: {}, kind: { immutable: true } } }
`

const drive = (url: string, model: Model = {}) => {
  const given = testDeps()
  const want = (resources: string, more = ''): void => {
    const head = `workspace: shelves\nproviders: { shelf: { source: rest, definition: ./shelf.yaml, with: { baseUrl: "${url}" } } }`
    given.current.bundle = yaml(`${head}\n${more}\nresources:\n${resources || '  []'}\n`, {
      'shelf.yaml': provider(model),
    })
  }
  const check = () => checkWorkspace({ workspace: 'shelves', trigger: 'cli', actor }, given.deps)
  const apply = async () => {
    const digest = (await check()).run.digests?.commands ?? ''
    const request = { workspace: 'shelves', mode: 'execute', digest, reason: 'as wanted', actor } as const
    const { id } = await requestApply(request, given.deps)
    return runApply({ workspace: 'shelves', applyId: id }, given.deps)
  }
  return { ...given, want, check, apply }
}

const thing = (address: string, name: string, note = 'n'): string =>
  `  - { type: shelf_thing, name: ${address}, spec: { name: ${name}, note: ${note} } }\n`

const actionsOf = (plan: Awaited<ReturnType<typeof checkWorkspace>>['plan']) =>
  plan?.changes.map(({ address, action }) => `${action} ${address}`)
const uncheckedOf = (plan: Awaited<ReturnType<typeof checkWorkspace>>['plan']) =>
  plan?.unchecked.map(({ address, reason }) => `${address} ${reason}`)

describe('a resource that got another address', () => {
  it('is the same object: its record goes along, and nothing is sent', async () => {
    await using api = await startShelves('counted')
    const { want, check, apply } = drive(api.url)
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

  it('and another note: one change, under the new address', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url)
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

  it('and another name at once is told by "moved"', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url)
    want(thing('app', 'one'))
    await apply()
    want(thing('application', 'two'), 'moved: [{ from: shelf_thing.app, to: shelf_thing.application }]')
    expect(actionsOf((await check()).plan)).toEqual(['update shelf_thing.application'])
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.writes()).toEqual(['POST /things', 'PATCH /things/1'])
    expect(api.names()).toEqual(['two'])
  })

  it('of a file: the file stays', async () => {
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

describe('an id that another object got', () => {
  it('right after our own delete is not ours any more', async () => {
    await using api = await startShelves('position', [
      { name: 'first', note: 'n' },
      { name: 'second', note: 'n' },
    ])
    const { want, apply, check } = drive(api.url)
    want(thing('a', 'first'))
    await apply()
    want('')
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['second'])
    expect((await check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  it.each(['reused', 'stable'] as const)(
    'is not taken for a rename where the name cannot change (%s)',
    async (kind) => {
      await using api = await startShelves('reused')
      const { want, apply, check } = drive(api.url, { kind, name: '{ immutable: true }' })
      want(thing('a', 'one'))
      await apply()
      api.things.length = 0
      api.add({ name: 'foreign', note: 'n' })
      want('')
      expect((await check()).plan).toMatchObject({ inSync: true, changes: [] })
      expect(api.names()).toEqual(['foreign'])
    },
  )

  it('is unchecked where the name can change and ids are used again', async () => {
    await using api = await startShelves('reused')
    const { want, apply, check } = drive(api.url, { kind: 'reused' })
    want(thing('a', 'one'))
    await apply()
    api.things.length = 0
    api.add({ name: 'foreign', note: 'n' })
    expect(uncheckedOf((await check()).plan)).toEqual(['shelf_thing.a ambiguous'])
    want('')
    expect(uncheckedOf((await check()).plan)).toEqual(['shelf_thing.a ambiguous'])
  })

  it('by position: what moved up is still itself, and is not destroyed', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = drive(api.url, { kind: 'position', name: '{ immutable: true }' })
    want(thing('a', 'one') + thing('d', 'four'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    want(thing('d', 'four'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['four'])
    expect((await check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  it('by position: several go from last to first', async () => {
    await using api = await startShelves('position', [{ name: 'foreign', note: 'n' }])
    const { want, apply, check } = drive(api.url, { kind: 'position', name: '{ immutable: true }' })
    want(['a', 'b', 'c', 'd'].map((name) => thing(name, name)).join(''))
    await apply()
    want(thing('c', 'c'))
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['foreign', 'c'])
    expect((await check()).plan).toMatchObject({ inSync: true })
  })

  it('by position: what left is not known by a name that several had, until somebody says what shall be', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = drive(api.url, { kind: 'position' })
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

  it('by position: what shall not exist by this name is destroyed, whoever had it', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = drive(api.url, { kind: 'position' })
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

  it('by position: something fixed that differs shows another object', async () => {
    await using api = await startShelves('position')
    const { want, apply, check } = drive(api.url, { kind: 'position' })
    want('  - { type: shelf_thing, name: a, spec: { name: one, kind: plain } }\n')
    await apply()
    api.things[0] = { key: 2, body: { name: 'one', kind: 'round' } }
    want('')
    const [unchecked] = (await check()).plan?.unchecked ?? []
    expect(unchecked?.detail).toMatch(/^what has its name now has another kind, /)
  })
})

describe('two objects that could be meant', () => {
  it('our object was renamed there, and another one has its name: unchecked', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url)
    want(thing('a', 'one'))
    await apply()
    api.things[0] = { key: 1, body: { name: 'two', note: 'n' } }
    expect(actionsOf((await check()).plan)).toEqual(['update shelf_thing.a'])
    api.add({ name: 'one', note: 'n' })
    const { plan } = await check()
    expect([plan?.changes, uncheckedOf(plan)]).toEqual([[], ['shelf_thing.a ambiguous']])
  })

  it('two resources want one object: both are unchecked, both are named', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url)
    want(thing('a', 'one'))
    await apply()
    want(thing('a', 'two') + thing('c', 'one'))
    const { plan } = await check()
    expect(plan?.changes).toEqual([])
    expect(plan?.unchecked).toEqual([
      { address: 'shelf_thing.a', reason: 'ambiguous', detail: expect.stringContaining('shelf_thing.c') },
      { address: 'shelf_thing.c', reason: 'ambiguous', detail: expect.stringContaining('shelf_thing.a') },
    ])
  })

  it('two resources exchange their names: the way that is told leads there, and both objects stay', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url)
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

  it('what left and was renamed there is unchecked, and not deleted under its new name', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url)
    want(thing('a', 'one'))
    await apply()
    api.things[0] = { key: 1, body: { name: 'theirs', note: 'n' } }
    want('')
    const { run, plan } = await check()
    expect([plan?.changes, uncheckedOf(plan), run.status]).toEqual([[], ['shelf_thing.a ambiguous'], 'incomplete'])
  })

  it("what left and was made again by somebody is somebody else's", async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url)
    want(thing('a', 'one'))
    await apply()
    api.things.length = 0
    api.add({ name: 'one', note: 'n' })
    want('')
    expect((await check()).plan).toMatchObject({ inSync: true, changes: [] })
  })

  it('what was made again by somebody is not adopted where the type adopts nothing', async () => {
    await using api = await startShelves('counted')
    const { want, apply, check } = drive(api.url, { lifecycle: '{ adopt: false }' })
    want(thing('a', 'one'))
    await apply()
    api.things.length = 0
    api.add({ name: 'one', note: 'n' })
    expect((await check()).plan?.changes).toMatchObject([{ blocked: { reason: 'not_adopted' } }])
  })
})

describe('another identity under the same address', () => {
  it('is ours after the apply, where the type adopts nothing', async () => {
    await using api = await startShelves('counted')
    const lifecycle = '{ adopt: false, onImmutable: replace }'
    const { want, apply, check } = drive(api.url, { name: '{ immutable: true }', lifecycle })
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
    const { want, apply, check } = drive(api.url, { name: '{ immutable: true }' })
    want(thing('a', 'one'))
    await apply()
    want(thing('a', 'two'))
    expect(actionsOf((await check()).plan)).toEqual(['replace shelf_thing.a'])
    expect(await apply()).toMatchObject({ status: 'succeeded' })
    expect(api.names()).toEqual(['two'])
  })
})
