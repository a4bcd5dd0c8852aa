import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { aDocument, aThing, aType, aWorld, lists } from '../../../semantics/world.ts'

/* Lists that answer for many objects spare requests, and decide nothing: the plan is the one without them. */

const attributes = `
size: { type: number, default: 1 }
color: { leftOut: true }
tags: { type: set, element: {}, leftOut: true }
box: { type: object, leftOut: true, attributes: { width: { type: number }, note: { leftOut: true } } }
`
const bulk = `
    bulk:
      - { op: list, match: { name: "{name}" } }
      - { op: colors, items: all, match: { of.name: "{name}" }, at: of, for: [color] }`
const withLists = (lines: string): string =>
  aDocument({
    thing: aType(attributes)
      .replace(
        'retrieve: { method: GET, path: "/things/{name}" }',
        `retrieve:\n    method: GET\n    path: "/things/{name}"${lines}`,
      )
      .replace(
        'operations:',
        'operations:\n  list: { method: GET, path: /things }\n  colors: { method: GET, path: /colors }',
      ),
  })

const count = 12
const names = Array.from({ length: count }, (_, n) => `t${String(n).padStart(2, '0')}`)

interface Case {
  /** What each thing is, and what is declared of it; null: there is none. */
  readonly things: readonly { readonly live: JsonObject | null; readonly wanted: JsonObject }[]
  /** The members that the list shows. */
  readonly shown: readonly string[]
  readonly list: 'whole' | 'twice' | 'old' | number
  readonly colors: 'whole' | number
}

const pickFrom = (object: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => members.includes(name)))

const serve = ({ shown, list, colors }: Case): NonNullable<Parameters<typeof aWorld>[0]['server']> => ({
  route: (asked, state) => {
    if (asked.method !== 'GET' || !/^\/(things|colors)($|\?)/.test(asked.url)) return undefined
    const found = lists({ ...asked, url: '/things' }, state)
    const all = JSON.parse(found?.body ?? '[]') as JsonObject[]
    if (asked.url.startsWith('/colors')) {
      if (typeof colors === 'number') return { status: colors, body: '<html>' }
      return {
        status: 200,
        body: JSON.stringify({ all: all.map(({ name, color }) => ({ of: { name, color: color ?? null } })) }),
      }
    }
    if (typeof list === 'number') return { status: list, body: '<html>' }
    const page = Number(new URL(asked.url, 'http://t').searchParams.get('page') ?? 0)
    const items = all
      .slice(page === 0 ? 0 : page - 1, page === 0 ? undefined : page)
      .map((one) => pickFrom(one, ['name', ...shown]))
    const answered =
      list === 'twice' ? [...items, ...items] : list === 'old' ? items.map((one) => ({ ...one, size: 77 })) : items
    return { status: 200, body: JSON.stringify(answered) }
  },
})

const worldOf = (given: Case, lines: string) =>
  aWorld({
    document: withLists(lines),
    resources: given.things.map(({ wanted }, n) => aThing(names[n] ?? '', wanted)),
    live: Object.fromEntries(
      given.things.flatMap(({ live }, n): [string, Json][] => {
        const name = names[n] ?? ''
        return live === null ? [] : [[name, { name, ...live }]]
      }),
    ),
    server: serve(given),
  })

const planned = async (given: Case, lines: string) => {
  await using world = await worldOf(given, lines)
  const { plan } = await world.check()
  const own = world.server.received.filter(({ url }) => /^\/things\/t/.test(url)).map(({ url }) => url.slice(8))
  const text = JSON.stringify({ ...plan, digests: undefined }).replaceAll(world.server.url, '')
  const pages = world.server.received.filter(({ url }) => url.includes('page=')).length
  return { plan: JSON.parse(text) as Json, own, pages }
}

const size = fc.constantFrom(1, 2)
const color = fc.constantFrom('red', 'blue')
const tags = fc.constantFrom<Json[]>([], ['a'], ['b', 'a'])
const box = fc.record<JsonObject>({ width: size, note: color }, { requiredKeys: [] })
const spec = fc.record<JsonObject>({ size, color, tags, box }, { requiredKeys: [] })
const world: fc.Arbitrary<Case> = fc.record({
  things: fc.array(fc.record({ live: fc.option(spec, { freq: 6 }), wanted: spec }), {
    minLength: count,
    maxLength: count,
  }),
  shown: fc.subarray(['size', 'color', 'tags', 'box'], { minLength: 2 }),
  list: fc.oneof(
    { weight: 4, arbitrary: fc.constant('whole' as const) },
    fc.constantFrom('twice' as const, 'old' as const, 200, 403, 500),
  ),
  colors: fc.oneof({ weight: 4, arbitrary: fc.constant('whole' as const) }, fc.constantFrom(200, 404)),
})

describe('lists that answer for many objects', () => {
  it('change no plan: it is the same as with a read of each object', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        const [listed, alone] = [await planned(given, bulk), await planned(given, '')]
        expect(listed.plan).toEqual(alone.plan)
        expect(alone.own).toEqual(expect.arrayContaining([...listed.own]))
      }),
      lawRuns(60),
    )
  })

  const same = { size: 2, color: 'red' }
  const all = (change: (n: number) => Partial<Case['things'][number]> = () => ({})): Case => ({
    things: names.map((_, n) => ({ live: same, wanted: same, ...change(n) })),
    shown: ['size'],
    list: 'whole',
    colors: 'whole',
  })

  it.each<[string, Case, readonly string[]]>([
    ['what is as declared is not asked for by itself', all(), []],
    ['what differs is', all((n) => (n === 3 ? { live: { size: 5, color: 'red' } } : {})), ['t03']],
    ['what is not there is', all((n) => (n === 4 ? { live: null } : {})), ['t04']],
    [
      'what the lists do not show is',
      all((n) => (n === 5 ? { live: { ...same, tags: ['a'] }, wanted: { tags: ['a'] } } : {})),
      ['t05'],
    ],
    ['what is only named is', all((n) => (n === 6 ? { wanted: {} } : {})), ['t06']],
    ['a list that shows an object twice shows none', { ...all(), list: 'twice' }, names],
    ['a list that failed shows none', { ...all(), list: 500 }, names],
    ['and so does a part of them', { ...all(), colors: 404 }, names],
  ])('spare the reads of single objects where they can: %s', async (_, given, own) => {
    const found = await planned(given, bulk)
    expect([...new Set(found.own)].toSorted()).toEqual(own)
  })

  it('show objects that other resources refer to, or these are read', async () => {
    const given = all((n) => (n === 7 ? { live: { ...same, tags: ['x'] } } : {}))
    const referring = given.things.map((thing, n) =>
      n === 8 ? { ...thing, wanted: { tags: '${resource.api_thing.t07.tags}' } } : thing,
    )
    const found = await planned({ ...given, things: referring }, bulk)
    expect(found.own).toEqual(expect.arrayContaining(['t07', 't08']))
    expect(found.plan).toEqual((await planned({ ...given, things: referring }, '')).plan)
  })

  it('are not read where they need more than half of the requests that they spare', async () => {
    const paged = bulk.replaceAll('op: list', 'op: paged')
    const operation = 'paged: { method: GET, path: /things, pagination: { style: page, param: page, maxPages: 50 } }'
    const { own, pages } = await planned(all(), `${paged}\n  ${operation}`)
    expect([own.length, pages]).toEqual([count, count / 2])
  })

  it('let an apply continue with what the check found', async () => {
    const given = all((n) => (n === 3 ? { live: { size: 5, color: 'red' } } : {}))
    await using world = await worldOf(given, bulk)
    const { apply } = await world.checkAndApply()
    expect(apply.status).toBe('succeeded')
    expect(world.sent()).toEqual(['PUT /things/t03'])
    expect((await world.check()).plan.inSync).toBe(true)
  })

  it('are not read for a few objects', async () => {
    const given = { ...all(), things: all().things.slice(0, 9) }
    expect((await planned(given, bulk)).own).toHaveLength(9)
  })
})
