import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { eachItem } from '../../../../core/engine/state/store/commit.ts'
import { keys } from '../../../../core/engine/state/store/keys.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../../../core/engine/workflows/workspace/remove-workspace.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { aLoopback } from '../../../builders/servers/loopback.ts'
import { driveBundle } from '../../../builders/workspaces/example-workspace.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

/** How pages end: by a link, by a total in a header, by a total in the body, by a short page. */
const paginations = {
  link: '{ style: link, size: { param: size, value: 2 } }',
  shortLink: '{ style: link, size: { param: size, value: 2 }, shortEnds: true }',
  headerTotal: '{ style: page, param: page, size: { param: size, value: 2 }, total: { header: X-Total } }',
  bodyTotal: '{ style: page, param: page, size: { param: size, value: 2 }, total: total }',
  short: '{ style: page, param: page, size: { param: size, value: 2 }, shortEnds: true }',
} as const
type PageStyle = keyof typeof paginations

/** How the server makes its ETags. `body`: of the body alone, as most do; its headers may change under the same ETag. */
const tags = ['body', 'weak', 'counter', 'none', 'lastModified'] as const
/** What it does besides. */
const habits = ['honest', 'answers304ForOthers', 'brokenTags', 'bodyIn304'] as const

const document = (pages: PageStyle, conditional: boolean): string => `
provider:
  id: shelf
  with: { baseUrl: {}, key: { secret: true } }
  baseUrl: "{with.baseUrl}"
  auth: { bearer: { secret: "{with.key}" } }
  pagination: ${paginations[pages]}
  reads: { list: { bytes: 1000000, seconds: 60 }${conditional ? ', conditional: weak' : ''} }
resources:
  shelf_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{id}" }
      create: { method: POST, path: /things }
      update: { method: PATCH, path: "/things/{id}" }
      delete: { method: DELETE, path: "/things/{id}" }
    identity: { keys: [name] }
    lookup: { list: { items: items }, match: [name] }
    serverId: { id: id }
    discover: { op: list, items: items }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true, immutable: true }, size: { type: number } } }]
`

interface World {
  /** By id. */
  readonly things: Map<number, { name: string; size: number }>
  next: number
  /** In the body of each page, whose ETag changes then. */
  saysTotal: boolean
  version: number
  tag: (typeof tags)[number]
  habit: (typeof habits)[number]
}

const startShelf = async (saysTotal = false) => {
  const world: World = { things: new Map(), next: 1, saysTotal, version: 0, tag: 'body', habit: 'honest' }
  const counts = { whole: 0, notModified: 0 }
  const server = await aLoopback((request, response) => {
    const url = new URL(request.url ?? '', 'http://shelf')
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    const reply = (status: number, body: Json): void => {
      const text = JSON.stringify(body)
      const etag = tagOf(world, text)
      if (etag !== undefined && status === 200) headers['etag'] = etag
      if (world.tag === 'lastModified') headers['last-modified'] = 'Sat, 21 Nov 2026 06:00:00 GMT'
      const asked = request.headers['if-none-match']
      const isEqual = status === 200 && asked !== undefined && asked === etag && world.habit !== 'brokenTags'
      const isOther = world.habit === 'answers304ForOthers' && asked !== undefined && asked !== etag
      if (isEqual || isOther) {
        counts.notModified += 1
        response.writeHead(304, { etag: isOther ? '"of another"' : (etag ?? '"x"') })
        response.end(world.habit === 'bodyIn304' ? '{"name":"wrong"}' : undefined)
        return
      }
      counts.whole += 1
      response.writeHead(status, headers).end(text)
    }
    const id = Number(url.pathname.split('/')[2] ?? Number.NaN)
    const all = [...world.things].map(([each, thing]) => ({ id: each, ...thing }))
    if (url.pathname !== '/things') {
      const found = all.find((each) => each.id === id)
      return found === undefined ? reply(404, { message: 'not found' }) : reply(200, found)
    }
    const page = Number(url.searchParams.get('page') ?? '1')
    const items = all.slice((page - 1) * 2, page * 2)
    if (page * 2 < all.length) headers['link'] = `<${server.url}/things?size=2&page=${page + 1}>; rel="next"`
    headers['x-total'] = String(all.length)
    return reply(200, world.saysTotal ? { items, total: all.length } : { items })
  })
  return { ...server, world, counts }
}

const tagOf = ({ tag, version }: World, text: string): string | undefined => {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  if (tag === 'body') return `"${hash}"`
  if (tag === 'weak') return `W/"${hash}"`
  return tag === 'counter' ? `"${version}"` : undefined
}

const names = ['ann', 'bob', 'cy', 'dan', 'eve']
const driveShelf = (url: string, pages: PageStyle, conditional: boolean) => {
  const entry = JSON.stringify({
    workspace: 'shelf',
    unmanaged: 'report',
    providers: {
      shelf: {
        source: 'rest',
        definition: './shelf.provider.yaml',
        with: { baseUrl: url, key: { secret: 'env:KEY' } },
      },
    },
    resources: names.slice(0, 3).map((name) => ({ type: 'shelf_thing', name, spec: { name, size: 1 } })),
  })
  const files = { 'plumbline.yaml': entry, 'shelf.provider.yaml': document(pages, conditional) }
  return driveBundle({ secrets: { 'env:KEY': 'k-123456' }, base: url }, { entry: 'plumbline.yaml', files }, 'shelf')
}

type Step =
  | { readonly kind: 'add' | 'remove' | 'resize'; readonly of: number }
  | { readonly kind: 'tag'; readonly tag: World['tag'] }
  | { readonly kind: 'habit'; readonly habit: World['habit'] }
  | { readonly kind: 'lose' | 'spoil' | 'newKey' }

const change = (world: World, step: Step): void => {
  if (step.kind === 'tag') world.tag = step.tag
  if (step.kind === 'habit') world.habit = step.habit
  world.version += 1
  const ids = [...world.things.keys()]
  const id = 'of' in step ? ids[step.of % Math.max(1, ids.length)] : undefined
  if (step.kind === 'add') {
    world.things.set(world.next, { name: names[('of' in step ? step.of : 0) % names.length] ?? '', size: 1 })
    world.next += 1
  }
  const thing = id === undefined ? undefined : world.things.get(id)
  if (id !== undefined && step.kind === 'remove') world.things.delete(id)
  if (id !== undefined && thing && step.kind === 'resize') world.things.set(id, { ...thing, size: thing.size + 1 })
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('add', 'remove', 'resize'), of: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tag'), tag: fc.constantFrom(...tags) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('habit'), habit: fc.constantFrom(...habits) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('lose', 'spoil', 'newKey') }) },
) as fc.Arbitrary<Step>

describe('conditional reads', () => {
  it('observe the same as ordinary ones, whatever server, store and credentials do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(Object.keys(paginations) as PageStyle[])),
        fc.array(steps, { minLength: 1, maxLength: 8 }),
        async (pages, all) => {
          await using shelf = await startShelf(pages === 'bodyTotal')
          for (const [n, name] of names.slice(0, 4).entries()) shelf.world.things.set(n + 1, { name, size: 1 })
          shelf.world.next = 5
          const plain = driveShelf(shelf.url, pages, false)
          const clever = driveShelf(shelf.url, pages, true)
          for (const step of all) {
            change(shelf.world, step)
            const { store } = clever.deps
            if (step.kind === 'lose' || step.kind === 'spoil') {
              for await (const item of eachItem(store, { pk: keys.answers('shelf', '').pk })) {
                const bytes = new Uint8Array([1, 2, 3])
                await store.write([
                  step.kind === 'lose' ? { kind: 'delete', key: item } : { kind: 'put', item: { ...item, bytes } },
                ])
              }
            }
            if (step.kind === 'newKey')
              clever.secrets['env:KEY'] = plain.secrets['env:KEY'] = `k-${shelf.world.version}`
            const [expected, found] = [await plain.check(), await clever.check()]
            const seen = ({ plan, run }: typeof found) => ({
              status: run.status,
              changes: plan.changes,
              // In the order in which answers came.
              drift: plan.drift.toSorted((a, b) => (a.address < b.address ? -1 : 1)),
              unchecked: plan.unchecked,
              unmanaged: plan.unmanaged,
              observed: run.digests?.observed,
            })
            expect(seen(found)).toEqual(seen(expected))
          }
        },
      ),
      lawRuns(30),
    )
  }, 120_000)

  it('are not used right before a write, which reads the object whole', async () => {
    await using shelf = await startShelf()
    for (const [n, name] of names.slice(0, 3).entries()) shelf.world.things.set(n + 1, { name, size: 2 })
    const { check, apply } = driveShelf(shelf.url, 'shortLink', true)
    await check()
    const { digest } = await check()
    shelf.seen.splice(0)
    await apply(digest)
    const before = shelf.seen.flatMap(({ method }, n) => (method === 'PATCH' ? [shelf.seen[n - 1]] : []))
    expect(before.map((read) => [read?.method, read?.headers['if-none-match']])).toEqual(
      names.slice(0, 3).map(() => ['GET', undefined]),
    )
  })

  it('cost nothing where nothing changed, in another process too, and are deleted with their workspace', async () => {
    await using shelf = await startShelf()
    for (const [n, name] of names.slice(0, 3).entries()) shelf.world.things.set(n + 1, { name, size: 1 })
    const { check, deps, current } = driveShelf(shelf.url, 'shortLink', true)
    await putWorkspace({ bundle: current.bundle, actor }, deps)
    await check()
    const cold = { ...shelf.counts }
    expect((await check()).run.status).toBe('in_sync')
    expect(shelf.counts).toEqual({ whole: cold.whole, notModified: cold.whole })
    const packs = () => Array.fromAsync(eachItem(deps.store, { pk: keys.answers('shelf', '').pk }))
    expect(await packs()).toHaveLength(1)
    await removeWorkspace({ workspace: 'shelf', actor, reason: 'test' }, deps)
    expect(await packs()).toHaveLength(0)
  })
})
