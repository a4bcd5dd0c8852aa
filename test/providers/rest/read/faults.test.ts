import { describe, expect, it } from 'vitest'
import { lawCases } from '../../../builders/laws.ts'
import { long } from '../../../builders/long.ts'
import {
  type Call,
  driveParcels,
  type Fault,
  type ParcelsServer,
  type Site,
  startParcels,
} from '../../../builders/servers/parcels-api.ts'

/* Everything that can come back instead of an answer, at every call that a document can make. */

const box = (name: string, size = 1, note = '') => ({ name, size, note })
const [keep, update, renote, made, gone] = [box('keep'), box('update'), box('renote'), box('made'), box('gone')]

/** The server holds `keep`, `update`, `renote` and `gone`: two pages. */
const stock = ({ parcels }: ParcelsServer): void => {
  for (const [index, each] of [keep, update, renote, gone].entries()) parcels.set(index + 1, each)
}
/** What the second configuration wants: one of each action, and one that stays. */
const wanted = [keep, box('update', 2), box('renote', 1, 'fragile'), made]
const paths = { keep: '/parcels/1', update: '/parcels/2', renote: '/parcels/3', gone: '/parcels/4', made: '/parcels/5' }

const answer = (status: number, body = '{}', headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  body,
  headers,
})
const html = { 'content-type': 'text/html' }

const statuses = [302, 304, 401, 403, 404, 409, 412, 422, 429, 500, 502, 503]
const faults: readonly (readonly [string, Fault])[] = [
  ...statuses.map((status) => [String(status), answer(status)] as const),
  ['302 to another place', answer(302, '', { location: 'http://127.0.0.1:9/' })],
  ['429 for a second', answer(429, '{}', { 'retry-after': '1' })],
  ['503 for an hour', answer(503, '{}', { 'retry-after': '3600' })],
  ['an error page', answer(502, '<h1>Bad Gateway</h1>', html)],
  ['a reset', { kind: 'reset' }],
  ['a slow drip', { kind: 'drip' }],
  ['half of the answer', { kind: 'cut' }],
  ['JSON that ends early', answer(200, '{"id":1,"na')],
  ['a login page', answer(200, '<html>log in</html>', html)],
  ['a login page that calls itself JSON', answer(200, '<html>log in</html>')],
  ['nothing', answer(200, '')],
  ['204', answer(204, '')],
  ['null', answer(200, 'null')],
  ['a text', answer(200, '"ok"')],
  ['a list of lists', answer(200, '[[]]')],
  [
    'an error in a 200',
    answer(200, '{"error":"database","items":[],"pages":1,"id":1,"name":"keep","size":1,"note":""}'),
  ],
  ['garbage that says gzip', answer(200, '{}', { 'content-encoding': 'gzip' })],
  ['more than is taken', answer(200, JSON.stringify({ items: [], pages: 1, text: 'x'.repeat(30_000) }))],
]

/** Faults that only a list can have. */
const listFaults: readonly (readonly [string, Fault])[] = [
  ['no list in it', answer(200, '{"pages":2}')],
  ['a list of texts', answer(200, '{"items":["keep"],"pages":2}')],
  ['no number of pages', answer(200, '{"items":[]}')],
  ['another number of pages', answer(200, '{"items":[],"pages":7}')],
]
const pageFaults: readonly (readonly [string, Fault])[] = [
  ['the first page again', answer(200, '{"items":[{"id":1,"name":"keep"},{"id":2,"name":"update"}],"pages":2}')],
  ['a last page that is missing', answer(200, '{"items":[],"pages":2}')],
  ['fewer pages than were said', answer(200, '{"items":[{"id":3,"name":"renote"}],"pages":1}')],
]

const faultsOf = (site: Site) => [
  ...faults,
  ...(site.startsWith('list') || site === 'resolver' ? listFaults : []),
  ...(site === 'list page 2' ? pageFaults : []),
]

const readSites: readonly Site[] = ['login', 'resolver', 'list', 'list page 2', 'retrieve', 'part read']
const casesOf = (sites: readonly Site[]) =>
  sites.flatMap((site) => faultsOf(site).map(([name, fault]) => ({ site, name, fault })))
const readCases = casesOf(readSites)
/** A login, a list and an object: what is tried again does not depend on more. */
const onceCases = casesOf(['login', 'list', 'retrieve'])

/** A first look, and a second one that knows ids: everything else is served. */
const start = async () => {
  const server = await startParcels()
  stock(server)
  const drive = driveParcels(server, [keep, update, renote, gone])
  return { server, ...drive, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const honest = new Map([
  ['parcel_box.update', 'update'],
  ['parcel_box.renote', 'update'],
  ['parcel_box.made', 'create'],
  ['parcel_box.gone', 'delete'],
])

describe('a read that fails', () => {
  it('belongs to a system in sync before the fault', async () => {
    await using given = await start()
    expect((await given.check()).run.status).toBe('in_sync')
    given.want(wanted)
    const { plan } = await given.check()
    expect(new Map(plan?.changes.map(({ address, action }) => [address, action]))).toEqual(honest)
  })

  it.each(lawCases(readCases, 6))(
    'at $site with $name always: nothing is in sync, and nothing is planned from it',
    async ({ site, fault }) => {
      await using given = await start()
      given.server.behaviour.fault = (call) => (call.site === site ? fault : undefined)
      const { run, plan } = await given.check()
      expect(run.status).toBe('incomplete')
      expect(plan?.inSync).toBe(false)
      expect(plan?.changes).toEqual([])
      expect(plan?.unchecked).not.toEqual([])
      expect(given.server.writes()).toEqual([])
      const applied = await given.apply(run.digests?.commands ?? '')
      expect(applied.outcomes).toEqual([])
      expect(given.server.writes()).toEqual([])
    },
  )

  it.each(lawCases(onceCases, 4))(
    'at $site with $name once: the plan is true after another try, or unchecked',
    async ({ site, fault }) => {
      await using given = await start()
      given.server.behaviour.fault = (call, earlier) =>
        call.site === site && earlier.every((each) => each.site !== site) ? fault : undefined
      const { run, plan } = await given.check()
      expect(plan?.changes).toEqual([])
      expect(given.server.writes()).toEqual([])
      const calls = given.server.calls.filter((call) => call.site === site)
      const wasRepeated = calls.filter(({ path }) => path === calls[0]?.path).length > 1
      expect(run.status).toBe(wasRepeated ? 'in_sync' : 'incomplete')
    },
  )

  it.each(lawCases(readCases, 6))(
    'at $site with $name in a system that drifted: no change but the true ones is planned',
    async ({ site, fault }) => {
      await using given = await start()
      await given.check()
      given.want(wanted)
      given.server.behaviour.fault = (call) => (call.site === site ? fault : undefined)
      const { run, plan } = await given.check()
      for (const { address, action } of plan?.changes ?? [])
        expect([address, action]).toEqual([address, honest.get(address)])
      const told = [...(plan?.changes ?? []), ...(plan?.unchecked ?? [])].map(({ address }) => address)
      expect(told).toEqual(expect.arrayContaining([...honest.keys()]))
      expect(plan?.unchecked).not.toEqual([])
      expect(run.status).toBe('incomplete')
      expect(given.server.writes()).toEqual([])
    },
  )
})

/** Where a write goes, or what is asked around it, once the plan is made. */
const writeSites: readonly {
  readonly at: string
  readonly address: string
  hits(call: Call, earlier: readonly Call[]): boolean
}[] = [
  { at: 'create', address: 'parcel_box.made', hits: ({ site }) => site === 'create' },
  { at: 'poll', address: 'parcel_box.made', hits: ({ site, path }) => site === 'retrieve' && path === paths.made },
  { at: 'update', address: 'parcel_box.update', hits: ({ site }) => site === 'update' },
  {
    at: 'part write',
    address: 'parcel_box.renote',
    hits: ({ site, path }) => site === 'part write' && path === `${paths.renote}/note`,
  },
  { at: 'delete', address: 'parcel_box.gone', hits: ({ site }) => site === 'delete' },
  {
    at: 'read before the write',
    address: 'parcel_box.renote',
    hits: ({ path, method }, earlier) =>
      method === 'GET' &&
      path === `${paths.renote}/note` &&
      earlier.some((call) => call.path === path && call.method === 'GET'),
  },
]
const writeCases = writeSites.flatMap((site) => faults.map(([name, fault]) => ({ ...site, name, fault })))

describe('a write that fails', () => {
  it('belongs to an apply that succeeds before the fault', long, async () => {
    await using given = await start()
    await given.check()
    given.want(wanted)
    const { run } = await given.check()
    const digest = run.digests?.commands ?? ''
    expect(await given.apply(digest, 'check')).toMatchObject({ status: 'succeeded' })
    expect(given.server.writes()).toEqual([])
    expect(await given.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect((await given.check()).run.status).toBe('in_sync')
  })

  it.each(lawCases(writeCases, 6))(
    'at $at with $name is reported, and the next check reports the true state',
    async ({ address, hits, fault }) => {
      await using given = await start()
      await given.check()
      given.want(wanted)
      const { run } = await given.check()
      const digest = run.digests?.commands ?? ''
      expect(given.server.writes()).toEqual([])
      given.server.calls.length = 0
      given.server.behaviour.fault = (call, earlier) => (hits(call, earlier) ? fault : undefined)
      const applied = await given.apply(digest)
      expect(given.server.calls.some((call, index) => hits(call, given.server.calls.slice(0, index)))).toBe(true)
      expect(applied.status).not.toBe('succeeded')
      expect(JSON.stringify([applied.outcomes, applied.error])).toContain(address)
      given.server.behaviour.fault = () => undefined
      const after = await given.check()
      const isWhole = [...given.server.parcels.values()].map(({ name, size, note }) => `${name} ${size} ${note}`)
      const truth = wanted.map(({ name, size, note }) => `${name} ${size} ${note}`)
      expect(after.run.status).toBe(
        truth.every((each) => isWhole.includes(each)) && isWhole.length === truth.length ? 'in_sync' : 'changes',
      )
    },
  )
})

it('these cases are at least five hundred', () => {
  expect(2 * readCases.length + onceCases.length + writeCases.length).toBeGreaterThanOrEqual(500)
})
