import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../../core/engine/json/canonical.ts'
import { mapValue } from '../../../../core/engine/json/pointer.ts'
import type { PlannedRequest } from '../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { urlWords } from '../../../../core/engine/values/url.ts'
import { loadWorkspaceLater } from '../../../../core/engine/workflows/session/load/load-later.ts'
import { eachOf } from '../../../builders/long.ts'
import { type Shop, startShop } from '../../../builders/servers/fake-api.ts'
import { digestOf, driveShop } from '../../../builders/workspaces/shop-workspace.ts'

const password = { source: 'env:LABEL_PASSWORD', value: 'open "sesame" & co/ü' }
const rows = (...values: readonly string[]) =>
  values.map((value, index) => `{ key: "k${index}", value: "${value}" }`).join(', ')
const list = '{ type: shop_list, name: main, spec: { name: groceries, colour: red } }'
const tea = '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea, size: 2 } }'
const label = (kind: string, text: string) =>
  `{ type: shop_label, name: sale, spec: { name: sale, kind: ${kind}, list: "${'${resource.shop_list.main.id}'}", text: "${text}", password: { secret: "${password.source}" } } }`
const board = (...values: readonly string[]) =>
  `{ type: shop_board, name: hall, spec: { name: hall, title: Hall, rows: [${rows(...values)}] } }`

const world = [list, tea, label('big', 'all'), board('1', '2', '3', '4', '5')]
const moved = world.map((line) => line.replace('size: 2', 'size: 3').replace('red', 'blue'))

/** What is there, what is wanted then, and the commands between them: every kind of change. */
const cases: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
  [
    'creates, with ids that the server makes',
    [],
    world,
    [
      'PUT /boards/hall',
      'PATCH /boards/hall',
      'PATCH /boards/hall',
      'PATCH /boards/hall',
      'POST /lists',
      'POST /lists/101/items',
      'PUT /labels/sale',
    ],
  ],
  ['updates', world, moved, ['PATCH /lists/101', 'PATCH /items/102']],
  [
    'a replacement',
    world,
    [list, tea, label('small', 'all'), board('1', '2', '3', '4', '5')],
    ['DELETE /labels/sale', 'PUT /labels/sale'],
  ],
  [
    'deletes, of what shall be absent and of what left the configuration',
    world,
    [list, tea.replace('name: tea,', 'name: tea, absent: true,')],
    ['DELETE /labels/sale', 'DELETE /items/102', 'DELETE /boards/hall'],
  ],
  [
    'batches of a collection',
    world,
    [list, tea, label('big', 'all'), board('1', 'x', 'y', 'z')],
    ['PATCH /boards/hall', 'PATCH /boards/hall'],
  ],
  ['nothing', world, world, []],
]

const prepare = async (shop: Shop, before: readonly string[], after: readonly string[]) => {
  const drive = driveShop(shop, before)
  drive.secrets[password.source] = password.value
  if (before.length > 0) await drive.apply(digestOf(await drive.check()))
  expect((await drive.check()).run.status).toBe('in_sync')
  drive.configure(after)
  shop.received.length = 0
  return drive
}

/** A logged request as the socket must see it: its references in the words of this test. */
const onTheWire = ({ method, url, body }: PlannedRequest, base: string): string => {
  const known: Record<string, Json> = { 'env:LABEL_PASSWORD': password.value, 'shop_list.main/id': '101' }
  const resolved = mapValue(body ?? null, (value) => {
    const mark = value as { readonly $secret?: string; readonly $after?: string; readonly pointer?: string } | null
    return known[mark?.$secret ?? `${mark?.$after}${mark?.pointer}`]
  })
  const path = urlWords(url).replace(base, '').replace('(known after apply: shop_list.main /id)', '101')
  return canonicalJson({ method, path, body: resolved })
}

describe('the list of requests that an apply sends', () => {
  eachOf(it, 1)(cases)('is exactly what was planned and logged: %s', async (_, before, after, expected) => {
    await using shop = await startShop()
    const { check, apply, current, deps, entries } = await prepare(shop, before, after)

    await loadWorkspaceLater(current.bundle, deps)
    expect(shop.received).toEqual([])

    const found = await check()
    const logged = await apply(digestOf(found), 'check')
    expect(logged).toMatchObject({ status: 'succeeded', mode: 'check' })
    expect(logged.outcomes).toHaveLength(expected.length)
    expect(shop.writes()).toEqual([])
    expect(shop.received.length).toBeGreaterThan(0)

    const entriesOf = async (kind: string) =>
      (await entries())
        .filter((entry) => entry.kind === kind && [logged.id, executed?.id].includes(entry.applyId))
        .map(({ command }) => command?.['request'] as unknown as PlannedRequest)
    let executed: typeof logged | undefined
    const list = (await entriesOf('logged')).map((request) => onTheWire(request, shop.url))

    executed = await apply(digestOf(found))
    expect(executed).toMatchObject({ status: 'succeeded' })
    const sent = shop
      .writes()
      .map(({ method, url, body }) => canonicalJson({ method, path: url, body: body === '' ? null : JSON.parse(body) }))
    expect(sent).toEqual(list)
    expect(shop.writes().map(({ method, url }) => `${method} ${url}`)).toEqual(expected)
    expect((await check()).run.status).toBe('in_sync')
  })
})
