import { describe, expect, it } from 'vitest'
import type { Response } from '../../../../core/engine/schema/command.ts'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { anApi, configureText, linesOf, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const documentText = (provider = '', retrieve = '', more = ''): string => `
provider:
  id: things
  baseUrl: "http://api.test"
  ${provider}
resources:
  api_thing:
    operations:
      list: { method: GET, path: /things }
      retrieve: { method: GET, path: "/things/{name}"${retrieve} }
      create: { method: POST, path: /things, produces: { id: id } }
      update: { method: PATCH, path: "/things/{name}" }
      start: { method: POST, path: "/things/{name}/start", body: none }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    serverId: { id: id }
    discover: { op: list, items: items }
    parts:
      - { name: main, read: retrieve, write: { op: update }, attributes: { name: { required: true }, size: { type: number } ${more} } }
`
const typeWith = (provider?: string, retrieve?: string) =>
  typeOf(providerOf(documentText(provider, retrieve), {}), 'api_thing')
const read = (answer: Partial<Response>, provider?: string, retrieve?: string) =>
  typeWith(provider, retrieve).read(
    { address: 'api_thing.one', attributes: { name: 'one' } },
    { transport: anApi({ 'GET /things/one': answer }) },
  )

describe('an error inside a success', () => {
  const errors = `errors:
    message: [error.text, /errors/0]
    when:
      - { place: error.code, is: [NotFound], means: 404 }
      - { place: error.code, is: [Slow, Busy], means: 429 }
      - { place: error, exists: true, means: 500 }
      - { place: status, not: [ok, 0] }`
  const object = { id: 7, name: 'one', size: 1 }

  it.each<[string, Json, object]>([
    ['a status that is good, and null for an error', { ...object, status: 0, error: null }, { kind: 'present' }],
    ['no status that is good', object, { kind: 'unknown', reason: 'unexpected_status' }],
    ['a status that is good', { ...object, status: 'ok' }, { kind: 'present' }],
    ['an error that means "not there"', { error: { code: 'NotFound' } }, { kind: 'absent' }],
    ['an error with its reason', { error: { code: 'Busy' } }, { kind: 'unknown', reason: 'rate_limited' }],
    [
      'any other error, with its words',
      { error: { code: 'Odd', text: 'disk full' } },
      {
        kind: 'unknown',
        reason: 'server_error',
        detail: 'GET http://api.test/things/one answered 200, which means 500: disk full',
      },
    ],
    ['an empty error', { ...object, error: {} }, { kind: 'unknown', reason: 'server_error' }],
    [
      'a status that is bad, with other words',
      { ...object, status: 1, errors: [['a', 'b'], 'c'] },
      { kind: 'unknown', reason: 'unexpected_status', detail: expect.stringMatching(/means 400: a; b$/) },
    ],
  ])('is seen as a failure exactly if the document says so: %s', async (_, body, expected) => {
    expect(await read({ body }, errors)).toMatchObject(expected)
  })

  it.each<[string, Partial<Response>, object]>([
    ['the status and the body that are meant', { status: 500, body: { code: 7 } }, { kind: 'absent' }],
    ['another body', { status: 500, body: { code: 8 } }, { kind: 'unknown', reason: 'server_error' }],
    ['another status', { status: 502, body: { code: 7 } }, { kind: 'unknown', reason: 'server_error' }],
    ['a success', { body: { ...object, code: 7 } }, { kind: 'present' }],
  ])('names the statuses of failures that it means: %s', async (_, answer, expected) => {
    const rule = 'errors: { when: [{ status: [500, 412], place: code, is: [7], means: 404 }] }'
    expect(await read(answer, rule)).toMatchObject(expected)
  })

  it('is noticed in lists too, where "not there" must be said of the list', async () => {
    const transport = anApi({ 'GET /things': { body: { items: [], error: { code: 'NotFound' } } } })
    const target = { address: 'api_thing.one', attributes: { name: 'one' } }
    expect(await typeWith(errors).list?.([target], { transport })).toMatchObject({ reason: 'unexpected_status' })
  })

  it('is defined for one operation in place of the general definition', async () => {
    const own = ', errors: { when: [{ place: fault, exists: true, means: 403 }] }'
    expect(await read({ body: { ...object, error: {} } }, errors, own)).toMatchObject({ kind: 'present' })
    expect(await read({ body: { ...object, fault: 1 } }, errors, own)).toMatchObject({ reason: 'forbidden' })
  })

  it('is checked in the answers to commands', async () => {
    const missing = anApi({})
    const { commands } = await planOne(typeWith(errors), { spec: { name: 'one', size: 1 } }, missing)
    expect(commands[0]?.errors).toMatchObject({
      message: ['/error/text', '/errors/0'],
      when: expect.arrayContaining([{ pointer: '/error/code', is: ['NotFound'], means: 404 }]),
    })
  })

  it.each([
    ', key: { sensitive: true }',
    ', key: { writeOnly: true }',
    ', keys: { type: map, element: { type: object, attributes: { key: { sensitive: true } } } }',
  ])('repeats no words in a read where the object has a secret that they could contain: %s', async (more) => {
    const type = typeOf(providerOf(documentText(errors, '', more), {}), 'api_thing')
    const target = { address: 'api_thing.one', attributes: { name: 'one' } }
    const transport = anApi({ 'GET /things/one': { status: 500, body: { error: { text: 'hunter2' } } } })
    expect(await type.read(target, { transport })).toMatchObject({
      detail: 'GET http://api.test/things/one answered 500',
    })
  })

  it.each([
    ['{ place: a }', 'the rule has no condition on the value'],
    ['{ place: a, exists: true, means: 204 }', 'status 204 is no failure'],
  ])('is refused where the definition makes no sense: %s', (rule, message) => {
    const configured = configureText(documentText(`errors: { when: [${rule}] }`), {})
    expect(configured.ok ? '' : configured.issues[0]?.message).toBe(message)
  })
})

describe('statuses of one operation', () => {
  it.each<[string, number, object]>([
    ['', 404, { kind: 'absent' }],
    ['', 410, { kind: 'unknown', reason: 'unexpected_status' }],
    [', absent: [410]', 410, { kind: 'absent' }],
    [', absent: [410]', 404, { kind: 'unknown', reason: 'unexpected_status' }],
    [', absent: []', 404, { kind: 'unknown' }],
    [', unknown: { 423: rate_limited }', 423, { kind: 'unknown', reason: 'rate_limited' }],
  ])('mean what the document says of them, with "%s" in the read operation: %i', async (retrieve, status, expected) => {
    expect(await read({ status, body: {} }, '', retrieve)).toMatchObject(expected)
  })
})

describe('an envelope', () => {
  const envelope = 'envelope: { body: { data: "{fields}" }, answer: data }'

  it('is removed from answers and added to writes', async () => {
    const api = anApi({ 'GET /things/one': { body: { data: { id: 7, name: 'one', size: 1 } } } })
    const { read: found, commands } = await planOne(typeWith(envelope), { spec: { name: 'one', size: 2 } }, api)
    expect(found).toMatchObject({ kind: 'present', attributes: { name: 'one', size: 1 } })
    expect(linesOf(commands)).toEqual([['PATCH /things/one', { data: { size: 2 } }]])
  })

  it('contains the ids that a create answers, and the items of a list', async () => {
    const { commands } = await planOne(typeWith(envelope), { spec: { name: 'one' } }, anApi({}))
    expect(linesOf(commands)).toEqual([['POST /things', { data: { name: 'one' } }]])
    expect(commands[0]?.produces).toEqual({ '/ids/id': '/data/id' })
    const transport = anApi({ 'GET /things': { body: { data: { items: [{ id: 1, name: 'x' }] } } } })
    const target = { address: 'api_thing.one', attributes: { name: 'one' } }
    expect(await typeWith(envelope).list?.([target], { transport })).toMatchObject({ kind: 'listed', objects: [{}] })
  })

  it('is not added to a delete', async () => {
    const api = anApi({ 'GET /things/one': { body: { data: { id: 7, name: 'one' } } } })
    const { commands } = await planOne(typeWith(envelope), { spec: { name: 'one' }, absent: true }, api)
    expect(linesOf(commands)).toEqual([['DELETE /things/one']])
  })

  it('is replaced by what an operation says itself', async () => {
    const bare = { body: { id: 7, name: 'one', size: 1 } }
    expect(await read(bare, envelope, ', answer: ""')).toMatchObject({ kind: 'present' })
    expect(await read(bare, envelope)).toMatchObject({ kind: 'unknown', reason: 'bad_body' })
  })

  it('must contain what is sent', () => {
    const configured = configureText(documentText('envelope: { body: { data: {} } }'), {})
    expect(configured.ok ? '' : configured.issues[0]?.message).toContain('the envelope has no {fields}')
  })
})
