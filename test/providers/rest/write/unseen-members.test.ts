import { describe, expect, it } from 'vitest'
import { mapValue } from '../../../../core/engine/json/pointer.ts'
import { isObject, type Json, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { driveDocument, startThings } from '../../../builders/servers/things-api.ts'

/* What is written whole replaces what it leaves out: members of elements that no read shows go along at every depth, or are told as lost. */

const user = 'type: object, attributes: { name: {}, role: {}, pin: { sensitive: true, writeOnly: true } }'
const shapes: Readonly<Record<string, string>> = {
  set: `{ type: set, key: [name], element: { ${user} } }`,
  list: `{ type: list, key: [name], element: { ${user} } }`,
  'list without a key': `{ type: list, element: { ${user} } }`,
  'set without a key': `{ type: set, element: { ${user} } }`,
  'list in elements': `{ type: set, key: [id], element: { type: object, attributes: { id: {}, users: { type: list, element: { ${user} } } } } }`,
  collection: '',
}

const documentOf = (shape: string, method: string, send: string): string => `
provider: { id: api, baseUrl: "{with.baseUrl}", with: { baseUrl: {} }, reads: { absent: [404] } }
resources:
  api_door:
    operations:
      retrieve: { method: GET, path: "/doors/{name}" }
      create: { method: PUT, path: "/doors/{name}" }
      update: { method: ${method}, path: "/doors/{name}" }
      delete: { method: DELETE, path: "/doors/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: ${send} }
        attributes: { name: {}, n: { type: number }${shape === 'collection' ? '' : `, users: ${shapes[shape] ?? ''}`} }
${
  shape === 'collection'
    ? `      - name: users
        read: retrieve
        collection: { field: users, key: [name], element: { name: {}, role: {}, pin: { sensitive: true, writeOnly: true } }, write: { op: update, body: { users: "{all}" } } }`
    : ''
}
`

const hasNoKey = (shape: string): boolean => shape.endsWith('without a key') || shape === 'list in elements'
const lostIn = (shape: string): string => (shape === 'list in elements' ? '/users/*/users/*/pin' : '/users/*/pin')

const pins = { a: { secret: 'env:A' }, b: { secret: 'env:B' } }
const inShape = (shape: string, users: readonly JsonObject[]): Json =>
  shape === 'list in elements' ? [{ id: 'one', users }] : users

/** Members of no name that is ours, as a server has more than a document says. */
const changedBy = (text: string, change: (user: JsonObject) => JsonObject): string =>
  JSON.stringify(
    mapValue(JSON.parse(text) as Json, (inner) =>
      isObject(inner) && inner['pin'] !== undefined ? change(inner) : undefined,
    ),
  )

const story = async (
  shape: string,
  [method, send]: readonly [string, string],
  mask: string | undefined,
  { declares = true, changes = 'users' }: { readonly declares?: boolean; readonly changes?: 'users' | 'n' } = {},
) => {
  await using server = await startThings({
    route: ({ method: asked, url }, state) => {
      const there = state.get(url)
      if (asked !== 'GET' || there === undefined) return undefined
      return {
        status: 200,
        body: changedBy(there, ({ pin: _, ...shown }) => ({ ...shown, ...(mask === undefined ? {} : { pin: mask }) })),
      }
    },
  })
  const door = (users: readonly JsonObject[]): JsonObject => ({
    type: 'api_door',
    name: 'd',
    spec: { name: 'd', n: 1, users: inShape(shape, users) },
  })
  const users = (isDeclared: boolean) => [
    { name: 'a', role: 'r', ...(isDeclared && { pin: pins.a }) },
    { name: 'b', role: 'r', ...(isDeclared && { pin: pins.b }) },
  ]
  const drive = driveDocument(server, documentOf(shape, method, send), [door(users(true))])
  drive.secrets['env:A'] = 'hunter-of-a'
  drive.secrets['env:B'] = 'hunter-of-b'
  await drive.apply((await drive.check()).digest)
  const moved = changedBy(server.state.get('/doors/d') ?? '', (each) => ({
    ...each,
    own: `own-${String(each['name'])}`,
    ...(changes === 'users' && each['name'] === 'b' && { role: 'other' }),
  }))
  const before = changes === 'n' ? moved.replace('"n":1', '"n":4') : moved
  server.state.set('/doors/d', before)
  drive.want([door(users(declares))])
  const { plan, digest } = await drive.check()
  const { id, status } = await drive.apply(digest)
  const repaired = JSON.parse(server.state.get('/doors/d') ?? '{}') as Json
  const [{ grade, loses } = {}] = plan.commands
  if (grade === 'reversible') await drive.undo(id)
  const undone = JSON.parse(server.state.get('/doors/d') ?? '{}') as Json
  return { status, repaired, undone, before: JSON.parse(before) as Json, grade, loses, text: JSON.stringify(plan) }
}

const sends = [
  ['PUT', 'full'],
  ['PUT', 'object'],
  ['PATCH', 'changed'],
  ['PATCH', 'jsonPatch'],
  ['PATCH', 'mergePatch'],
] as const

const cases = Object.keys(shapes).flatMap((shape) =>
  (shape === 'collection' ? sends.slice(2, 3) : sends).map((send) => ({ shape, method: send[0], send: send[1] })),
)
const wholeUsers = (shape: string): Json =>
  inShape(shape, [
    { name: 'a', role: 'r', pin: 'hunter-of-a', own: 'own-a' },
    { name: 'b', role: 'r', pin: 'hunter-of-b', own: 'own-b' },
  ])

describe.each([
  ['nothing', undefined],
  ['a mask', '****'],
])('a member of elements of which an answer shows %s', (_, mask) => {
  const keyed = cases.filter(({ shape }) => !hasNoKey(shape))

  eachOf(it, 2)(keyed)(
    'goes along, and back, where others differ: $shape, $method, $send',
    async ({ shape, method, send }) => {
      const { status, repaired, undone, before, grade, text } = await story(shape, [method, send], mask)
      expect(status).toBe('succeeded')
      expect(repaired).toEqual({ name: 'd', n: 1, users: wholeUsers(shape) })
      expect(grade).toBe('reversible')
      expect(undone).toEqual(before)
      expect(text).not.toContain('hunter')
    },
  )

  eachOf(it, 3)(cases.filter(({ shape }) => hasNoKey(shape)))(
    'goes along, and is told to be lost for the way back, where elements have no key: $shape, $method, $send',
    async ({ shape, method, send }) => {
      const { repaired, grade, loses } = await story(shape, [method, send], mask)
      expect(changedBy(JSON.stringify(repaired), ({ own: _, ...each }) => each)).toBe(
        changedBy(JSON.stringify({ name: 'd', n: 1, users: wholeUsers(shape) }), ({ own: _, ...each }) => each),
      )
      expect([grade, loses?.at(-1)]).toEqual(['lossy', lostIn(shape)])
    },
  )

  eachOf(it, 4)(cases)(
    'is no mask, and told to be lost, where it is not declared: $shape, $method, $send',
    async ({ shape, method, send }) => {
      const { repaired, loses, grade } = await story(shape, [method, send], mask, { declares: false })
      expect(JSON.stringify(repaired)).not.toContain('pin')
      expect([grade, loses?.at(-1)]).toEqual(['lossy', lostIn(shape)])
    },
  )

  eachOf(it, 2)(cases.filter(({ method }) => method === 'PUT'))(
    'goes along where only another attribute differs: $shape, $send',
    async ({ shape, method, send }) => {
      const { repaired, grade } = await story(shape, [method, send], mask, { changes: 'n' })
      expect(repaired).toEqual({ name: 'd', n: 1, users: wholeUsers(shape) })
      expect(grade).toBe('reversible')
    },
  )
})

/** Elements that are written beside others, which do not change. `pin`: what is declared for the others. */
const besideOthers = async (
  { shape, method, send }: (typeof cases)[number],
  {
    pin = {},
    others = [],
    wanted,
  }: { pin?: JsonObject; others?: readonly JsonObject[]; wanted: readonly JsonObject[] },
) => {
  await using server = await startThings({
    route: ({ method: asked, url }, state) => {
      const there = state.get(url)
      if (asked !== 'GET' || there === undefined) return undefined
      return { status: 200, body: changedBy(there, ({ pin: _, ...shown }) => shown) }
    },
  })
  const door = (users: readonly JsonObject[]): JsonObject => ({
    type: 'api_door',
    name: 'd',
    spec: { name: 'd', n: 1, users: inShape(shape, users) },
  })
  const manage = others.length > 0 ? 'key: [name], manage: declared' : 'key: [name]'
  const document = documentOf(shape, method, send).replace('key: [name]', manage)
  const drive = driveDocument(server, document, [door([{ name: 'a', role: 'r', pin: pins.a }])])
  drive.secrets['env:A'] = 'hunter-of-a'
  drive.secrets['env:B'] = 'hunter-of-b'
  await drive.apply((await drive.check()).digest)
  const made = JSON.parse(server.state.get('/doors/d') ?? '{}') as JsonObject
  const before = JSON.stringify({ ...made, users: [...(made['users'] as readonly JsonObject[]), ...others] })
  server.state.set('/doors/d', before)
  drive.want([door([{ name: 'a', role: 'r', ...pin }, ...wanted])])
  const { plan, digest } = await drive.check()
  const { id } = await drive.apply(digest)
  const users = (JSON.parse(server.state.get('/doors/d') ?? '{}') as JsonObject)['users']
  const [{ grade, loses } = {}] = plan.commands
  if (grade === 'reversible') await drive.undo(id)
  const undone = JSON.parse(server.state.get('/doors/d') ?? '{}') as Json
  return { grade, loses, users, undone, before: JSON.parse(before) as Json }
}

describe.each(cases.filter(({ shape }) => ['set', 'list', 'collection'].includes(shape)))(
  'an element with a member that no read shows: $shape, $method, $send',
  (each) => {
    const added = { name: 'b', role: 'r', pin: pins.b }

    it('is added beside others, whose own goes along and back', long, async () => {
      const { grade, users, undone, before } = await besideOthers(each, { pin: { pin: pins.a }, wanted: [added] })
      expect(users).toEqual([
        { name: 'a', role: 'r', pin: 'hunter-of-a' },
        { name: 'b', role: 'r', pin: 'hunter-of-b' },
      ])
      expect(grade).toBe('reversible')
      expect(undone).toEqual(before)
    })

    it('is added beside others, whose own is told to be lost where nobody declares it', async () => {
      const { grade, loses } = await besideOthers(each, { wanted: [added] })
      expect([grade, loses]).toEqual(['lossy', ['/users/*/pin']])
    })
  },
)

describe('an element of a collection that is written whole beside elements of others', () => {
  const others = [{ name: 'z', role: 'r', pin: 'nobody-knows' }]
  const collection = { shape: 'collection', method: 'PATCH', send: 'changed' } as const

  it.each([
    { what: 'is added with a secret', pin: { pin: pins.a }, wanted: [{ name: 'b', role: 'r', pin: pins.b }] },
    { what: 'is added without one', pin: { pin: pins.a }, wanted: [{ name: 'b', role: 'r' }] },
    { what: 'has a secret of its own changed', pin: { pin: pins.b }, wanted: [] },
  ])('$what: what they have that no read shows is told to be lost', async ({ pin, wanted }) => {
    const { grade, loses, users } = await besideOthers(collection, { pin, wanted, others })
    expect(users).toContainEqual({ name: 'z', role: 'r' })
    expect([grade, loses]).toEqual(['lossy', ['/users/*/pin']])
  })
})

describe('a PUT of the object around attributes that are not of the same write', () => {
  it('tells that elements of its collection lose what no read shows', async () => {
    const { grade, loses } = await story('collection', ['PUT', 'full'], undefined, { changes: 'n' })
    expect([grade, loses]).toEqual(['lossy', ['/users/*/pin']])
  })

  it.each([
    { what: 'an attribute', entry: 'code: { sensitive: true, writeOnly: true }', lost: '/code' },
    {
      what: 'a member of an object',
      entry: 'lock: { type: object, attributes: { kind: {}, code: { sensitive: true, writeOnly: true } } }',
      lost: '/lock/code',
    },
  ])('tells that $what that no read shows is lost where its collection is written', async ({ entry, lost }) => {
    const there = { name: 'd', n: 1, lock: { kind: 'k' }, users: [{ name: 'a', role: 'other' }] }
    await using server = await startThings({})
    server.state.set('/doors/d', JSON.stringify(there))
    const document = documentOf('collection', 'PUT', 'full')
      .replace('n: { type: number }', `n: { type: number }, ${entry}`)
      .replace('{ users: "{all}" }', '{ name: "{name}", n: "{desired.n}", lock: { kind: k }, users: "{all}" }')
    const spec = { name: 'd', n: 1, users: [{ name: 'a', role: 'r' }] }
    const { plan } = await driveDocument(server, document, [{ type: 'api_door', name: 'd', spec }]).check()
    expect(plan.commands[0]?.loses).toContain(lost)
  })
})

it('a member of elements that no read shows and that itself changes has no way back', async () => {
  await using server = await startThings({
    route: ({ method, url }, state) => {
      const there = state.get(url)
      if (method !== 'GET' || there === undefined) return undefined
      return { status: 200, body: changedBy(there, ({ pin: _, ...shown }) => shown) }
    },
  })
  const door = (pin: JsonObject): JsonObject => ({
    type: 'api_door',
    name: 'd',
    spec: { name: 'd', n: 1, users: [{ name: 'a', role: 'r', pin }] },
  })
  const drive = driveDocument(server, documentOf('set', 'PUT', 'full'), [door(pins.a)])
  drive.secrets['env:A'] = 'hunter-of-a'
  drive.secrets['env:B'] = 'hunter-of-b'
  await drive.apply((await drive.check()).digest)
  drive.want([door(pins.b)])
  const { plan, digest } = await drive.check()
  expect(plan.commands).toMatchObject([{ grade: 'lossy' }])
  expect(plan.commands[0]?.inverse).toBeUndefined()
  await drive.apply(digest)
  expect(server.state.get('/doors/d')).toContain('hunter-of-b')
})
