import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { anApi, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/* A form cannot say everything; what it cannot say is refused before it is approved. */

const documentOf = (method: string, send: string) => `
provider: { id: api, baseUrl: "http://api.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: POST, path: "/things/{name}" }
      update: { method: ${method}, path: "/things/{name}", contentType: application/x-www-form-urlencoded }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: ${send} }
        attributes:
          name: { required: true, immutable: true }
          size: { type: number }
          aliases: { type: list, send: alias }
          open: { type: any }
          text: { type: any, as: json }
`

const there = { name: 'one', size: 1, aliases: ['a'], open: 1, text: '{"a":1}' }

const planned = async (spec: JsonObject, method = 'PATCH', send = 'changed', live: JsonObject = there) => {
  const type = typeOf(providerOf(documentOf(method, send), {}), 'api_thing')
  const api = anApi({ 'GET /things/one': { body: live } })
  const { commands } = await planOne(type, { spec: { name: 'one', ...spec } }, api)
  return commands[0]
}

describe('the fields of a form', () => {
  it.each<[string, JsonObject, RegExp, string?]>([
    ['an empty list', { aliases: [] }, /alias.*empty list/],
    ['an empty list, in a request that has everything', { aliases: [] }, /alias.*empty list/, 'full'],
    ['an object', { open: { a: 1 } }, /open.*is an object/],
    ['a list of objects', { aliases: [{ a: 1 }] }, /alias.*is an object/],
    ['a list of lists', { aliases: [['a']] }, /alias.*is an object/],
  ])('refuse %s', async (_, spec, words, send) => {
    await expect(planned(spec, 'PATCH', send)).rejects.toThrow(words)
  })

  it.each<[string, JsonObject, string, string, JsonObject?]>([
    ['a list', { aliases: ['b', 'c'] }, 'PATCH', 'changed'],
    ['an empty list by a PUT, which resets what it does not have', { aliases: [] }, 'PUT', 'full'],
    ['an empty list that stays', { size: 2, aliases: [] }, 'PATCH', 'full', { ...there, aliases: [] }],
    ['an object as text', { text: { a: 2 } }, 'PATCH', 'changed'],
  ])('carry %s', async (_, spec, method, send, live) => {
    expect((await planned(spec, method, send, live))?.request.method).toBe(method)
  })

  it('of the way back cannot bring back an empty list, and the grade says so', async () => {
    const command = await planned({ aliases: ['b'] }, 'PATCH', 'changed', { ...there, aliases: [] })
    expect([command?.grade, command?.inverse]).toEqual(['lossy', undefined])
  })
})
