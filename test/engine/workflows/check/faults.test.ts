import { describe, expect, it } from 'vitest'
import type { UnknownReason } from '../../../../core/engine/schema/resource.ts'
import { listEpisodes } from '../../../../core/engine/state/outbox.ts'
import { lawCases } from '../../../builders/laws.ts'
import { type Fault, type Received, type Shop, startShop } from '../../../builders/servers/fake-api.ts'
import { aSilence } from '../../../builders/servers/silence.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'

const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries, colour: red } }',
  '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea, size: 2 } }',
  '{ type: shop_label, name: sale, spec: { name: sale, text: all } }',
  '{ type: shop_board, name: hall, spec: { name: hall, title: Hall, rows: [{ key: a, value: "1" }] } }',
]

/** As desired. The wanted list and item stand on the second page. */
const stock = ({ state }: Shop): void => {
  for (const [id, name] of ['one', 'two', 'groceries'].entries()) state.lists.set(id, { id, name, colour: 'red' })
  for (const [id, title] of ['oats', 'salt', 'tea'].entries()) state.items.set(id, { id, list: 2, title, size: 2 })
  state.labels.set('sale', { name: 'sale', text: 'all' })
  state.boards.set('hall', { title: 'Hall', rows: [{ key: 'a', value: '1' }] })
}

const spoil = ({ state }: Shop): void => {
  state.lists.set(2, { id: 2, name: 'groceries', colour: 'grey' })
  state.items.set(2, { id: 2, list: 2, title: 'tea', size: 9 })
  state.labels.set('sale', { name: 'sale', text: 'nothing' })
  state.boards.set('hall', { title: 'Hall', rows: [{ key: 'a', value: '9' }] })
}

const reads: readonly {
  readonly path: string
  readonly address: string
  readonly listed?: boolean
  readonly absent?: boolean
}[] = [
  { path: '/lists?page=1', address: 'shop_list.main', listed: true },
  { path: '/lists?page=2', address: 'shop_list.main', listed: true },
  { path: '/lists/2', address: 'shop_list.main' },
  { path: '/lists/2/items?page=1', address: 'shop_item.tea', listed: true, absent: true },
  { path: '/lists/2/items?page=2', address: 'shop_item.tea', listed: true },
  { path: '/items/2', address: 'shop_item.tea' },
  { path: '/labels/sale', address: 'shop_label.sale', absent: true },
  { path: '/boards/hall', address: 'shop_board.hall', absent: true },
]

const answer = (status: number, more: Partial<Extract<Fault, { kind: 'answer' }>> = {}): Fault => ({
  kind: 'answer',
  status,
  ...more,
})
const html = { 'content-type': 'text/html' }

const faults: readonly (readonly [string, Fault, UnknownReason])[] = [
  ['401', answer(401), 'unauthorised'],
  ['403', answer(403), 'forbidden'],
  ['404', answer(404), 'unexpected_status'],
  ['409', answer(409), 'unexpected_status'],
  ['429', answer(429), 'rate_limited'],
  ['429 for a second', answer(429, { headers: { 'retry-after': '1' } }), 'rate_limited'],
  ['429 for an hour', answer(429, { headers: { 'retry-after': '3600' } }), 'rate_limited'],
  ['500', answer(500), 'server_error'],
  ['502', answer(502, { body: '<h1>Bad Gateway</h1>', headers: html }), 'server_error'],
  ['a reset', { kind: 'reset' }, 'network'],
  ['silence', { kind: 'silence' }, 'timeout'],
  ['half of the JSON', { kind: 'truncate' }, 'bad_body'],
  ['a login page', answer(200, { body: '<html>log in</html>', headers: html }), 'bad_body'],
  ['a login page that calls itself JSON', answer(200, { body: '<html>log in</html>' }), 'bad_body'],
  ['nothing', answer(200, { body: '' }), 'bad_body'],
  ['null', answer(200, { body: 'null' }), 'bad_body'],
  ['a text', answer(200, { body: '"ok"' }), 'bad_body'],
  ['a list', answer(200, { body: '[]' }), 'bad_body'],
  ['a list of texts', answer(200, { body: '{"items":["a"],"pages":1}' }), 'bad_body'],
  ['no number of pages', answer(200, { body: '{"items":[]}' }), 'bad_body'],
  ['another number of pages', answer(200, { body: '{"items":[],"pages":9}' }), 'bad_body'],
]

/** Faults about pages, for lists only. */
const ofLists = new Set(['a list of texts', 'no number of pages', 'another number of pages'])

const cases = reads.flatMap(({ path, address, listed, absent }) =>
  faults.flatMap(([name, fault, reason]) => {
    if (ofLists.has(name) && !listed) return []
    return name === '404' && absent ? [] : [{ name, path, address, fault, reason }]
  }),
)

const failing = (path: string, fault: Fault) => (request: Received) => (request.url === path ? fault : undefined)

/** A fault at a path, and the way to a shop that has it. */
const faultAt = (path: string, fault: Fault) => {
  const silence = aSilence((url) => isFailing && fault.kind === 'silence' && url.endsWith(path))
  let isFailing = false
  const fails = failing(path, fault)
  const begin = (shop: Shop): void => {
    isFailing = true
    shop.behaviour.fault = (request) => {
      const found = fails(request)
      if (found?.kind === 'silence') silence.heard()
      return found
    }
  }
  return { wire: silence.wire, begin }
}

describe('a read that fails says nothing about the object', () => {
  it.concurrent.each(lawCases(cases, 16))(
    'whose state was never known: $name from $path',
    async ({ path, address, fault, reason }) => {
      await using shop = await startShop()
      stock(shop)
      const { wire, begin } = faultAt(path, fault)
      const { check } = driveShop(shop, resources, { wire })
      begin(shop)
      const { run, plan } = await check()
      expect(run.status).toBe('incomplete')
      expect(plan).toMatchObject({ inSync: false, complete: false, changes: [], commands: [] })
      expect(plan?.unchecked).toContainEqual(expect.objectContaining({ address, reason, detail: expect.any(String) }))
      expect(shop.writes()).toEqual([])
    },
  )

  it.concurrent.each(lawCases(cases, 16))(
    'whose drift is known: $name from $path',
    async ({ path, address, fault, reason }) => {
      await using shop = await startShop()
      stock(shop)
      const { wire, begin } = faultAt(path, fault)
      const { check, alerts, clock, deps } = driveShop(shop, resources, { wire })
      expect((await check()).run.status).toBe('in_sync')
      spoil(shop)
      clock.forward(60_000)
      expect((await check()).plan?.changes).toHaveLength(resources.length)
      const [before] = await listEpisodes(deps.store, workspace)
      expect(before).toMatchObject({ key: 'drift', status: 'open' })
      // The server answers again for the ids that are on record, so only a read by id can fail now.
      begin(shop)
      clock.forward(60_000)
      shop.received.length = 0
      const { run, plan } = await check()
      const asked = shop.received.some(({ url }) => url === path)
      expect(run.status).toBe(asked ? 'incomplete' : 'changes')
      if (asked)
        expect(plan?.unchecked).toContainEqual(expect.objectContaining({ address, reason, detail: expect.any(String) }))
      expect(plan?.changes.map(({ action }) => action)).not.toContain('create')
      expect(plan?.changes.map(({ action }) => action)).not.toContain('delete')
      expect(plan?.changes.map((change) => change.address).includes(address)).toBe(!asked)
      // Neither resolved nor changed: what could not be read stays as it was known.
      expect((await listEpisodes(deps.store, workspace)).find(({ key }) => key === 'drift')).toEqual(before)
      expect(alerts.filter(({ about }) => about === 'drift').map(({ kind }) => kind)).toEqual(['opened'])
    },
  )

  it.each(reads.filter(({ absent }) => absent))(
    'but a 404 from $path means that the object does not exist',
    async ({ path, address }) => {
      await using shop = await startShop()
      stock(shop)
      const { check } = driveShop(shop, resources)
      shop.behaviour.fault = failing(path, answer(404))
      const { run, plan } = await check()
      expect(run.status).toBe('changes')
      expect(plan?.changes.map((change) => [change.address, change.action])).toEqual([[address, 'create']])
    },
  )

  it.each(['/lists', '/lists/2/items'])('also where %s repeats its first page for every other', async (list) => {
    await using shop = await startShop()
    stock(shop)
    const { check } = driveShop(shop, resources)
    const items = list === '/lists' ? shop.state.lists : shop.state.items
    const body = JSON.stringify({ items: [items.get(0), items.get(1)], pages: 2 })
    shop.behaviour.fault = ({ url }) => (url.startsWith(`${list}?page=`) ? answer(200, { body }) : undefined)
    const { run, plan } = await check()
    expect(run.status).toBe('incomplete')
    expect(plan?.changes).toEqual([])
    expect(plan?.unchecked).toContainEqual(expect.objectContaining({ reason: 'bad_body' }))
  })

  it.each(['/lists', '/lists/2/items'])('also where %s has more pages than the limit', async (list) => {
    await using shop = await startShop()
    stock(shop)
    const { check } = driveShop(shop, resources)
    shop.behaviour.fault = ({ url }) => {
      const page = url.startsWith(`${list}?page=`) ? Number(url.split('=')[1]) : undefined
      const items = [{ id: page, list: 2, name: `list ${page}`, title: `item ${page}` }]
      return page === undefined ? undefined : answer(200, { body: JSON.stringify({ items, pages: 9 }) })
    }
    const { run, plan } = await check()
    expect(run.status).toBe('incomplete')
    expect(plan?.changes).toEqual([])
    expect(plan?.unchecked).toContainEqual(expect.objectContaining({ reason: 'page_limit' }))
  })

  it('and a later check recovers after an answer was busy or cut off', async () => {
    await using shop = await startShop()
    stock(shop)
    const { check } = driveShop(shop, resources)
    const passing: readonly Fault[] = [answer(429, { headers: { 'retry-after': '1' } }), { kind: 'reset' }, answer(502)]
    shop.behaviour.fault = ({ url }, earlier) => passing[earlier.filter((each) => each.url === url).length]
    expect((await check()).run.status).toBe('in_sync')
  })
})
