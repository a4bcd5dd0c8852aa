import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { long } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'

/* Elements that are addressed by where they stand: each write moves those behind it. */

interface Rule {
  readonly name: string
  readonly port?: number
  readonly note?: string
}

/** One object with a list that only operations for single places change, as strict as such servers are. */
const aServer = async (rules: readonly Rule[], first = 0) => {
  const held = { rules: [...rules] }
  let meanwhile: ((rules: Rule[]) => void) | undefined
  const at = (text: string | undefined): number => Number(text) - first
  const server = await startThings({
    route: ({ method, url, body }) => {
      const [, , , place, call] = url.split('/')
      if (method === 'GET') {
        const shown = held.rules.map((rule, index) => ({ ...rule, index: index + first }))
        return { status: 200, body: JSON.stringify({ name: 'a', rules: shown }) }
      }
      // The place of an element is decided by the server, whatever a body says of it.
      const sent = (body === '' ? {} : JSON.parse(body)) as Rule & { to?: number; index?: number }
      const { to, index: _, ...rule } = sent
      const index = at(place)
      if (method !== 'POST' && (index < 0 || index >= held.rules.length)) return { status: 404, body: '{}' }
      if (method === 'DELETE') held.rules.splice(index, 1)
      else if (call === 'move') held.rules.splice(at(String(to)), 0, ...held.rules.splice(index, 1))
      else if (method === 'PUT') held.rules[index] = rule
      else held.rules.splice(to === undefined ? held.rules.length : at(String(to)), 0, rule)
      meanwhile?.(held.rules)
      return { status: 200, body: '{}' }
    },
  })
  return Object.assign(server, {
    held,
    /** Runs after each write. */
    after: (act: (rules: Rule[]) => void) => {
      meanwhile = act
    },
  })
}

const resource = (collection: string, create: string, move = '') => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: /things/a }
  add: { method: POST, path: /things/a/, body: ${create} }
  set: { method: PUT, path: "/things/a/{position}" }
  drop: { method: DELETE, path: "/things/a/{position}" }
  ${move === '' ? '' : 'move: { method: POST, path: "/things/a/{position}/move", body: { to: "{to}" } }'}
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    attributes: { name: { immutable: true } }
  - name: rules
    read: retrieve
    collection:
      field: rules
      ${collection}
      element: { name: {}, port: { type: number } }
      write: { each: { create: add, update: set, remove: drop${move} } }
`
const inserting = '{ name: "{el.name}", port: "{el.port?}", to: "{to}" }'
const appending = '{ name: "{el.name}", port: "{el.port?}" }'
const ordered = (first: number) => `key: [name]\n      ordered: true\n      positions: { first: ${first} }`

const shapes: readonly [string, string, 0 | 1][] = [
  ['inserts and moves', resource(ordered(0), inserting, ', move: move'), 0],
  ['appends and moves', resource(ordered(0), appending, ', move: move'), 0],
  ['only inserts', resource(ordered(1), inserting), 1],
]

const rulesOf = (names: string): readonly Rule[] => [...names].map((name, n) => ({ name, port: n }))

describe.each(shapes)('an ordered list of an API that %s', (_, text, first) => {
  it('becomes the declared list, whatever it was', async () => {
    const lists = fc.uniqueArray(fc.record({ name: fc.constantFrom(...'abcdefg'), port: fc.constantFrom(1, 2) }), {
      selector: ({ name }) => name,
    })
    await fc.assert(
      fc.asyncProperty(lists, lists, async (before, after) => {
        await using server = await aServer(before, first)
        const drive = driveThings(server, text, { a: { name: 'a', rules: after as unknown as Json } })
        const { digest, plan } = await drive.check()
        const applied = plan.inSync ? 'succeeded' : (await drive.apply(digest)).status
        expect(applied).toBe('succeeded')
        expect(server.held.rules).toEqual(after)
      }),
      lawRuns(25),
    )
  })
})

describe.each(shapes)('the undo of a change in an ordered list of an API that %s', (_, text, first) => {
  // What the server counts is no loss.
  const withIndex = text.replace(
    'port: { type: number } }',
    'port: { type: number }, index: { type: number, computed: true } }',
  )
  it('brings back the list where each command has an inverse, or is blocked before anything is sent', async () => {
    const names = fc.uniqueArray(fc.constantFrom(...'abcde'), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(names, names, async (before, after) => {
        const [there, wanted] = [rulesOf(before.join('')), rulesOf(after.join(''))]
        await using server = await aServer(there, first)
        const drive = driveThings(server, withIndex, { a: { name: 'a', rules: wanted as unknown as Json } })
        const { digest, plan } = await drive.check()
        if (plan.inSync) return
        const { id } = await drive.apply(digest)
        if (plan.commands.some(({ inverse }) => inverse === undefined)) return
        const undone = await drive.planUndo(id)
        if (undone.plan.counts.blocked > 0) expect(undone.plan.commands).toEqual([])
        else {
          await drive.apply(undone.plan.digests.commands)
          expect(server.held.rules).toEqual(there)
        }
      }),
      lawRuns(60),
    )
  })

  it('knows the order that the list has between its commands', long, async () => {
    const [there, wanted] = [rulesOf('adb'), rulesOf('dba')]
    await using server = await aServer(there, first)
    const drive = driveThings(server, withIndex, { a: { name: 'a', rules: wanted as unknown as Json } })
    const { id } = await drive.apply((await drive.check()).digest)
    const { plan } = await drive.planUndo(id)
    if (plan.commands.length === 0) return expect(plan.counts.blocked).toBe(1)
    expect(await drive.apply(plan.digests.commands)).toMatchObject({ status: 'succeeded' })
    expect(server.held.rules).toEqual(there)
  })

  it('has no inverse for what would come back in another place', async () => {
    await using server = await aServer(rulesOf('xab'), first)
    const drive = driveThings(server, withIndex, {
      a: {
        name: 'a',
        rules: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
      },
    })
    const { plan } = await drive.check()
    expect(plan.commands.map(({ inverse }) => inverse !== undefined)).toEqual([text.includes(inserting)])
  })
})

describe.each(shapes)('an ordered list with repeated keys, of an API that %s', (_, text, first) => {
  it('keeps the one of three elements that changes', async () => {
    const [changed, gone, last] = [
      { name: 'a', port: 3 },
      { name: 'b', port: 1 },
      { name: 'a', port: 3 },
    ]
    const wanted = [{ name: 'a', port: 1 }]
    await using server = await aServer([gone, changed, last], first)
    const drive = driveThings(server, text, { a: { name: 'a', rules: wanted as unknown as Json } })
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.held.rules).toEqual(wanted)
  })

  it('becomes the declared list, whatever it was', async () => {
    const rule = fc.record({ name: fc.constantFrom(...'ab'), port: fc.constantFrom(1, 2, 3) })
    const lists = fc.array(rule, { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(lists, lists, async (before, after) => {
        await using server = await aServer(before, first)
        const drive = driveThings(server, text, { a: { name: 'a', rules: after as unknown as Json } })
        const { digest, plan } = await drive.check()
        const applied = plan.inSync ? 'succeeded' : (await drive.apply(digest)).status
        expect(applied).toBe('succeeded')
        expect(server.held.rules).toEqual(after)
      }),
      lawRuns(100),
    )
  })
})

describe('elements with one key', () => {
  const there = [
    { name: 'a', port: 1, note: 'x' },
    { name: 'a', port: 1, note: 'y' },
  ]
  const wanted = (...ports: readonly number[]) => ({
    a: { name: 'a', rules: ports.map((port) => ({ name: 'a', port })) as unknown as Json },
  })

  it.each<[string, readonly number[], readonly Rule[]]>([
    ['goes', [1], there.slice(0, 1)],
    ['changes', [1, 2], [there[0] as Rule, { name: 'a', port: 2, note: 'y' }]],
  ])('are told apart by their positions in an ordered list, if one of them %s', async (_, ports, expected) => {
    await using server = await aServer(there)
    const drive = driveThings(server, shapes[0]?.[1] ?? '', wanted(...ports))
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.held.rules).toEqual(expected)
  })

  it('are not told apart by requests that name the key, so that a change of them is blocked with the reason', async () => {
    await using server = await aServer(there)
    const named = resource('key: [name]', appending).replaceAll('{position}', '{key.name}')
    const { plan } = await driveThings(server, named, wanted(1)).check()
    expect(plan.commands).toEqual([])
    expect(plan.changes.map(({ blocked }) => blocked?.detail)).toEqual([
      'rules cannot be written: several of its elements are called a, and requests for single elements name them by that; add to the key of the collection what tells them apart, or take all but one of them away by hand',
    ])
  })
})

describe('an ordered list', () => {
  it('moves no more elements than necessary', async () => {
    await using server = await aServer(rulesOf('abcde'))
    const rules = [...rulesOf('abcde').slice(1), { name: 'a', port: 0 }] as unknown as Json
    const drive = driveThings(server, shapes[0]?.[1] ?? '', { a: { name: 'a', rules } })
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([['POST /things/a/0/move', { to: 4 }]])
  })

  it('is changed from last to first, with the place of each element', async () => {
    await using server = await aServer(rulesOf('abcd'))
    const rules = [{ name: 'b', port: 1 }] as unknown as Json
    const drive = driveThings(server, shapes[0]?.[1] ?? '', { a: { name: 'a', rules } })
    const { plan, digest } = await drive.check()
    expect(plan.commands.map(({ about }) => about?.order?.map(({ name }) => name))).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c'],
      ['a', 'b'],
    ])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines()).toEqual([['DELETE /things/a/3'], ['DELETE /things/a/2'], ['DELETE /things/a/0']])
  })

  it('is left alone where somebody reordered it between two requests', async () => {
    await using server = await aServer(rulesOf('abcd'))
    server.after((rules) => {
      if (rules.length === 3) rules.unshift({ name: 'x' })
    })
    const drive = driveThings(server, shapes[0]?.[1] ?? '', { a: { name: 'a', rules: [] } })
    const { outcomes } = await drive.apply((await drive.check()).digest)
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'skipped', 'skipped'])
    expect(server.held.rules.map(({ name }) => name).join('')).toBe('xabc')
  })

  it('is left alone where somebody changed the next element', async () => {
    await using server = await aServer(rulesOf('abcd'))
    server.after((rules) => {
      if (rules.length === 3) rules[2] = { name: 'c', port: 99 }
    })
    const drive = driveThings(server, shapes[0]?.[1] ?? '', { a: { name: 'a', rules: [] } })
    const { outcomes } = await drive.apply((await drive.check()).digest)
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'skipped', 'skipped'])
    expect(server.held.rules.map(({ name }) => name).join('')).toBe('abc')
  })
})

describe('elements whose place the server decides', () => {
  const text = (positions: string) =>
    resource(`key: [name]${positions}`, appending)
      .replaceAll('{position}', '{el.index}')
      .replace('element: { ', 'element: { index: { type: number, computed: true }, ')
  const wanted = { a: { name: 'a', rules: [{ name: 'c', port: 9 }, { name: 'n' }] as unknown as Json } }

  it('are sent from last to first, after those that stay', async () => {
    await using server = await aServer(rulesOf('abcd'))
    const drive = driveThings(server, text('\n      positions: { member: index }'), wanted)
    expect(await drive.apply((await drive.check()).digest)).toMatchObject({ status: 'succeeded' })
    expect(server.lines().map(([line]) => line)).toEqual([
      'PUT /things/a/2',
      'DELETE /things/a/3',
      'DELETE /things/a/1',
      'DELETE /things/a/0',
      'POST /things/a/',
    ])
    expect(server.held.rules).toEqual([{ name: 'c', port: 9 }, { name: 'n' }])
  })

  it('are never confused where the document does not say that they move', long, async () => {
    await using server = await aServer(rulesOf('abcd'))
    const drive = driveThings(server, text(''), wanted)
    const seen: JsonObject[] = []
    server.after((rules) => void seen.push({ names: rules.map(({ name }) => name).join('') }))
    let rounds = 0
    while (!(await drive.check()).plan.inSync && rounds < 8) {
      await drive.apply((await drive.check()).digest)
      rounds += 1
      expect(server.held.rules.map(({ name }) => name)).toContain('c')
    }
    expect(server.held.rules).toEqual([{ name: 'c', port: 9 }, { name: 'n' }])
  })
})

describe('the definition of an ordered list', () => {
  it.each<[string, string, RegExp]>([
    ['of an ordered list without a count', 'key: [name]\n      ordered: true', /how the positions of its elements/],
    ['that counts what has no order', 'key: [name]\n      positions: { first: 0 }', /only an ordered list is counted/],
    ['whose place is no member', 'key: [name]\n      positions: { member: index }', /index.* is no computed member/],
    ['that counts what is left alone', `${ordered(0)}\n      manage: declared`, /left alone would be counted/],
  ])('is refused with %s', async (_, collection, message) => {
    await using server = await aServer([])
    const text = resource(collection, collection.includes('ordered') ? inserting : appending)
    const known = collection.includes('member') ? text.replaceAll('{position}', '{key.name}') : text
    await expect(driveThings(server, known, { a: { name: 'a', rules: [] } }).check()).rejects.toThrow(message)
  })

  it('is refused where nothing says where an element goes', async () => {
    await using server = await aServer([])
    const it = driveThings(server, resource(ordered(0), appending), { a: { name: 'a', rules: [] } })
    await expect(it.check()).rejects.toThrow(/no request contains the position of an element/)
  })
})
