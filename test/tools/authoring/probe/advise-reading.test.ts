import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { restDocument } from '../../../../core/providers/rest/document/document.ts'
import { adviseIds, adviseReading } from '../../../../core/tools/authoring/probe/advise-places.ts'
import { chooseProbed } from '../../../../core/tools/authoring/probe/choose-types.ts'

const typeWith = (list: JsonObject, more: JsonObject = {}, answer?: string) => {
  const operation = (method: string, path: string, extra: JsonObject = {}): JsonObject => ({ method, path, ...extra })
  const [probed] = chooseProbed(
    restDocument.parse({
      provider: { id: 'api', baseUrl: 'http://api.test' },
      resources: {
        api_thing: {
          operations: {
            list: operation('GET', '/things', answer === undefined ? {} : { answer }),
            retrieve: operation('GET', '/things/{id}'),
            create: operation('POST', '/things', more),
            delete: operation('DELETE', '/things/{id}'),
          },
          identity: { keys: ['name'] },
          lookup: { list, match: ['name'] },
          serverId: { id: 'id' },
          parts: [{ name: 'main', read: 'retrieve', attributes: { name: { required: true } } }],
        },
      },
    }),
    [],
  )
  if (probed === undefined) throw new Error('the test is wrong')
  return probed
}

const spec = { name: 'n' }
const own = { id: '1', name: 'n' }
const answered = (method: string, path: string, body: Json, headers: Record<string, string> = {}) => ({
  request: { method, url: `http://api.test${path}` },
  headers,
  body,
})
const read = (body: Json) => answered('GET', '/things?name=n', body)

describe('the place of a list', () => {
  it.each<[string, JsonObject, Json, string | undefined, string | undefined]>([
    ['at a member', {}, { data: [own] }, undefined, '`items: data` under lookup.list'],
    ['at a member with a dot', {}, { 'a.b': [own] }, undefined, '`items: /a.b` under'],
    ['where the document says', { items: 'data' }, { data: [own] }, undefined, undefined],
    ['bare', {}, [own], undefined, undefined],
    ['bare, where the document names a member', { items: 'data' }, [own], undefined, undefined],
    ['inside the answer of the operation', {}, { page: { rows: [own] } }, 'page', '`items: rows` under lookup.list'],
    ['outside the answer of the operation', {}, { rows: [own] }, 'page', undefined],
    ['somewhere, without the object', {}, { rows: [] }, undefined, '`items: rows` under lookup.list'],
    ['in two places, without the object', {}, { rows: [], more: [] }, undefined, undefined],
    ['nowhere', {}, { a: 1 }, undefined, undefined],
  ])('is found in the answer and advised for the document: %s', (_, list, body, answer, expected) => {
    const said = adviseReading(typeWith(list, {}, answer), spec, [read(body)])
    if (expected === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(expected)
  })

  it('is taken from the last response', () => {
    const said = adviseReading(typeWith({}), spec, [read({ a: [own] }), read({ b: [own] })])
    expect(said).toContain('items: b')
  })
})

describe('what is no answer of the operation', () => {
  it('says nothing of where its list is', () => {
    const others = [answered('GET', '/me', { orgs: [own] }), answered('GET', '/things/1', { data: [own] })]
    expect(adviseReading(typeWith({}), spec, others)).toBeUndefined()
    expect(adviseReading(typeWith({}), spec, [read({ rows: [own] }), ...others])).toContain('`items: rows`')
  })

  it('says nothing of where its object is', () => {
    expect(adviseReading(typeWith({}), spec, [answered('GET', '/me', { user: own })])).toBeUndefined()
    const whole = adviseReading(typeWith({}), spec, [answered('GET', '/things/1', { data: own })])
    expect(whole).toContain('`answer: data` under operations.retrieve')
  })
})

describe('the place of the id of a new object', () => {
  it.each<[string, JsonObject, Json, Record<string, string>, string | undefined]>([
    ['in its body', {}, own, {}, '`produces: { id: id }`'],
    ['where the document says', { produces: { id: 'id' } }, own, {}, undefined],
    ['in a member', {}, { data: own }, {}, '`produces: { id: data.id }`'],
    ['in Location', {}, {}, { location: '/things/1' }, '`produces: { id: { header: Location } }`'],
    ['nowhere', { produces: { id: 'id' } }, {}, {}, 'remove `produces`'],
    ['nowhere, as the document says', {}, {}, {}, undefined],
  ])('is found in the answer and advised for the document: %s', (_, create, body, headers, expected) => {
    const said = adviseIds(typeWith({}, create), spec, [
      answered('POST', '/things', body, headers),
      answered('POST', '/token', { id: 'of the token' }),
    ])
    if (expected === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(expected)
  })
})
