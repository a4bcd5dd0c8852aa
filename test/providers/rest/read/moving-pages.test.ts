import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memo } from '../../../../core/engine/transport/memo.ts'
import { long } from '../../../builders/long.ts'
import { aListServer, listItems, numberOf, pagedDocument } from '../../../builders/servers/paged-lists.ts'
import { providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const type = typeOf(providerOf(pagedDocument('{ style: offset, param: offset }'), {}), 'api_thing')
const bare = typeOf(
  providerOf(
    pagedDocument('{ style: offset, param: offset }').replace('serverId: { id: id }', '').replaceAll('{id}', '{name}'),
    {},
  ),
  'api_thing',
)

/** Lists as they are at one page after the other, from the first on; the last stays. */
const moving = (...states: (typeof listItems)[]) =>
  aListServer((request, n) => {
    const items = states[Math.min(n, states.length) - 1] ?? []
    const offset = numberOf(request, 'offset')
    return { body: { items: items.slice(offset, offset + 2) } }
  })

const read = (transport: Parameters<typeof memo>[0], name: string, of = type) =>
  of.read({ address: 'api_thing.one', attributes: { name } }, { transport: memo(transport) })

const [a, b, c, d, e] = listItems as [never, never, never, never, never]

describe('a list that changes while it is read', () => {
  it.each([
    ['by its id', type],
    ['by its keys, where it has no id', bare],
  ])('is unknown where one object is on two pages: %s', async (_, of) => {
    const before = { id: 'n9', name: 'z' }
    const api = moving([a, b, c], [before, a, b, c])
    expect(await read(api, 'c', of)).toMatchObject({
      kind: 'unknown',
      reason: 'bad_body',
      detail: expect.stringContaining('moved'),
    })
  })

  /* Where ids count anew within each parent, two objects have one id; a key that can change is no part of what it is. */
  it.each([
    ['a key that cannot change tells them apart', '{ immutable: true }', 'present'],
    ['so does a key in the path', '{ in: path }', 'present'],
    ['a key that can change does not', '{}', 'unknown'],
  ])('is unknown or not with one id on two pages: %s', async (_, name, kind) => {
    const document = pagedDocument('{ style: offset, param: offset }')
      .replace('{ immutable: true }', name)
      .replace('where: { id: "{id}" } } }', 'where: { name: "{name}" } } }, write: { op: update }')
      .replace('POST, path: /things }', 'POST, path: /things, body: { name: "{name}" } }')
      .replace('    identity:', '      update: { method: PATCH, path: "/things/{id}" }\n    identity:')
    const api = moving([a, b, { id: 'n0', name: 'c' } as never])
    expect(await read(api, 'c', typeOf(providerOf(document, {}), 'api_thing'))).toMatchObject({ kind })
  })

  it('is read again before an object counts as absent', async () => {
    // a goes after the first page: c moves into that, where nobody looks any more.
    const api = moving([a, b, c, d], [b, c, d])
    expect(await read(api, 'c')).toMatchObject({ kind: 'present', ids: { id: 'n2' } })
  })

  it('is read again once for all objects', async () => {
    const api = moving([a, b, c, d, e])
    const shared = memo(api)
    const names = ['x', 'y', 'z']
    const found = await Promise.all(
      names.map((name) => type.read({ address: `api_thing.${name}`, attributes: { name } }, { transport: shared })),
    )
    expect(found).toEqual(names.map(() => ({ kind: 'absent' })))
    expect(api.sent).toHaveLength(2 * 4)
  })

  it('is not read again where it came in one answer', async () => {
    const whole = typeOf(providerOf(pagedDocument('{ style: none }'), {}), 'api_thing')
    const api = aListServer(() => ({ body: { items: listItems } }))
    expect(await read(api, 'x', whole)).toEqual({ kind: 'absent' })
    expect(api.sent).toHaveLength(1)
  })

  /** Law: whatever comes and goes between two pages, what is there all the time is never absent. */
  it('never loses an object that stays', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.subarray([a, b, d, e]), { minLength: 1, maxLength: 2 }), async (states) => {
        const withC = states.map((state) =>
          [...state, c].toSorted((x: { name: string }, y: { name: string }) => (x.name < y.name ? -1 : 1)),
        )
        expect(await read(moving(...withC), 'c')).not.toEqual({ kind: 'absent' })
      }),
    ))
})

describe('an item that cannot be distinguished from others', () => {
  const listing = (...items: object[]) => aListServer(() => ({ body: { items: items as never } }))
  const whole = typeOf(providerOf(pagedDocument('{ style: none }'), {}), 'api_thing')
  it.each([
    ['no key', { id: 'n9' }, 'name'],
    ['null for a key', { id: 'n9', name: null }, 'name'],
    ['no id', { name: 'x' }, 'id'],
    ['an object for an id', { id: {}, name: 'x' }, 'id'],
  ])('makes the list unknown: %s', async (_, item, lacks) => {
    const expected = {
      kind: 'unknown',
      reason: 'bad_body',
      detail: expect.stringContaining(`without a readable ${lacks}`),
    }
    expect(await read(listing(...listItems, item), 'gone', whole)).toMatchObject(expected)
    expect(await read(listing(item, ...listItems), 'a', whole)).toMatchObject(expected)
  })

  it('is a different object where the document says that answers omit the key', async () => {
    const lax = typeOf(
      providerOf(
        pagedDocument('{ style: none }').replace(
          'name: { immutable: true }',
          'name: { immutable: true, leftOut: true }',
        ),
        {},
      ),
      'api_thing',
    )
    expect(await read(listing({ id: 'n9' }), 'gone', lax)).toEqual({ kind: 'absent' })
  })
})

it('a list of 200,000 items is read', long, async () => {
  const many = Array.from({ length: 200_000 }, (_, n) => ({ id: `m${n}`, name: `m${n}` }))
  const whole = typeOf(providerOf(pagedDocument('{ style: none }'), {}), 'api_thing')
  const api = aListServer(() => ({ body: { items: many } }))
  expect(await read(api, 'm199999', whole)).toMatchObject({ kind: 'present' })
})
