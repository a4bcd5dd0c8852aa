import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'
import { anApi, type Case, linesOf, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const documentOf = (resource: string): string => `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
${resource.replace(/^\n/, '').replaceAll(/^/gm, '    ')}
`
const head = `
identity: { keys: [name] }
lookup: { retrieve: true }`
const operations = `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: "/things" }
  update: { method: PATCH, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }`

const planned = async (resource: string, wanted: Case, answers: Readonly<Record<string, Json>>) => {
  const api = anApi(
    Object.fromEntries(Object.entries(answers).map(([path, body]) => [`GET ${path}`, { status: 200, body }])),
  )
  const { commands, read } = await planOne(typeOf(providerOf(documentOf(resource), {}), 'api_thing'), wanted, api)
  return { commands, read, lines: linesOf(commands) }
}
const withLines = async (...given: Parameters<typeof planned>) => (await planned(...given)).lines

describe('calls for single attributes', () => {
  const resource = `${operations}
  move: { method: POST, path: "/things/{name}/move" }
  start: { method: POST, path: "/things/{name}/start", body: none }
  stop: { method: POST, path: "/things/{name}/stop", body: none }
  limits: { method: PUT, path: "/things/{name}/limits/{desired.tier}" }
${head}
actions:
  move: { on: [owner, place], op: move, body: { to: "{desired.owner}", from: "{before.owner}", place: "{desired.place}" } }
  start: { on: [power], when: { power: [on] }, op: start, order: after }
  stop: { on: [power], when: { power: [off] }, op: stop }
  limits: { on: [tier, cpu], op: limits }
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes:
      name: { immutable: true }
      title: {}
      owner: {}
      place: {}
      power: { sendOn: update }
      tier: {}
      cpu: { type: number, scale: 1000 }`
  const live = { name: 'x', title: 'T', owner: 'a', place: 'p', power: 'off', tier: 'gold', cpu: 1000 }

  it.each<[string, JsonObject, readonly unknown[]]>([
    ['nothing differs', {}, []],
    ['one of two attributes', { owner: 'b' }, [['POST /things/x/move', { to: 'b', from: 'a', place: 'p' }]]],
    ['both in one call', { owner: 'b', place: 'q' }, [['POST /things/x/move', { to: 'b', from: 'a', place: 'q' }]]],
    [
      'the others by their own write',
      { owner: 'b', title: 'U' },
      [
        ['POST /things/x/move', { to: 'b', from: 'a', place: 'p' }],
        ['PATCH /things/x', { title: 'U' }],
      ],
    ],
    [
      'after the write, without a body',
      { power: 'on', title: 'U' },
      [['PATCH /things/x', { title: 'U' }], ['POST /things/x/start']],
    ],
    ['only what differs is {fields}', { cpu: 2 }, [['PUT /things/x/limits/gold', { cpu: 2000 }]]],
    ['the new value in the path', { tier: 'iron' }, [['PUT /things/x/limits/iron', { tier: 'iron' }]]],
  ])('are sent for the attributes that differ: %s', async (_name, spec, lines) => {
    expect(await withLines(resource, { spec: { name: 'x', ...spec } }, { '/things/x': live })).toEqual(lines)
  })

  it('are sent beside a write that happens anyway, and are not undone', async () => {
    const published = resource
      .replace('\n  stop:', '\n  publish: { method: POST, path: "/things/{name}/publish", body: none }\n  stop:')
      .replace('\nparts:', '\n  publish: { on: [title], op: publish, order: after, alongside: true }\nparts:')
    const { commands, lines } = await planned(
      published,
      { spec: { name: 'x', title: 'U', power: 'on' } },
      { '/things/x': live },
    )
    expect(lines).toEqual([['PATCH /things/x', { title: 'U' }], ['POST /things/x/start'], ['POST /things/x/publish']])
    expect(commands[2]).toMatchObject({ action: 'call', description: 'publish', grade: 'lossy' })
    expect(commands[2]).not.toHaveProperty('inverse')
  })

  it('block the change for a value that none of them sets', () => {
    const type = typeOf(
      providerOf(
        documentOf(
          resource.replace('    write: { op: update }\n', '').replace('title: {}', 'title: { immutable: true }'),
        ),
        {},
      ),
      'api_thing',
    )
    expect(type.validate?.({ name: 'x', power: 'paused' })).toMatchObject([
      { path: ['power'], fix: 'use one of: on, off' },
    ])
    expect(type.validate?.({ name: 'x', power: 'on', owner: 'b' })).toEqual([])
  })

  it('are undone by the call for the former value', async () => {
    const { commands } = await planned(resource, { spec: { name: 'x', power: 'on' } }, { '/things/x': live })
    expect(commands).toMatchObject([
      { action: 'call', grade: 'reversible', inverse: { method: 'POST', url: 'http://api.test/things/x/stop' } },
    ])
  })

  it('follow a create only for values that the create cannot set', async () => {
    const spec = { name: 'x', owner: 'a', power: 'on' }
    expect(await withLines(resource, { spec }, {})).toEqual([
      ['POST /things', { name: 'x', owner: 'a' }],
      ['POST /things/x/start'],
    ])
  })
})

describe('a part with its own requests', () => {
  const resource = `${operations}
  getQuota: { method: GET, path: "/things/{name}/quota" }
  newQuota: { method: POST, path: "/things/{name}/quota" }
  setQuota: { method: PATCH, path: "/things/{name}/quota" }
  noQuota: { method: DELETE, path: "/things/{name}/quota" }
${head}
parts:
  - name: main
    read: retrieve
    attributes: { name: { immutable: true } }
  - name: quota
    read: { op: getQuota, absent: [404] }
    onCreate: after
    write: { op: setQuota, create: newQuota, remove: noQuota }
    attributes: { cpu: { type: number }, ram: { type: number } }`
  const thing = { '/things/x': { name: 'x' } }
  const quota = { ...thing, '/things/x/quota': { cpu: 1, ram: 2 } }

  it.each<[string, JsonObject, Readonly<Record<string, Json>>, readonly unknown[], string | undefined]>([
    ['set for the first time', { cpu: 1, ram: 2 }, thing, [['POST /things/x/quota', { cpu: 1, ram: 2 }]], 'DELETE'],
    ['changed', { cpu: 3 }, quota, [['PATCH /things/x/quota', { cpu: 3 }]], 'PATCH'],
    ['taken away', { cpu: null, ram: null }, quota, [['DELETE /things/x/quota']], 'POST'],
    ['changed where something is left', { cpu: null }, quota, [['PATCH /things/x/quota', { cpu: null }]], 'PATCH'],
    ['gone already', { cpu: null, ram: null }, thing, [], undefined],
    [
      'made with the thing',
      { cpu: 1 },
      {},
      [
        ['POST /things', { name: 'x' }],
        ['POST /things/x/quota', { cpu: 1 }],
      ],
      'DELETE',
    ],
  ])('is sent, changed or deleted by its own requests: %s', async (_name, spec, answers, lines, undo) => {
    const { commands, lines: found } = await planned(resource, { spec: { name: 'x', ...spec } }, answers)
    expect(found).toEqual(lines)
    expect(commands.at(-1)?.inverse?.method).toBe(undo)
  })
})

describe('a collection with a call for each element', () => {
  const resource = `${operations}
  add: { method: POST, path: "/things/{name}/rules", query: { dry: no } }
  set: { method: PUT, path: "/things/{name}/rules/{el.id}", body: { rule: "{changed}" } }
  drop: { method: DELETE, path: "/things/{name}/rules/{el.id}", query: { port: "{key.port}" } }
${head}
parts:
  - name: main
    read: retrieve
    attributes: { name: { immutable: true } }
  - name: rules
    read: retrieve
    onCreate: after
    collection:
      field: rules
      key: [port]
      element: { id: { computed: true }, port: { type: number }, note: {}, kind: { sendOn: create } }
      write: { each: { create: add, update: set, remove: drop } }`
  const live = {
    '/things/x': {
      name: 'x',
      rules: [
        { id: 71, port: 1, note: 'a', kind: 'k' },
        { id: 72, port: 2, note: 'b', kind: 'k' },
      ],
    },
  }
  const rules = [
    { port: 1, note: 'new', kind: 'k' },
    { port: 3, note: 'c', kind: 'k' },
  ]

  it('deletes, changes and creates elements, by the ids of the server', async () => {
    const { commands, lines } = await planned(resource, { spec: { name: 'x', rules } }, live)
    expect(lines).toEqual([
      ['DELETE /things/x/rules/72?port=2'],
      ['PUT /things/x/rules/71', { rule: { note: 'new' } }],
      ['POST /things/x/rules?dry=no', { port: 3, note: 'c', kind: 'k' }],
    ])
    // A PUT of what differs alone resets the others.
    expect(commands.map(({ grade }) => grade)).toEqual(['lossy', 'lossy', 'reversible'])
    // What comes back gets another id.
    expect(commands[0]?.loses).toEqual(['/rules/*/id'])
    expect(commands[1]?.loses).toEqual(['/rules/*/kind', '/rules/*/port'])
    // The id of a new element is known when it has been read.
    expect(JSON.stringify(commands[2]?.inverse?.url)).toContain('"$after"')
    expect(commands[0]?.inverse).toMatchObject({ method: 'POST', body: { port: 2, note: 'b', kind: 'k' } })
  })

  it('stands in an envelope where there is one', async () => {
    const wrapped = resource.replace('query: { dry: no } }', 'body: { data: "{fields}" } }')
    const lines = await withLines(wrapped, { spec: { name: 'x', rules } }, live)
    expect(lines[2]).toEqual(['POST /things/x/rules', { data: { port: 3, note: 'c', kind: 'k' } }])
  })

  it('deletes and creates an element again where there is no update', async () => {
    const without = resource.replace(' update: set,', '').replace(/^ {2}set: .*$/m, '')
    expect((await withLines(without, { spec: { name: 'x', rules } }, live)).map(([line]) => line)).toEqual([
      'DELETE /things/x/rules/72?port=2',
      'DELETE /things/x/rules/71?port=1',
      'POST /things/x/rules?dry=no',
      'POST /things/x/rules?dry=no',
    ])
  })

  it('keeps undeclared elements where it must', async () => {
    const wanted = {
      spec: { name: 'x', rules: [rules[1] as JsonObject] },
      lifecycle: { manage: { rules: 'declared' } },
    } as const
    expect((await withLines(resource, wanted, live)).map(([line]) => line)).toEqual(['POST /things/x/rules?dry=no'])
  })

  it('is created after its object', async () => {
    expect(await withLines(resource, { spec: { name: 'x', rules: [rules[1] as JsonObject] } }, {})).toEqual([
      ['POST /things', { name: 'x' }],
      ['POST /things/x/rules?dry=no', { port: 3, note: 'c', kind: 'k' }],
    ])
  })
})

describe('a list whose order matters', () => {
  const resource = `${operations}
  order: { method: PUT, path: "/things/{name}/steps" }
${head}
parts:
  - name: main
    read: retrieve
    attributes: { name: { immutable: true } }
  - name: steps
    read: retrieve
    collection:
      field: steps
      ordered: true
      element: { run: { send: command }, note: {} }
      write: { op: order, body: "{all}" }`
  const live = { '/things/x': { name: 'x', steps: [{ run: 'a' }, { run: 'b' }, { run: 'a' }] } }

  it.each<[string, readonly JsonObject[], readonly unknown[]]>([
    ['equal', [{ run: 'a' }, { run: 'b' }, { run: 'a' }], []],
    [
      'another order',
      [{ run: 'b' }, { run: 'a' }, { run: 'a' }],
      [['PUT /things/x/steps', [{ command: 'b' }, { command: 'a' }, { command: 'a' }]]],
    ],
    ['none', [], [['PUT /things/x/steps', []]]],
  ])('is sent as a whole exactly if it differs: %s', async (_name, steps, lines) => {
    expect(await withLines(resource, { spec: { name: 'x', steps } }, live)).toEqual(lines)
  })

  it('is sent in the form that its elements are written in', async () => {
    const flat = resource.replace('body: "{all}"', 'body: { steps: "{all}" }, upsert: "{el.command}"')
    const steps = [{ run: 'c', note: 'n' }, { run: 'a' }]
    expect(await withLines(flat, { spec: { name: 'x', steps } }, live)).toEqual([
      ['PUT /things/x/steps', { steps: ['c', 'a'] }],
    ])
  })
})

describe('bodies of special forms', () => {
  const attributes = {
    tags: 'tags: { type: set, element: {} }',
    note: 'note: { clearAs: null }',
    size: 'size: { type: number, scale: 1024 }',
  }
  const resourceOf = (operation: string, write: string, names: readonly string[]): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: POST, path: "/things" }
  update: ${operation}
  delete: { method: DELETE, path: "/things/{name}" }
${head}
parts:
  - name: main
    read: retrieve
    write: { op: update, ${write} }
    attributes: { name: { immutable: true }, ${names.map((name) => attributes[name as keyof typeof attributes]).join(', ')} }`

  it.each<[string, string, string, JsonObject, readonly [string, Json?]]>([
    [
      'a list',
      '{ method: POST, path: "/things/{name}/tags" }',
      'send: template, body: "{desired.tags}"',
      { tags: ['b'] },
      ['POST /things/x/tags', ['b']],
    ],
    [
      'an empty list',
      '{ method: POST, path: "/things/{name}/tags" }',
      'send: template, body: "{desired.tags}"',
      { tags: [] },
      ['POST /things/x/tags', []],
    ],
    [
      'a number',
      '{ method: PUT, path: "/things/{name}/size" }',
      'send: template, body: "{desired.size}"',
      { size: 2 },
      ['PUT /things/x/size', 2048],
    ],
    [
      'a text',
      '{ method: PUT, path: "/things/{name}/note", contentType: text/plain }',
      'send: template, body: "note: {desired.note}"',
      { note: 'n' },
      ['PUT /things/x/note', 'note: n'],
    ],
    [
      'null',
      '{ method: PUT, path: "/things/{name}/note" }',
      'send: template, body: "{desired.note}"',
      { note: null },
      ['PUT /things/x/note', null],
    ],
    [
      'none',
      '{ method: PUT, path: "/things/{name}/notes/{desired.note}", body: none }',
      'send: changed',
      { note: 'n' },
      ['PUT /things/x/notes/n'],
    ],
    [
      'wrapped',
      '{ method: PUT, path: "/things/{name}", body: { thing: "{fields}" } }',
      'send: changed, keeps: true',
      { note: 'n' },
      ['PUT /things/x', { thing: { note: 'n' } }],
    ],
    [
      'a form',
      '{ method: PUT, path: "/things/{name}", contentType: application/x-www-form-urlencoded }',
      'send: changed, keeps: true',
      { note: 'n' },
      ['PUT /things/x', { note: 'n' }],
    ],
  ])('are sent as the document describes them: %s', async (_name, operation, write, spec, line) => {
    const live = { name: 'x', tags: ['a'], note: 'o', size: 1024 }
    const { commands, lines } = await planned(
      resourceOf(operation, write, Object.keys(spec)),
      { spec: { name: 'x', ...spec } },
      { '/things/x': live },
    )
    expect(lines).toEqual([line])
    const type = /contentType: ([\w/-]+)/.exec(operation)?.[1]
    if (type !== undefined) expect(commands[0]?.request.headers).toMatchObject({ 'Content-Type': type })
    expect(commands[0]).toMatchObject({ grade: 'reversible' })
  })

  it('are converted where a unit of the API is not the unit of people', async () => {
    const { read } = await planned(
      resourceOf('{ method: PUT, path: "/things/{name}" }', 'send: changed', ['size']),
      { spec: { name: 'x' } },
      { '/things/x': { name: 'x', size: 1536 } },
    )
    expect(read).toMatchObject({ attributes: { size: 1.5 } })
  })
})

describe('names for values', () => {
  const resource = `${operations}
${head}
parts:
  - name: main
    read: retrieve
    write: { op: update }
    attributes:
      name: { immutable: true }
      role: { type: any, names: { write: 4, admin: 5 } }
      holders: { type: set, element: { type: any, names: { everybody: 0 } } }`

  it.each<[string, JsonObject, JsonObject, readonly unknown[]]>([
    ['are what people write', { role: 5 }, { role: 'admin' }, []],
    ['are sent as their values', { role: 5 }, { role: 'write' }, [['PATCH /things/x', { role: 4 }]]],
    ['need not exist', { role: 99 }, { role: 99 }, []],
    ['nor be known', { role: 99 }, { role: 100 }, [['PATCH /things/x', { role: 100 }]]],
    ['hold for elements', { holders: [0, 7] }, { holders: [7, 'everybody'] }, []],
    [
      'of elements are sent',
      { holders: [] },
      { holders: ['everybody', 7] },
      [['PATCH /things/x', { holders: [0, 7] }]],
    ],
    [
      'are no members that every object has',
      { role: 1 },
      { role: 'toString' },
      [['PATCH /things/x', { role: 'toString' }]],
    ],
  ])('are translated between people and the API: names %s', async (_name, live, spec, lines) => {
    const answer = { name: 'x', role: 5, holders: [], ...live }
    expect(await withLines(resource, { spec: { name: 'x', ...spec } }, { '/things/x': answer })).toEqual(lines)
  })
})

describe('an attribute that is written in another type than it is read', () => {
  it.each<[string, JsonObject, Json, string | undefined]>([
    [
      'port: {}',
      { port: '1' },
      1,
      "port is a number in the answer, but the document's type is string: set type: number, or normalise: [string]",
    ],
    [
      'port: { type: number }',
      { port: 1 },
      '1',
      "port is text in the answer, but the document's type is number: set type: string, or normalise: [number]",
    ],
    ['port: { type: number, normalise: [number] }', { port: 1 }, '1', undefined],
    ['port: {}', { port: '2' }, 1, undefined],
    ['port: {}', {}, 1, undefined],
  ])('%s expects %j', async (attribute, spec, port, detail) => {
    const resource = `${operations}
${head}
parts:
  - { name: main, read: retrieve, write: { op: update }, attributes: { name: { immutable: true }, ${attribute} } }`
    const { read } = await planned(resource, { spec: { name: 'x', ...spec } }, { '/things/x': { name: 'x', port } })
    expect(read).toMatchObject(
      detail === undefined ? { kind: 'present' } : { kind: 'unknown', reason: 'bad_body', detail },
    )
  })
})

describe('a call beside a write that sends all attributes of the object', () => {
  eachOf(
    it,
    3,
  )(['before', 'after', 'last'].flatMap((order) => ['full', 'object', 'changed'].map((send) => ({ order, send }))))(
    'leaves to the write what is there then, and comes back: order $order, send $send',
    async ({ order, send }) => {
      const resource = `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
  move: { method: PATCH, path: "/things/{name}", body: { owner: "{desired.owner}" } }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
actions: { move: { on: [owner], op: move, order: ${order} } }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send} }
    attributes: { name: { immutable: true }, size: {}, owner: {} }`
      await using server = await startThings()
      const there = { name: 'x', size: 's', owner: 'a', more: 1 }
      server.state.set('/things/x', JSON.stringify(there))
      const now = (): Json => JSON.parse(server.state.get('/things/x') ?? '') as Json
      const drive = driveThings(server, resource, { x: { name: 'x', size: 'l', owner: 'b' } })
      const { id, status } = await drive.apply((await drive.check()).digest)
      expect([status, now()]).toEqual(['succeeded', { ...there, size: 'l', owner: 'b' }])
      expect(server.lines().filter(([line]) => line === 'PUT /things/x')).toMatchObject([
        ['PUT /things/x', { size: 'l', owner: order === 'before' ? 'b' : 'a' }],
      ])
      const undone = await drive.undo(id)
      expect([undone.apply.status, now()]).toEqual(['succeeded', there])
    },
  )
})
