import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { checkProvider, initProvider } from '../../../core/tools/authoring/check-provider.ts'

const json = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } })
const named = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }
const variable = { type: 'object', properties: { id: text, name: text, value: text } }
const filter = {
  type: 'object',
  properties: { variables: { type: 'object' }, limit: { type: 'integer' }, offset: { type: 'integer', default: 0 } },
}

interface PostedAnswer {
  readonly answer?: Json
  readonly body?: Json
}

/** Variables as Prefect has them: the server names them, and their list is a POST with filters. */
const described = (posts: Readonly<Record<string, PostedAnswer>>, more: JsonObject = {}): JsonObject => {
  const listed = Object.entries(posts).map(([path, { answer, body = filter }]) => [
    path,
    {
      post: {
        requestBody: json(body),
        responses: { 200: json(answer ?? { type: 'array', items: named('Variable') }) },
      },
    },
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Api' },
    paths: {
      '/variables/': { post: { requestBody: json(named('New')), responses: { 201: json(named('Variable')) } } },
      '/variables/{id}': {
        get: { responses: { 200: json(named('Variable')) } },
        patch: { requestBody: json(named('New')), responses: { 204: {} } },
        delete: { responses: { 204: {} } },
      },
      ...Object.fromEntries(listed),
      ...more,
    },
    components: {
      schemas: {
        Variable: variable,
        Other: { type: 'object', properties: { id: text } },
        New: { type: 'object', required: ['name'], properties: { name: text, value: text } },
      },
    },
  }
}

const drafted = (description: Json) => {
  const made = initProvider({ name: 'api.json', text: JSON.stringify(description) }, {})
  const { provider, resources } = parse(made.text)
  const own = resources?.['api_variable']
  const document = { name: 'd.yaml', text: made.text }
  const check = () => checkProvider(document, { name: 'api.json', text: JSON.stringify(description) }).findings
  return { made, provider, own, check }
}

describe('a list that is asked for by POST', () => {
  it.each(['filter', 'search', 'query', 'list', '_search'])('is drafted as a read of the list: %s', (word) => {
    const { own, provider, made, check } = drafted(described({ [`/variables/${word}`]: {} }))
    expect(own.operations.list).toEqual({
      ...{ method: 'POST', effect: 'read', path: `/variables/${word}`, body: {}, success: [200] },
    })
    expect(own).toMatchObject({
      identity: { keys: ['name'] },
      lookup: { list: {}, match: ['name'] },
      discover: { op: 'list' },
      serverId: { id: 'id' },
    })
    expect(provider.pagination).toEqual({ style: 'offset', in: 'body', param: 'offset' })
    expect(made.text).toContain('`size: { param: limit, value: ... }`')
    expect(made.leftOut).toEqual([])
    expect(check()).toEqual([])
  })

  it('may have the list in an envelope, and no body', () => {
    const answer = { type: 'object', properties: { results: { type: 'array', items: named('Variable') } } }
    const description = described({ '/variables/search': { answer } })
    const paths = description['paths'] as Record<string, Record<string, Record<string, Json>>>
    delete paths['/variables/search']?.['post']?.['requestBody']
    const { own, provider, check } = drafted(description)
    expect(own.operations.list).toEqual({
      ...{ method: 'POST', effect: 'read', path: '/variables/search', success: [200] },
    })
    expect(own.lookup).toEqual({ list: { items: 'results' }, match: ['name'] })
    expect(provider.pagination).toEqual({ style: 'none' })
    expect(check()).toEqual([])
  })

  it('is the surest of several', () => {
    const { own } = drafted(described({ '/variables/query': {}, '/variables/search': {}, '/variables/filter': {} }))
    expect(own.operations.list.path).toBe('/variables/filter')
  })

  it.each<[string, Record<string, PostedAnswer>]>([
    ['whose name says something else', { '/variables/purge': {} }],
    ['of something else', { '/variables/filter': { answer: { type: 'array', items: named('Other') } } }],
    ['of something that the description does not name', { '/variables/filter': { answer: { type: 'array' } } }],
    ['that is no list', { '/variables/filter': { answer: named('Variable') } }],
    ['that needs a filter', { '/variables/search': { body: { ...filter, required: ['variables'] } } }],
    ['of a part of the objects', { '/variables/latest/filter': {} }],
  ])('is not taken from an operation %s', (_, posts) => {
    const { made } = drafted(described(posts))
    expect(made.leftOut).toEqual([
      { path: '/variables/', reason: 'the server names the objects, but the description has no list of them' },
    ])
  })

  it('leaves a list by GET alone', () => {
    const get = { responses: { 200: json({ type: 'array', items: named('Variable') }) } }
    const post = { requestBody: json(named('New')), responses: { 201: json(named('Variable')) } }
    const { own } = drafted(described({ '/variables/filter': {} }, { '/variables/': { get, post } }))
    expect(own.operations.list).toMatchObject({ method: 'GET', path: '/variables/' })
  })
})

describe('the default of a draft', () => {
  const withDefaults = (create: Json | undefined, update: Json | undefined, read: Json | undefined) => {
    const speed = (value: Json | undefined) => ({ type: 'number', ...(value === undefined ? {} : { default: value }) })
    const of = (value: Json | undefined) => ({ type: 'object', properties: { name: text, speed: speed(value) } })
    const description: JsonObject = {
      openapi: '3.1.0',
      info: { title: 'Api' },
      paths: {
        '/variables/{name}': {
          put: { requestBody: json(of(create)), responses: { 200: json(of(read)) } },
          patch: { requestBody: json(of(update)), responses: { 200: json(of(read)) } },
          get: { responses: { 200: json(of(read)) } },
          delete: { responses: { 204: {} } },
        },
      },
    }
    const { own, made, check } = drafted(description)
    return { speed: own.parts[0].attributes.speed, asked: /# decide: (its default.*)/.exec(made.text)?.[1], check }
  }

  it.each<[string, Json | undefined, Json | undefined, Json | undefined, Json | undefined, string | undefined]>([
    ['all agree', 1, 1, 1, 1, undefined],
    ['one alone has it', undefined, undefined, 2, undefined, undefined],
    ['an answer has another one', 0, undefined, 2, undefined, '0 or 2'],
    ['an update has another one', 3, 2, 3, undefined, '3 or 2'],
    ['null may be nothing', 0, null, 0, 0, undefined],
  ])('is there where the description does not contradict itself: %s', (_, create, update, read, usual, asked) => {
    const found = withDefaults(create, update, read)
    expect(found.speed.default).toBe(usual)
    expect(found.asked).toBe(
      asked && `its default is ${asked}; what has an object that was created without it? (default)`,
    )
    expect(found.check().filter(({ code }) => code === 'otherDefault')).toEqual([])
  })
})
