import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { driveThings, startThings, type ThingsOptions } from '../../../builders/servers/things-api.ts'

const documentOf = (lock: string, { send = 'full', calls = '' } = {}): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: PUT, path: "/things/{name}" }
  delete: { method: DELETE, path: "/things/{name}" }
  rename: { method: POST, path: "/things/{name}/rename", lock: true }
  tag: { method: POST, path: "/things/{name}/tag" }
identity: { keys: [name] }
lookup: { retrieve: true }
${lock === '' ? '' : `lock: ${lock}`}
${calls}
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send} }
    attributes:
      name: { in: path }
      title: {}
      note: {}
      size: { type: number }
      version: { type: number, computed: true }
`
const etag = '{ etag: true, create: true }'
const there: JsonObject = { title: 'old', size: 1 }
const spec = { name: 'x', title: 'new', size: 2 }

const open = async (document: string, options: ThingsOptions, object: JsonObject | undefined = there) => {
  const server = await startThings(options)
  if (object !== undefined) server.state.set('/things/x', JSON.stringify(object))
  return { server, drive: driveThings(server, document, { x: spec }) }
}

/** Runs once, right before the first write is answered: nobody had a chance to read it. */
const inTheWindow = (change: (state: Map<string, string>) => void): Pick<ThingsOptions, 'before'> => {
  let isDone = false
  return {
    before: ({ method }, state) => {
      if (method === 'GET' || isDone) return
      isDone = true
      change(state)
    },
  }
}
const intruder = (state: Map<string, string>) =>
  void state.set('/things/x', JSON.stringify({ ...there, title: 'theirs', version: 7 }))

describe('a version in a write', () => {
  it.each(['header', 'trailer'] as const)('is an ETag of a %s, sent as If-Match', async (place) => {
    const { server, drive } = await open(documentOf(etag), { etag: place })
    await using _ = server
    const { plan, digest } = await drive.check()
    const [command] = plan.commands
    expect(command?.precondition).toEqual({
      kind: 'etag',
      etag: expect.stringMatching(/^"\w{12}"$/),
      digest: expect.stringMatching(/^sha256:/),
    })
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    const precondition = command?.precondition as { readonly etag: string }
    expect(server.writes()[0]?.headers['if-match']).toBe(precondition.etag)
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it.each(['header', 'trailer'] as const)(
    'lets the server refuse an object that changed in the meantime (%s)',
    async (place) => {
      const { server, drive } = await open(documentOf(etag), { etag: place, ...inTheWindow(intruder) })
      await using _ = server
      const { digest } = await drive.check()
      const applied = await drive.apply(digest)
      expect(applied.outcomes).toMatchObject([
        {
          status: 'failed',
          httpStatus: 412,
          detail: expect.stringContaining('the target refused the stale write (412)'),
        },
      ])
      expect(JSON.parse(server.state.get('/things/x') ?? '')).toMatchObject({ title: 'theirs', size: 1 })
    },
  )

  it('is a weak ETag only where the document says that it works', async () => {
    for (const [lock, kind] of [
      [etag, 'reread'],
      ['{ etag: true, weak: true }', 'etag'],
    ] as const) {
      const { server, drive } = await open(documentOf(lock), { etag: 'weak' })
      await using _ = server
      expect((await drive.check()).plan.commands[0]?.precondition).toMatchObject({ kind })
    }
  })

  it('is missing where the server gives none, and the object is read again instead', async () => {
    const { server, drive } = await open(documentOf(etag), {})
    await using _ = server
    const { plan, digest } = await drive.check()
    expect(plan.commands[0]?.precondition).toMatchObject({ kind: 'reread' })
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  })

  it.each([
    ['another body', documentOf('{ field: version, send: version }'), { version: 3, title: 'new', size: 2 }],
    ['the whole object', documentOf('{ field: version, send: version }', { send: 'object' }), undefined],
  ])('is a generation in %s', async (_name, document, body) => {
    const { server, drive } = await open(document, { generation: 'version' }, { ...there, version: 3 })
    await using _ = server
    const { plan, digest } = await drive.check()
    expect(plan.commands[0]?.precondition).toMatchObject({ kind: 'field', pointer: '/version', value: 3 })
    if (body !== undefined) expect(plan.commands[0]?.request.body).toEqual(body)
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/things/x') ?? '')).toEqual({ title: 'new', size: 2, version: 4 })
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('is reported as a conflict (409) where the generation has changed', async () => {
    const document = documentOf('{ field: version, send: version }')
    const window = inTheWindow(intruder)
    const { server, drive } = await open(document, { generation: 'version', ...window }, { ...there, version: 3 })
    await using _ = server
    const applied = await drive.apply((await drive.check()).digest)
    expect(applied.outcomes).toMatchObject([{ httpStatus: 409, detail: expect.stringContaining('stale write (409)') }])
  })

  it('can be a generation in the query', async () => {
    const { server, drive } = await open(
      documentOf('{ field: version, query: if version }'),
      {},
      { ...there, version: 3 },
    )
    await using _ = server
    expect((await drive.check()).plan.commands[0]?.request.url).toBe(`${server.url}/things/x?if%20version=3`)
  })

  it('says in a create that the object must not exist', async () => {
    const { server, drive } = await open(documentOf(etag), { etag: 'header', ...inTheWindow(intruder) })
    server.state.clear()
    await using _ = server
    const { plan, digest } = await drive.check()
    expect(plan.commands[0]).toMatchObject({
      precondition: { kind: 'absent' },
      request: { headers: { 'If-None-Match': '*' } },
    })
    const applied = await drive.apply(digest)
    expect(applied.outcomes).toMatchObject([
      { status: 'failed', httpStatus: 412, detail: expect.stringContaining('stale') },
    ])
  })

  it('is sent with a delete', async () => {
    const { server, drive } = await open(documentOf(etag), { etag: 'header' }, { title: 'new', size: 2 })
    await using _ = server
    await drive.check()
    drive.want({})
    const { plan, digest } = await drive.check()
    expect(plan.commands).toMatchObject([{ action: 'delete', precondition: { kind: 'etag' } }])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  })
})

const calls = `
actions:
  rename: { on: [title], op: rename, body: { title: "{desired.title}" } }`

/** A call that changes the object, as the server's own code does. */
const renaming: ThingsOptions['route'] = ({ method, url, body, headers }, state) => {
  if (method !== 'POST' || !url.endsWith('/rename')) return undefined
  const object = JSON.parse(state.get('/things/x') ?? '{}') as JsonObject
  const sent = JSON.parse(body) as JsonObject
  if (object['version'] !== undefined && headers['if-match'] === undefined && sent['version'] !== object['version']) {
    return { status: 409, body: '{}' }
  }
  const version = object['version'] === undefined ? {} : { version: Number(object['version']) + 1 }
  state.set('/things/x', JSON.stringify({ ...object, title: sent['title'] ?? null, ...version }))
  return { status: 200, body: '{}' }
}

describe('our own writes cause no conflict with each other', () => {
  it.each([
    ['full', etag, { etag: 'header' }],
    ['object', etag, { etag: 'trailer' }],
    ['full', '{ field: version, send: version }', { generation: 'version' }],
    ['object', '{ field: version, send: version }', { generation: 'version' }],
  ] as const)('in a call followed by a write of %s with %s', async (send, lock, options) => {
    const object = { ...there, ...('generation' in options ? { version: 3 } : {}) }
    const { server, drive } = await open(documentOf(lock, { send, calls }), { ...options, route: renaming }, object)
    await using _ = server
    const { plan, digest } = await drive.check()
    expect(plan.commands.map(({ action, precondition }) => [action, precondition?.kind])).toEqual([
      ['call', 'etag' in options ? 'etag' : 'field'],
      ['update', 'chained'],
    ])
    const applied = await drive.apply(digest)
    expect(applied.outcomes.map(({ status, detail }) => [status, detail])).toEqual([
      ['succeeded', undefined],
      ['succeeded', undefined],
    ])
    expect(JSON.parse(server.state.get('/things/x') ?? '')).toMatchObject({ title: 'new', size: 2 })
    expect((await drive.check()).plan.inSync).toBe(true)
    if ('etag' in options) expect(new Set(server.writes().map(({ headers }) => headers['if-match'])).size).toBe(2)
  })

  it('because an object without a version is compared before each write of it', async () => {
    const tagging = `
actions:
  tag: { on: [note], op: tag, order: after }
  mark: { on: [mark], op: tag, order: after }`
    const document = documentOf(etag, { calls: tagging }).replace(
      'note: {}',
      'note: { leftOut: true }\n      mark: { leftOut: true }',
    )
    const { server, drive } = await open(document, { etag: 'header' })
    await using _ = server
    drive.want({ x: { ...spec, note: 'n', mark: 'm' } })
    const { plan } = await drive.check()
    expect(plan.commands.map(({ precondition }) => precondition?.kind)).toEqual(['etag', 'chained', 'chained'])
  })

  it('because the whole object is read again for the second write, with or without a version', async () => {
    const { server, drive } = await open(documentOf('', { send: 'object', calls }), { route: renaming })
    await using _ = server
    const { plan, digest } = await drive.check()
    expect(plan.commands.map(({ precondition }) => precondition?.kind)).toEqual(['reread', 'chained'])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.parse(server.state.get('/things/x') ?? '')).toEqual({ title: 'new', size: 2 })
  })

  it('but a write of somebody else between the two does', async () => {
    const { server, drive } = await open(documentOf(etag, { calls }), {
      etag: 'header',
      route: (request, state) => {
        const answer = renaming?.(request, state)
        if (answer === undefined) return undefined
        state.set('/things/x', JSON.stringify({ ...JSON.parse(state.get('/things/x') ?? ''), note: 'theirs' }))
        return answer
      },
    })
    await using _ = server
    const { digest } = await drive.check()
    const applied = await drive.apply(digest)
    expect(applied.outcomes).toMatchObject([
      { status: 'succeeded' },
      { status: 'failed', detail: expect.stringContaining('changed between the plan and api_thing.x#2') },
    ])
    expect(server.writes()).toHaveLength(1)
  })
})
