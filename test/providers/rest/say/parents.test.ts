import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* Boxes with an id and a name, and what is in them under the name of the box: it answers under a former name by a redirect. */

const box = 'box: { required: true, in: path, refersTo: { type: api_box, attribute: name } }'
const document = (container = ', container: { id: id }') => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} } }
resources:
  api_box:
    operations:
      list: { method: GET, path: /boxes }
      retrieve: { method: GET, path: "/boxes/{name}" }
      create: { method: POST, path: /boxes, produces: { id: id } }
      update: { method: PATCH, path: "/boxes/{name}" }
    identity: { keys: [name]${container} }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    lifecycle: { preventDelete: true }
    parts: [{ name: main, read: list, write: { op: update }, attributes: { name: {} } }]
  api_item:
    operations:
      list: { method: GET, path: "/boxes/{box}/items" }
      create: { method: PUT, path: "/boxes/{box}/items/{name}" }
      delete: { method: DELETE, path: "/boxes/{box}/items/{name}" }
    identity: { keys: [box, name] }
    lookup: { list: {}, match: [name] }
    discover: {}
    parts: [{ name: main, read: list, write: { op: create }, attributes: { ${box}, name: { immutable: true }, size: { type: number } } }]
  api_hook:
    operations:
      list: { method: GET, path: "/boxes/{box}/hooks" }
      retrieve: { method: GET, path: "/boxes/{box}/hooks/{id}" }
      create: { method: POST, path: "/boxes/{box}/hooks", produces: { id: id } }
      update: { method: PATCH, path: "/boxes/{box}/hooks/{id}" }
      delete: { method: DELETE, path: "/boxes/{box}/hooks/{id}" }
    identity: { keys: [box, name] }
    lookup: { list: {}, match: [name] }
    serverId: { id: id }
    parts: [{ name: main, read: list, write: { op: update }, attributes: { ${box}, name: { immutable: true }, size: { type: number } } }]
  api_switch:
    operations:
      retrieve: { method: GET, path: "/boxes/{box}/switch" }
      update: { method: PATCH, path: "/boxes/{box}/switch" }
    identity: { keys: [box] }
    lookup: { retrieve: true }
    lifecycle: { single: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { ${box}, size: { type: number } } }]
`

interface Box {
  readonly id: number
  name: string
  readonly items: Map<string, JsonObject>
  readonly hooks: Map<string, JsonObject>
  on: JsonObject
}

const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })
const nothing = json({}, 404)

/** `written`: the id of the box that each write to something in a box reached. */
const boxServer = async () => {
  const boxes: Box[] = []
  const former = new Map<string, number>()
  const written: { readonly id: number; readonly line: string }[] = []
  const turns: (() => void)[] = []
  let hooks = 0
  const named = (name: string): Box | undefined => boxes.find((each) => each.name === name)
  const add = (name: string): Box => {
    const made: Box = {
      id: 100 + former.size + written.length + boxes.length + turns.length,
      name,
      items: new Map(),
      hooks: new Map(),
      on: { size: 0 },
    }
    boxes.push(made)
    return made
  }
  const rename = (from: string, to: string): void => {
    const one = named(from)
    if (one === undefined || named(to) !== undefined) return
    former.set(from, one.id)
    one.name = to
  }
  const remove = (name: string): void => {
    const at = boxes.findIndex((each) => each.name === name)
    if (at >= 0) boxes.splice(at, 1)
  }
  const inBox = (found: Box, method: string, [kind, key = '']: readonly string[], body: string) => {
    const given = body === '' ? {} : (JSON.parse(body) as JsonObject)
    if (kind === 'switch') {
      if (method !== 'GET') found.on = { ...found.on, ...given }
      return json(found.on)
    }
    const shelf = kind === 'items' ? found.items : found.hooks
    if (method === 'GET' && key === '') return json([...shelf.values()])
    if (method === 'DELETE') return shelf.delete(key) ? { status: 204 } : nothing
    if (method === 'POST') {
      hooks += 1
      shelf.set(String(hooks), { ...given, id: hooks })
      return json(shelf.get(String(hooks)), 201)
    }
    if (method === 'PUT') shelf.set(key, { ...given, name: key })
    const there = shelf.get(key)
    if (there === undefined) return nothing
    if (method === 'PATCH') shelf.set(key, { ...there, ...given })
    return json(shelf.get(key))
  }
  const server = await startThings({
    before: ({ method }) => {
      if (method === 'GET') turns.shift()?.()
    },
    route: ({ method, url, body }) => {
      const [, , name = '', ...rest] = url.split('/')
      if (url === '/boxes') return json(boxes.map(({ id, name: own }) => ({ id, name: own })))
      const found = named(name) ?? boxes.find(({ id }) => String(id) === name)
      const moved = boxes.find(({ id }) => id === former.get(name))
      if (found === undefined) {
        if (moved === undefined) return nothing
        return {
          status: 307,
          body: '{}',
          headers: { location: `/boxes/${moved.id}${rest.map((each) => `/${each}`).join('')}` },
        }
      }
      if (rest.length === 0) return json({ id: found.id, name: found.name })
      if (method !== 'GET') written.push({ id: found.id, line: `${method} ${url}` })
      return inBox(found, method, rest, body)
    },
  })
  return {
    server,
    boxes,
    written,
    turns,
    add,
    rename,
    remove,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const types = ['api_item', 'api_hook', 'api_switch']
const inside = (size: number, kinds: readonly string[] = types): readonly JsonObject[] =>
  kinds.map((type) => ({
    type,
    name: 'one',
    spec: { box: 'web', size, ...(type === 'api_switch' ? {} : { name: 'one' }) },
  }))

const started = async (container?: string) => {
  const api = await boxServer()
  const own = api.add('web')
  const drive = driveDocument(api.server, document(container), inside(1))
  expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
  expect(await drive.check()).toMatchObject({ run: { status: 'in_sync' } })
  api.written.length = 0
  return { api, own, drive }
}

type Started = Awaited<ReturnType<typeof started>>
type Step = (one: Started) => Promise<void> | void

const apply: Step = async ({ drive }) => {
  await drive.apply((await drive.check()).digest).catch(() => undefined)
}

/** What happens outside; each may also happen right before the answer of any read of an apply. */
const outside: Readonly<Record<string, (api: Started['api']) => void>> = {
  rename: (api) => api.rename('web', `old-${api.boxes.length}`),
  swap: (api) => {
    api.rename('web', `old-${api.boxes.length}`)
    if (!api.boxes.some(({ name }) => name === 'web')) api.add('web')
  },
  remake: (api) => {
    api.remove('web')
    api.add('web')
  },
  remove: (api) => api.remove('web'),
  back: (api) => {
    const first = api.boxes.find(({ name }) => name.startsWith('old-'))
    if (first !== undefined) api.rename(first.name, 'web')
  },
  fill: (api) => {
    const there = api.boxes.find(({ name }) => name === 'web')
    there?.items.set('one', { name: 'one', size: 7 })
    if (there !== undefined) there.on = { size: 7 }
  },
}

const event = fc.constantFrom(...Object.keys(outside))
const step: fc.Arbitrary<readonly [string, Step]> = fc.oneof(
  event.map((name) => [name, ({ api }: Started) => outside[name]?.(api)] as const),
  fc
    .integer({ min: 1, max: 5 })
    .map((size) => [`want ${size}`, ({ drive }: Started) => drive.want(inside(size))] as const),
  fc.constant(['apply', apply] as const),
  fc.tuple(event, fc.nat(14)).map(
    ([name, at]) =>
      [
        `apply, ${name} before read ${at}`,
        async (one: Started) => {
          const { digest } = await one.drive.check()
          one.api.turns.push(...Array.from({ length: at }, () => () => undefined), () => outside[name]?.(one.api))
          await one.drive.apply(digest).catch(() => undefined)
          one.api.turns.length = 0
        },
      ] as const,
  ),
)

describe('a child that is identified only by the name of its parent', () => {
  it('is never written in another parent than the recorded one, whatever happens to the names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), fc.boolean(), async (steps, givesUp) => {
        const one = await started()
        await using _ = one.api
        for (const [, run] of steps) await run(one)
        if (givesUp) one.drive.want([])
        await apply(one)
        expect(one.api.written.filter(({ id }) => id !== one.own.id)).toEqual([])
      }),
      lawRuns(25),
    )
  }, 120_000)

  eachOf(it, 1)(Array.from({ length: 12 }, (_, at) => at))(
    'is not written when its parent is created again before read %i of an apply',
    async (at) => {
      const one = await started()
      await using _ = one.api
      one.drive.want(inside(2))
      const { digest } = await one.drive.check()
      one.api.turns.push(...Array.from({ length: at }, () => () => undefined), () => outside['remake']?.(one.api))
      await one.drive.apply(digest)
      one.api.turns.length = 0
      await apply(one)
      expect(one.api.written.filter(({ id }) => id !== one.own.id)).toEqual([])
    },
  )

  it('would be written if the document did not say what identifies the parent', long, async () => {
    const one = await started('')
    await using _ = one.api
    outside['swap']?.(one.api)
    one.drive.want(inside(2))
    await apply(one)
    expect(one.api.written.map(({ id }) => id)).not.toContain(one.own.id)
    expect(one.api.written).not.toEqual([])
  })

  it('is not reported as unmanaged where it belongs to another parent', async () => {
    const one = await started()
    await using _ = one.api
    outside['swap']?.(one.api)
    one.api.boxes.at(-1)?.items.set('theirs', { name: 'theirs', size: 1 })
    one.drive.want(inside(1), { unmanaged: 'report' })
    const { plan } = await one.drive.check()
    expect(plan.unmanaged).toEqual([])
    expect(plan.unchecked).toContainEqual(
      expect.objectContaining({ address: 'api_item.*', detail: expect.stringContaining('is another box') }),
    )
  })

  it('needs one read of the parent in a run, however many children there are', async () => {
    const one = await started()
    await using _ = one.api
    one.api.server.received.length = 0
    await one.drive.check()
    const asked = one.api.server.received.map(({ method, url }) => `${method} ${url}`)
    expect(asked.toSorted()).toEqual(
      ['/boxes/web', '/boxes/web/hooks', '/boxes/web/items', '/boxes/web/switch'].map((url) => `GET ${url}`),
    )
  })
})
