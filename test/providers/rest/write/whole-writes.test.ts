import { describe, expect, it } from 'vitest'
import type { Command } from '../../../../core/engine/schema/command.ts'
import { urlWords } from '../../../../core/engine/values/url.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

const objectDocument = `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: object, drop: [self] }
    attributes:
      name: { in: path }
      title: {}
      size: { type: number, path: spec.size, send: spec.size }
      labels: { type: map, manage: declared, element: {} }
      rules: { type: set, key: [port], element: { type: object, attributes: { port: { type: number }, note: {} } } }
      changes: { type: number, computed: true }
`
const before = `{"name":"a","title":"T","self":"/things/a","changes":1,"secret":"hunter2-hunter2","id":9007199254740993,"rate":1.0,
"spec":{"size":1,"kind":"x"},"labels":{"k":"v"},"rules":[{"port":1,"note":"n","owner":"them"},{"port":2,"owner":"us"}],"$ref":"#/x","more":{"$secret":"env:NONE"}}`

const live = (command: Command | undefined) => command?.request.body as Record<string, unknown>

describe('a write that sends the whole object back', () => {
  it('contains the differences, and the rest as it was read: numbers, secrets, foreign marks', async () => {
    await using server = await startThings()
    server.state.set('/things/a', before)
    const spec = {
      name: 'a',
      title: 'New',
      size: 2,
      labels: { k: 'w', l: 'x' },
      rules: [{ port: 1, note: 'm' }, { port: 3 }],
    }
    const drive = driveThings(server, objectDocument, { a: spec })
    const { digest, plan } = await drive.check()
    expect(
      plan.commands.map(({ request }) => `${request.method} ${urlWords(request.url).replace(server.url, '')}`),
    ).toEqual(['PUT /things/a'])
    expect(live(plan.commands[0])).toMatchObject({
      $live: 'api_thing.a#main',
      digest: expect.stringMatching(/^hmac-sha256:/),
      without: ['/self'],
      with: { '/title': 'New', '/spec/size': 2, '/labels/k': 'w', '/labels/l': 'x' },
    })
    const applied = await drive.apply(digest)
    expect(applied).toMatchObject({ status: 'succeeded' })
    expect(server.writes()).toHaveLength(1)
    expect(server.state.get('/things/a')).toContain('"id":9007199254740993,"rate":1.0')
    expect(JSON.parse(server.state.get('/things/a') ?? '')).toEqual({
      ...JSON.parse(before),
      title: 'New',
      self: undefined,
      spec: { size: 2, kind: 'x' },
      labels: { k: 'w', l: 'x' },
      rules: [{ port: 1, note: 'm', owner: 'them' }, { port: 3 }],
    })
    expect(JSON.stringify([plan, await drive.ledger()])).not.toContain('hunter2')
    const again = await drive.check()
    expect(again.plan.inSync).toBe(true)
    expect(server.writes()).toHaveLength(1)
  })

  it('is refused where an undeclared member changed in between', async () => {
    await using server = await startThings()
    server.state.set('/things/a', before)
    const drive = driveThings(server, objectDocument, { a: { name: 'a', title: 'New' } })
    const { digest } = await drive.check()
    server.state.set('/things/a', before.replace('hunter2-hunter2', 'other-other-other'))
    await expect(drive.apply(digest)).resolves.toMatchObject({
      status: 'refused',
      error: { code: 'STALE_PLAN' },
    })
    expect(server.writes()).toEqual([])
  })

  it('is not sent where the object changed after the apply had read it', async () => {
    await using server = await startThings()
    server.state.set('/things/a', before)
    const drive = driveThings(server, objectDocument, { a: { name: 'a', title: 'New' } })
    const { digest } = await drive.check()
    let reads = 0
    server.behaviour.before = ({ method }, state) => {
      reads += method === 'GET' ? 1 : 0
      if (reads === 2) state.set('/things/a', before.replace('hunter2-hunter2', 'other-other-other'))
    }
    const applied = await drive.apply(digest)
    expect(applied.outcomes).toMatchObject([
      { status: 'failed', detail: expect.stringContaining('changed since the plan') },
    ])
    expect(server.writes()).toEqual([])
  })

  it.each<[string, string, string, number, string]>([
    ['in a member that nobody named', 'hunter2-hunter2', 'other-other-other', 1, 'failed'],
    ['in a declared member', '"title":"T"', '"title":"U"', 1, 'failed'],
    ['in what is dropped', '"self":"/things/a"', '"self":"/things/A"', 2, 'succeeded'],
  ])('is sent again after a refusal only with the present object: it changed %s', async (_, from, to, puts, status) => {
    const changed = before.replace(from, to)
    let isBusy = true
    await using server = await startThings({
      route: ({ method }, state) => {
        if (method !== 'PUT' || !isBusy) return undefined
        isBusy = false
        state.set('/things/a', changed)
        return { status: 429, headers: { 'retry-after': '1' } }
      },
    })
    server.state.set('/things/a', before)
    const drive = driveThings(server, objectDocument, { a: { name: 'a', title: 'New' } })
    expect((await drive.apply((await drive.check()).digest)).outcomes).toMatchObject([{ status }])
    expect(server.writes()).toHaveLength(puts)
    if (status === 'failed') expect(server.state.get('/things/a')).toBe(changed)
  })

  it('ignores changes of computed or dropped members', async () => {
    await using server = await startThings()
    server.state.set('/things/a', before)
    const drive = driveThings(server, objectDocument, { a: { name: 'a', title: 'New' } })
    const { digest } = await drive.check()
    server.state.set('/things/a', before.replace('"changes":1', '"changes":7').replace('"/things/a"', '"/things/A"'))
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/things/a') ?? '')).toMatchObject({ changes: 7, title: 'New' })
  })

  it('stores nothing that a target answers to it', async () => {
    await using server = await startThings({
      route: ({ method, body }) =>
        method === 'PUT' ? { status: 422, body: JSON.stringify({ got: body }) } : undefined,
    })
    server.state.set('/things/a', before)
    const drive = driveThings(server, objectDocument, { a: { name: 'a', title: 'New' } })
    const { digest } = await drive.check()
    const applied = await drive.apply(digest)
    expect(applied.outcomes).toMatchObject([{ status: 'failed', httpStatus: 422 }])
    expect(JSON.stringify([applied, await drive.ledger()])).not.toContain('hunter2')
  })
})
