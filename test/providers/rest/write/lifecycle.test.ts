import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'
import { untilDeath } from '../../../builders/time/crash-point.ts'
import { configureText } from '../../../builders/workspaces/rest.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

/** What is adopted, kept, archived, looked up elsewhere: everything that is not simply made and deleted. */
const things = (lifecycle: string, more = '') => `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
  create: { method: POST, path: /things }
  update: { method: PATCH, path: "/things/{id}" }
  delete: { method: DELETE, path: "/things/{id}" }
  stop: { method: POST, path: "/things/{id}/stop", body: { force: true } }
  archive: { method: PATCH, path: "/things/{id}", body: { archived: true } }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
lifecycle: ${lifecycle}
${more}
parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: {}, size: { type: number } } }]
`

const start = (before: Readonly<Record<string, Json>> = {}) =>
  startThings({
    route: ({ method, url }, state) => {
      if (Object.keys(before).length > 0) {
        for (const [path, value] of Object.entries(before)) if (!state.has(path)) state.set(path, JSON.stringify(value))
        before = {}
      }
      if (method === 'GET' && url === '/things') {
        const all = [...state].filter(([path]) => path.startsWith('/things/') && path.split('/').length === 3)
        return { status: 200, body: `[${all.map(([, text]) => text).join(',')}]` }
      }
      return method === 'POST' && url.endsWith('/stop') ? { status: 204 } : undefined
    },
  })

describe('a type that adopts nothing', () => {
  const resource = things('{ adopt: false }')

  it.each([
    ['the same', { name: 'a', size: 1 }],
    ['another', { name: 'a', size: 2 }],
  ])('leaves %s object alone that was never recorded, at every check', async (_name, spec) => {
    await using server = await start({ '/things/9': { id: '9', name: 'a', size: 1 } })
    const { check } = driveThings(server, resource, { a: spec })
    for (const _ of [1, 2]) {
      const { plan, run } = await check()
      expect(plan?.changes).toMatchObject([{ action: 'update', blocked: { reason: 'not_adopted' } }])
      expect([plan?.commands, run.status]).toEqual([[], 'changes'])
    }
    expect(server.writes()).toEqual([])
  })

  it('manages the objects that it created itself', async () => {
    await using server = await start()
    const { check, apply, want } = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    const all = async () => apply((await check()).plan?.digests.commands ?? '')
    expect(await all()).toMatchObject({ status: 'succeeded' })
    want({ a: { name: 'a', size: 2 } })
    expect(await all()).toMatchObject({ status: 'succeeded' })
    want({})
    expect(await all()).toMatchObject({ status: 'succeeded' })
    expect(server.writes().map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE'])
  })

  it('recognises the object that it created right before it died', async () => {
    await using server = await start()
    const { check, deps } = driveThings(server, resource, { a: { name: 'a', size: 1 } })
    const digest = (await check()).plan?.digests.commands ?? ''
    const { id } = await requestApply({ workspace: 'things', mode: 'execute', digest, reason: 'r', actor }, deps)
    const run = (dying: typeof deps) => runApply({ workspace: 'things', applyId: id }, dying)
    expect(await untilDeath(deps, { at: 'send', n: 1, when: 'after' }, run)).toBe('died')
    const again = { workspace: 'things', applyId: id, patient: true }
    expect(await runApply(again, deps)).toMatchObject({ status: 'succeeded' })
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
    expect(server.writes()).toHaveLength(1)
  })
})

describe('an object that always exists', () => {
  const settings = `
operations:
  retrieve: { method: GET, path: /settings }
  update: { method: PUT, path: /settings }
lookup: { retrieve: true }
lifecycle: { single: true }
parts: [{ name: main, read: retrieve, write: { op: update, send: full }, attributes: { theme: {}, size: { type: number } } }]
`
  it('is changed, never created, and left alone when it leaves the configuration', async () => {
    await using server = await start({ '/settings': { theme: 'dark', size: 1 } })
    const { check, apply, want } = driveThings(server, settings, { a: { theme: 'light' } })
    const { plan } = await check()
    expect(await apply(plan?.digests.commands ?? '')).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([['PUT /settings', { theme: 'light', size: 1 }]])
    want({})
    expect((await check()).plan).toMatchObject({ changes: [], commands: [] })
  })

  it('is unchecked where it is missing', async () => {
    await using server = await start()
    const { check } = driveThings(server, settings, { a: { theme: 'light' } })
    const { plan } = await check()
    expect(plan).toMatchObject({ changes: [], unchecked: [{ detail: expect.stringContaining('never created') }] })
  })
})

describe('an object that others only refer to', () => {
  const resource = `
operations:
  list: { method: GET, path: /things }
  retrieve: { method: GET, path: "/things/{id}" }
identity: { keys: [name] }
lookup: { list: {}, match: [name] }
serverId: { id: id }
lifecycle: { mode: reference }
parts: [{ name: main, read: retrieve, attributes: { name: {}, url: { computed: true } } }]
`
  it('is found, and never written', async () => {
    await using server = await start({ '/things/9': { id: '9', name: 'a', url: 'u' } })
    const { check, want } = driveThings(server, resource, { a: { name: 'a' } })
    expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
    want({ a: { name: 'b' } })
    expect((await check()).plan).toMatchObject({ changes: [], unchecked: [{ reason: 'unresolved' }] })
    want({})
    expect((await check()).plan).toMatchObject({ changes: [], commands: [], unchecked: [] })
  })
})

describe('an object that is archived instead of deleted', () => {
  const resource = things('{ delete: { op: archive, gone: { where: { archived: true } } } }')

  it('counts as gone then, and its name is free', async () => {
    await using server = await start()
    const { check, apply, want } = driveThings(server, resource, { a: { name: 'a' } })
    const all = async () => apply((await check()).plan?.digests.commands ?? '')
    await all()
    want({})
    expect(await all()).toMatchObject({ status: 'succeeded' })
    expect(await check()).toMatchObject({ run: { status: 'in_sync' }, plan: { changes: [] } })
    want({ a: { name: 'a' } })
    expect(await all()).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([
      ['POST /things', { name: 'a' }],
      ['PATCH /things/1', { archived: true }],
      ['POST /things', { name: 'a' }],
    ])
  })
})

describe('a call that must come before a delete', () => {
  it('is sent before it', async () => {
    await using server = await start({ '/things/9': { id: '9', name: 'a' } })
    const { check, apply, want } = driveThings(server, things('{ beforeDelete: [stop] }'), { a: { name: 'a' } })
    await check()
    want({})
    const { plan } = await check()
    expect(plan?.commands.map(({ action, grade }) => [action, grade])).toEqual([
      ['call', 'lossy'],
      ['delete', 'lossy'],
    ])
    expect(await apply(plan?.digests.commands ?? '')).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([['POST /things/9/stop', { force: true }], ['DELETE /things/9']])
  })
})

describe('a call before a delete that only some objects need', () => {
  it.each<[string, number, string[]]>([
    ['is made', 1, ['POST /things/9/stop', 'DELETE /things/9']],
    ['is left out', 0, ['DELETE /things/9']],
  ])('is sent for %s, as the object was read', async (_what, size, lines) => {
    await using server = await start({ '/things/9': { id: '9', name: 'a', size } })
    const life = '{ beforeDelete: [{ op: stop, when: { size: [1, 2] } }] }'
    const { check, apply, want } = driveThings(server, things(life), { a: { name: 'a' } })
    await check()
    want({})
    const { plan } = await check()
    expect(await apply(plan?.digests.commands ?? '')).toMatchObject({ status: 'succeeded' })
    expect(server.lines().map(([line]) => line)).toEqual(lines)
  })
})

describe('an attribute that no create accepts', () => {
  const switched = things('{}').replace('size: {', 'power: { default: on, sendOn: update }, size: {')
  it.each<[string, string[]]>([
    ['on', ['POST /things']],
    ['off', ['POST /things', 'PATCH /things/1']],
  ])('is written after the create unless it has its default: %s', async (power, lines) => {
    await using server = await start()
    const { check, apply } = driveThings(server, switched, { a: { name: 'a', power } })
    const { plan } = await check()
    await apply(plan?.digests.commands ?? '')
    expect(server.lines().map(([line]) => line)).toEqual(lines)
  })
})

describe('a lookup in another collection', () => {
  const resource = things('{}')
    .replace(
      'lookup: { list: {}, match: [name] }',
      'lookup: { list: { op: orders }, match: [name], at: { name: resource_name }, ids: { id: resource }, where: { state: ok }, follow: retrieve }',
    )
    .replace('operations:\n', 'operations:\n  orders: { method: GET, path: /orders }\n')
  const check = async (orders: Json, whereNot = '{}') => {
    await using server = await start({ '/orders': orders, '/things/9': { id: '9', name: 'a', size: 1 } })
    const document = resource.replace(', follow: retrieve', `, whereNot: ${whereNot}, follow: retrieve`)
    return await driveThings(server, document, { a: { name: 'a', size: 1 } }).check()
  }

  it('leads from the item to the object', async () => {
    const { run } = await check([
      { id: 'o1', resource: '8', resource_name: 'a', state: 'terminated' },
      { id: 'o2', resource: '9', resource_name: 'a', state: 'ok' },
    ])
    expect(run.status).toBe('in_sync')
  })

  it('does not take an item without an object for absent', async () => {
    const { plan } = await check([{ id: 'o2', resource: null, resource_name: 'a', state: 'ok' }])
    expect(plan).toMatchObject({
      changes: [],
      unchecked: [{ reason: 'busy', detail: expect.stringContaining('no id yet') }],
    })
  })

  it('skips items that contain excluded values', async () => {
    const gone = { id: 'o1', resource: null, resource_name: 'a', state: 'ok', phase: 'over' }
    const items = [gone, { id: 'o2', resource: '9', resource_name: 'a', state: 'ok', phase: 'on' }]
    expect((await check(items)).plan?.unchecked).toMatchObject([{ reason: 'ambiguous' }])
    expect((await check(items, '{ phase: over }')).run.status).toBe('in_sync')
    expect((await check([gone], '{ phase: over }')).plan?.changes).toMatchObject([{ action: 'create' }])
  })

  it('finds nothing where no item fits', async () => {
    const { plan } = await check([{ id: 'o2', resource: '9', resource_name: 'b', state: 'ok' }])
    expect(plan?.changes).toMatchObject([{ action: 'create' }])
  })
})

describe('documents with contradictions', () => {
  const head = 'provider: { id: api, baseUrl: "http://api.test" }\nresources:\n  api_thing:\n'
  const base = things('{}')
  const cases: [string, string, RegExp][] = [
    ['keys of nothing', base.replace('identity: { keys: [name] }\n', ''), /nothing distinguishes the objects/],
    [
      'a delete of settings',
      things('{ single: true, delete: { op: archive } }'),
      /settings are never created and never deleted/,
    ],
    ['a replacement of settings', things('{ single: true, onImmutable: replace }'), /settings are never replaced/],
    ['a reference that is written', things('{ mode: reference }'), /only referred to is never written/],
    ['no such delete', things('{ delete: { op: forget } }'), /no operation "forget"/],
    ['everything is gone', things('{ delete: { gone: { where: {} } } }'), /every object would count as gone/],
    ['a call that reads', things('{ beforeDelete: [list] }'), /"list" only reads/],
    ['a call by what nothing has', things('{ beforeDelete: [{ op: stop, when: { power: [on] } }] }'), /"power"/],
    [
      'another collection that leads nowhere',
      base.replace('match: [name] }', 'match: [name], at: { name: title } }'),
      /only lead to the object/,
    ],
    [
      'ids that nobody knows',
      base.replace('match: [name] }', 'match: [name], ids: { uuid: id }, follow: retrieve }'),
      /"uuid" is no serverId/,
    ],
    ['states without names', things('{ states: { at: state } }'), /no state is named/],
    ['a state that is both', things('{ states: { at: state, busy: [X], error: [x] } }'), /both busy and error/],
    ['a poll that writes', things('{}', 'wait: { poll: update }'), /may write/],
    ['no such poll', things('{}', 'wait: { poll: status }'), /no operation "status"/],
    ['a state without an end', things('{}', 'wait: { poll: retrieve, state: state }'), /no state is named as its end/],
    [
      'an end without a state',
      things('{}', 'wait: { poll: retrieve, ok: [OK] }'),
      /where does the answer hold the state/,
    ],
    [
      'an end that is both',
      things('{}', 'wait: { poll: retrieve, state: s, ok: [OK], error: [Ok] }'),
      /both ok and error/,
    ],
    [
      'a wait that is too short',
      things('{}', 'wait: { poll: retrieve, intervalSeconds: 60, timeoutSeconds: 5 }'),
      /before the first poll/,
    ],
    [
      'an id that nobody declared',
      things('{}', 'wait: { poll: retrieve, produces: { uuid: id } }'),
      /"uuid" is no serverId/,
    ],
    [
      'a read that waits',
      base.replace('path: "/things/{id}" }', 'path: "/things/{id}", wait: { poll: list } }'),
      /nothing to wait for/,
    ],
    [
      'a poll that lacks a variable',
      base
        .replace('path: /things }', 'path: "/things/{order}" }')
        .replace('lifecycle: {}', 'wait: { poll: { op: list, from: { other: id } } }'),
      /\{order\} has no value/,
    ],
  ]
  it.each(cases)('are refused with the reason: %s', (_name, text, message) => {
    const configured = configureText(head + text.replaceAll(/^(?=.)/gm, '    '), {})
    const issues = configured.ok ? [] : configured.issues
    expect(issues.map((issue) => issue.message).join('\n')).toMatch(message)
    for (const { line, fix } of issues) expect([line > 1, fix !== '']).toEqual([true, true])
  })
})
