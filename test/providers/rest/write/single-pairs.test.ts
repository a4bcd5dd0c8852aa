import { expect, it } from 'vitest'
import { mapValue } from '../../../../core/engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { isLive } from '../../../../core/engine/schema/value.ts'
import { fillLive } from '../../../../core/engine/transport/secrets/live-object.ts'
import { anApi, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* A PATCH has the pairs of a map that differ: each with what was read of it, because a server may put it in the place of the former one. */

const documentOf = (write: string): string => `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PATCH, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update${write} }
        attributes: { name: { in: path }, props: { type: map, element: {}, pairs: { key: k, value: v } } }`

const pair = (k: string, v: Json, more: JsonObject = {}): JsonObject => ({ k, v, ...more })
const noted = { note: 'by hand', n: 1 }

const sent = async (there: Json, props: JsonObject, write = '') => {
  const object = { name: 'x', props: there }
  const { commands } = await planOne(
    typeOf(providerOf(documentOf(write), {}), 'api_thing'),
    { spec: { name: 'x', props } },
    anApi({ 'GET /things/x': { body: object } }),
  )
  const filled = (body: Json | undefined, from: JsonObject): Json =>
    mapValue(body ?? null, (inner) => (isLive(inner) ? fillLive(inner, from) : undefined))
  return commands.map(({ request, inverse, grade }) => {
    const body = filled(request.body, object) as { props: Json }
    return { grade, props: body.props, back: inverse && filled(inverse.body, { ...object, ...body }) }
  })
}

it('has what was read of a pair that changes, and so has its way back', async () => {
  expect(await sent([pair('a', 'old', noted), pair('b', '2', noted)], { a: 'new', b: '2' })).toEqual([
    { grade: 'reversible', props: [pair('a', 'new', noted)], back: { props: [pair('a', 'old', noted)] } },
  ])
})

it('has the two members of a pair that comes, of one without more, and where the server keeps the rest', async () => {
  expect(await sent([pair('a', 'old')], { a: 'new', c: '3' })).toMatchObject([
    { grade: 'reversible', props: [pair('a', 'new'), pair('c', '3')] },
  ])
  expect(await sent([pair('a', 'old', noted)], { a: 'new' }, ', keeps: true')).toMatchObject([
    { grade: 'reversible', props: [pair('a', 'new')] },
  ])
})

it('has null for one that goes, whose other members are told to be lost', async () => {
  expect(await sent([pair('a', 'old', noted), pair('b', '2', noted)], { a: 'new' })).toEqual([
    { grade: 'lossy', props: [pair('a', 'new', noted), pair('b', null)], back: undefined },
  ])
})

it('has what a map in the answer has', async () => {
  expect(await sent({ a: 'old' }, { a: 'new' })).toMatchObject([{ props: [pair('a', 'new')] }])
})
