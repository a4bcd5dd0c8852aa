import { describe, expect, it } from 'vitest'
import { type CommandDraft, isSuccess, type Request, type Response } from '../../../../core/engine/schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { meantStatus } from '../../../../core/engine/transport/answer/answer-errors.ts'
import { isRead } from '../../../../core/engine/transport/read-only.ts'
import type { Transport } from '../../../../core/engine/transport/transport.ts'
import { configureText, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const documentText = (
  graphql = '  graphql: ../graphql\n',
  text = 'mutation ($input: X!) { change(input: $input) { thing { id } } }',
) => `
provider:
  id: things
  with: { baseUrl: {} }
  baseUrl: "{with.baseUrl}"
${graphql}  params: { owner: acme }
  pagination: { style: link }
  errors: { message: message }
  envelope: { body: { wrapped: "{fields}" }, answer: wrapped }
resources:
  api_thing:
    operations:
      list:
        graphql: |
          query ($owner: String!, $place: String!, $after: String) {
            place(owner: $owner, name: $place) {
              things(first: 2, after: $after) {
                nodes { id name size tags(first: 2) { nodes { text } pageInfo { hasNextPage } } }
                pageInfo { hasNextPage endCursor }
              }
            }
          }
        variables: { owner: "{owner}", place: "{place}" }
        answer: data.place.things
        pagination:
          style: cursor
          in: body
          param: variables.after
          next: data.place.things.pageInfo.endCursor
          more: data.place.things.pageInfo.hasNextPage
      create:
        graphql: "mutation ($input: X!) { create(input: $input) { thing {id} } }"
        variables: { input: { place: "{place}", "...": "{fields}" } }
        answer: data.create.thing
        produces: { id: id }
      update:
        graphql: "${text}"
        variables: { input: { id: "{id}", "...": "{fields}" } }
        answer: data.change.thing
      delete:
        graphql: "mutation ($id: ID!) { remove(id: $id) { done } }"
        variables: { id: "{id}" }
        answer: data.remove
    identity: { keys: [place, name] }
    lookup: { list: { items: nodes, absent: [404] }, match: [name] }
    serverId: { id: id }
    discover: { items: nodes }
    parts:
      - name: main
        read: list
        write: { op: update }
        attributes:
          place: { required: true, in: path }
          name: { required: true }
          size: { type: number }
          tags: { type: set, path: tags.nodes, element: { type: object, attributes: { text: { leftOut: true }, kind: { leftOut: true } } } }
`

const given = { baseUrl: 'http://api.test/api/v3' }
const thing = (name: string, more = false): JsonObject => ({
  id: `id-${name}`,
  name,
  size: 1,
  tags: { nodes: [{ text: 'x' }], pageInfo: { hasNextPage: more } },
})
const page = (nodes: readonly Json[], endCursor: string | null, hasNextPage = false): Json => ({
  data: { place: { things: { nodes, pageInfo: { hasNextPage, endCursor } } } },
})

/** A GraphQL server: answers by the cursor of the request. */
const aServer = (answers: Readonly<Record<string, Json>>): Transport & { readonly sent: Request[] } => {
  const sent: Request[] = []
  return {
    sent,
    send: async (request): Promise<Response> => {
      sent.push(request)
      const { variables = {} } = request.body as { readonly variables?: JsonObject }
      const body = answers[String(variables['after'] ?? '')] ?? null
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    },
  }
}

const read = (answers: Readonly<Record<string, Json>>, name = 'c') => {
  const transport = aServer(answers)
  const type = typeOf(providerOf(documentText(), given), 'api_thing')
  const target = { address: 'api_thing.one', attributes: { place: 'web', name } }
  return { transport, result: type.read(target, { transport }) }
}

describe('a GraphQL query', () => {
  it('is a read at the endpoint beside the API, with its text as it is written', async () => {
    const { transport, result } = read({ '': page([thing('c')], 'end') })
    expect(await result).toMatchObject({
      kind: 'present',
      attributes: { name: 'c', tags: [{ text: 'x' }] },
      ids: { id: 'id-c' },
    })
    const [request] = transport.sent
    expect(request).toMatchObject({ method: 'POST', url: 'http://api.test/api/graphql', effect: 'read' })
    const { query, variables } = (request?.body ?? {}) as { readonly query: string; readonly variables: Json }
    expect([variables, query.startsWith('query ($owner: String!'), query.includes('pageInfo { hasNextPage }')]).toEqual(
      [{ owner: 'acme', place: 'web' }, true, true],
    )
    expect(transport.sent.every(isRead)).toBe(true)
  })

  it('is continued over all pages', async () => {
    const pages = { '': page([thing('a'), thing('b')], 'two', true), two: page([thing('c')], 'end') }
    const { transport, result } = read(pages)
    expect(await result).toMatchObject({ kind: 'present', ids: { id: 'id-c' } })
    expect(transport.sent.map(({ body }) => isObject(body ?? null) && (body as JsonObject)['variables'])).toEqual([
      { owner: 'acme', place: 'web' },
      { owner: 'acme', place: 'web', after: 'two' },
    ])
  })

  const notFound = (path: Json, type = 'NOT_FOUND') => ({ type, path, message: 'Could not resolve' })
  const whole = (page([thing('c')], null) as JsonObject)['data'] as Json

  it.each<[string, Json, string]>([
    ['an empty list is absent', page([], null), 'absent'],
    ['what contains it is not there', { data: { place: null }, errors: [notFound(['place'])] }, 'absent'],
    [
      'what contains it is not there, by another name of the failure',
      { data: { place: null }, errors: [{ path: ['place'], message: 'x', extensions: { code: 'NOT_FOUND' } }] },
      'absent',
    ],
    ['something else is not there', { data: { place: null }, errors: [notFound(['other'])] }, 'unexpected_status'],
    ['not there, and yet data', { data: whole, errors: [notFound(['place'])] }, 'unexpected_status'],
    [
      'one is not there, another failed',
      { data: { place: null }, errors: [notFound(['place']), { message: 'Something went wrong' }] },
      'unexpected_status',
    ],
    ['not there without a place', { data: null, errors: [{ type: 'NOT_FOUND', message: 'x' }] }, 'unexpected_status'],
    [
      'a failure beside whole data',
      { data: whole, errors: [{ message: 'x', path: ['place', 'things', 'nodes', 0, 'tags'] }] },
      'unexpected_status',
    ],
    ['errors that are no list', { data: whole, errors: 'broken' }, 'unexpected_status'],
    ['an empty list of errors', { data: whole, errors: [] }, 'present'],
    ['a failure without data', { errors: [{ message: 'Parse error' }] }, 'unexpected_status'],
    [
      'forbidden',
      { data: { place: null }, errors: [notFound(['place']), notFound(['place'], 'FORBIDDEN')] },
      'forbidden',
    ],
    ['too few scopes', { errors: [notFound(['place'], 'INSUFFICIENT_SCOPES')] }, 'forbidden'],
    [
      'a limit',
      { data: { place: null }, errors: [notFound(['place']), { type: 'RATE_LIMITED', message: 'x' }] },
      'rate_limited',
    ],
    ['no data and no failure', { data: null }, 'server_error'],
    ['no GraphQL', { message: 'hello' }, 'server_error'],
    ['no body', null, 'server_error'],
    ['a list that is cut off inside', page([thing('a'), thing('c', true)], null), 'bad_body'],
    [
      'a list inside of which nothing says that it is whole',
      page([{ ...thing('c'), tags: { nodes: [] } }], null),
      'bad_body',
    ],
    [
      'an element of a kind that the query does not know',
      page([{ ...thing('c'), tags: { nodes: [{}], pageInfo: { hasNextPage: false } } }], null),
      'bad_body',
    ],
    [
      'an element that is hidden',
      page([{ ...thing('c'), tags: { nodes: [{ text: null }], pageInfo: { hasNextPage: false } } }], null),
      'bad_body',
    ],
    ['a page without a word that there is more', { data: { place: { things: { nodes: [thing('c')] } } } }, 'bad_body'],
    ['null where the list was', { data: { place: { things: null } } }, 'bad_body'],
    ['null where its holder was', { data: { place: null } }, 'bad_body'],
    ['a cursor again and again', page([thing('a')], '', true), 'bad_body'],
  ])('takes an answer for what it says: %s', async (_name, body, wanted) => {
    const result = await read({ '': body }).result
    expect(result.kind === 'unknown' ? result.reason : result.kind).toBe(wanted)
  })

  it('repeats the words of the server in a failure', async () => {
    const body = { errors: [{ message: 'first' }, { message: 'second', path: ['place'] }] }
    expect(await read({ '': body }).result).toMatchObject({ detail: expect.stringContaining('first; second') })
  })

  it('a later page that fails makes the whole list unknown', async () => {
    const { result } = read(
      { '': page([thing('a')], 'two', true), two: { data: { place: null }, errors: [notFound(['place'])] } },
      'a',
    )
    expect((await result).kind).toBe('unknown')
  })
})

describe('the endpoint of GraphQL', () => {
  it.each([
    ['http://api.test', 'http://api.test/graphql'],
    ['http://api.test/', 'http://api.test/graphql'],
    ['http://api.test/api/v3', 'http://api.test/api/graphql'],
    ['http://api.test:8080/api/v3/', 'http://api.test:8080/api/graphql'],
  ])('is beside %s at %s', async (baseUrl, url) => {
    const transport = aServer({ '': page([], null) })
    const type = typeOf(providerOf(documentText(), { baseUrl }), 'api_thing')
    await type.read({ address: 'api_thing.one', attributes: { place: 'web', name: 'c' } }, { transport })
    expect(transport.sent.map((request) => request.url)).toEqual([url])
  })

  it.each([
    ['another host', '  graphql: https://other.test/graphql\n', /GraphQL address/],
    ['an address with a password', '  graphql: http://me:canary@api.test/graphql\n', /GraphQL address/],
    ['an address with a password alone', '  graphql: http://:canary@api.test/graphql\n', /GraphQL address/],
    ['a host without a scheme', '  graphql: //other.test/graphql\n', /GraphQL address/],
    ['a query', '  graphql: /graphql?a=b\n', /GraphQL address/],
    ['an empty query', '  graphql: /graphql?\n', /GraphQL address/],
    ['nowhere', '', /does not say where GraphQL/],
  ])('is refused as %s', (_name, graphql, says) => {
    const configured = configureText(documentText(graphql), given)
    expect(configured.ok ? [] : configured.issues.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(says),
    )
    expect(JSON.stringify(configured)).not.toContain('canary')
  })

  it.each([
    ['two operations', 'query a { x } query b { y }', /one query or one mutation/],
    ['a subscription', 'subscription { x }', /one query or one mutation/],
    ['no GraphQL', 'hello', /one query or one mutation/],
    [
      'a variable that is not declared',
      'mutation ($other: X!) { change(input: $other) { thing { id } } }',
      /does not declare/,
    ],
    ['a query for a write', 'query ($input: X!) { change(input: $input) { id } }', /only reads/],
  ])('is refused in %s', (_name, text, says) => {
    const configured = configureText(documentText(undefined, text), given)
    expect(configured.ok ? [] : configured.issues.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(says),
    )
  })
})

describe('a GraphQL mutation', () => {
  const type = typeOf(providerOf(documentText(), given), 'api_thing')
  const planned = async (answer: Json, spec: JsonObject, absent = false) =>
    (await planOne(type, { spec: { place: 'web', name: 'c', ...spec }, absent }, aServer({ '': answer }))).commands
  const there = page([thing('c')], null)

  it.each<[string, Promise<readonly CommandDraft[]>, string, Json]>([
    [
      'creates',
      planned(page([], null), { size: 2 }),
      'mutation ($input: X!) { create(input: $input) { thing {id} } }',
      { input: { place: 'web', name: 'c', size: 2 } },
    ],
    [
      'changes what differs',
      planned(there, { size: 2 }),
      'mutation ($input: X!) { change(input: $input) { thing { id } } }',
      { input: { id: 'id-c', size: 2 } },
    ],
    ['deletes', planned(there, {}, true), 'mutation ($id: ID!) { remove(id: $id) { done } }', { id: 'id-c' }],
  ])('%s by a write with its exact body', async (_name, commands, query, variables) => {
    const requests = (await commands).map(({ request }) => request)
    expect(requests).toMatchObject([
      { method: 'POST', url: 'http://api.test/api/graphql', effect: 'write', body: { query, variables } },
    ])
    expect(requests.map((request) => isRead({ ...request, url: String(request.url), effect: 'read' }))).toEqual([false])
  })

  it.each<[string, Json, boolean]>([
    ['is done', { data: { change: { thing: { id: 'id-c' } } } }, true],
    ['answers nothing', { data: { change: null } }, false],
    ['answers no data', { data: null }, false],
    ['fails', { data: { change: null }, errors: [{ message: 'Name already protected', path: ['change'] }] }, false],
    [
      'fails in a part',
      { data: { change: { thing: null } }, errors: [{ message: 'x', path: ['change', 'thing', 'id'] }] },
      false,
    ],
    ['answers another thing', { message: 'OK' }, false],
  ])('is judged by its body: a mutation that %s', async (_name, body, isDone) => {
    const [command] = await planned(there, { size: 2 })
    const response = { status: 200, headers: { 'content-type': 'application/json' }, body }
    expect(command && isSuccess(command, meantStatus(command, response))).toBe(isDone)
  })
})
