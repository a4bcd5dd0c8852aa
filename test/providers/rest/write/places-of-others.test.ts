import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { driveThings, startThings } from '../../../builders/servers/things-api.ts'
import { aDocument, aType, aWorld } from '../../../semantics/world.ts'

/* Elements of a list that are not ours stay between their neighbours; where ours change places around them, the plan says so. */

const documentOf = (method: string, send: string): string => `
operations:
  retrieve: { method: GET, path: "/things/{name}" }
  create: { method: PUT, path: "/things/{name}" }
  update: { method: ${method}, path: "/things/{name}" }
identity: { keys: [name] }
lookup: { retrieve: true }
lifecycle: { preventDelete: true }
parts:
  - name: main
    read: retrieve
    write: { op: update, send: ${send} }
    attributes:
      name: { immutable: true }
      rules: { type: list, key: [id], ignore: [{ sys: true }], element: { type: object, attributes: { id: {}, n: { type: number }, sys: { type: boolean } } } }
`

/** A capital is a rule of the system. */
const rulesOf = (letters: string): readonly JsonObject[] =>
  [...letters].map((id) => (id < 'a' ? { id, n: 1, sys: true } : { id, n: 1, sys: false }))

const story = async (document: string, before: string, declared: string) => {
  await using server = await startThings()
  const there = JSON.stringify({ name: 'x', rules: rulesOf(before) })
  server.state.set('/things/x', there)
  const idsThere = (): string =>
    (JSON.parse(server.state.get('/things/x') ?? '') as { rules: { id: string }[] }).rules.map(({ id }) => id).join('')
  const { check, apply, undo } = driveThings(server, document, { x: { name: 'x', rules: rulesOf(declared) } })
  const { plan, digest } = await check()
  if (plan.commands.length === 0) return { after: idsThere() }
  const { id } = await apply(digest)
  const after = idsThere()
  const again = (await check()).plan.commands.length
  const [{ grade, loses, moves } = {}] = plan.commands
  if (grade === 'reversible') {
    await undo(id)
    expect(server.state.get('/things/x')).toBe(there)
  }
  return { after, again, grade, loses, moves }
}

describe.each([
  ['PUT', 'full'],
  ['PATCH', 'jsonPatch'],
])('an ignored element of a list that is sent by %s, send: %s', (method, send) => {
  const document = documentOf(method, send)

  eachOf(
    it,
    3,
  )([
    ['behind all', 'abS', 'ba', 'baS'],
    ['behind all, where the last becomes the first', 'abcS', 'cab', 'cabS'],
    ['ahead of all, where one comes', 'Sab', 'cab', 'Scab'],
    ['behind its neighbour, where one comes', 'abS', 'abc', 'abSc'],
    ['between its neighbours, where others change places', 'abScd', 'badc', 'baSdc'],
    ['behind another one that is ignored', 'aSTb', 'cab', 'caSTb'],
  ])('stays %s', async (_, before, declared, after) => {
    expect(await story(document, before, declared)).toEqual({ after, again: 0, grade: 'reversible' })
  })

  it.each([
    ['its neighbours change places', 'aSb', 'ba', 'baS'],
    ['one of two comes to its other side', 'abSc', 'cab', 'cabS'],
  ])('is told to be moved, where %s', async (_, before, declared, after) => {
    expect(await story(document, before, declared)).toEqual({ after, again: 0, grade: 'lossy', moves: ['/rules'] })
  })
})

/* The order of a set has no meaning for the document, but its server may give one to it. */
it.each([
  ['PUT', 'full'],
  ['PUT', 'object'],
  ['PATCH', 'changed'],
  ['PATCH', 'jsonPatch'],
])('what comes back into a set by %s, send: %s, stands ahead of an ignored element again', async (method, send) => {
  const type = aType('set: { type: set, key: [k], element: { type: object, attributes: { k: {} } } }')
    .replace('update: { method: PUT', `update: { method: ${method}`)
    .replace('send: object', `send: ${send}`)
  const set = [{ k: 'x' }, { k: 'ignored', more: 1 }, { k: 'y' }]
  await using site = await aWorld({
    document: aDocument({ thing: type }),
    resources: [{ type: 'api_thing', name: 'a', spec: { name: 'a', set: [{ k: 'y' }] } }],
    live: { a: { name: 'a', set } },
    settings: { ignore: [{ address: 'api_thing.*', path: 'set[ignored]', reason: 'theirs', owner: 'others' }] },
  })
  const { plan, apply } = await site.checkAndApply()
  expect(plan.commands.map(({ grade }) => grade)).toEqual(['reversible'])
  expect(site.bodyOf('a')).toMatchObject({ set: set.slice(1) })
  await site.undo(apply.id)
  expect(site.bodyOf('a')).toMatchObject({ set })
})
