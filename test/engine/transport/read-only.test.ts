import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Request } from '../../../core/engine/schema/command.ts'
import { readOnly } from '../../../core/engine/transport/read-only.ts'
import { graphqlOperations } from '../../../core/engine/values/texts/graphql-operations.ts'
import { aGet, aTransport, aWrite } from '../../builders/values/transports.ts'

const search = (body: Request['body'], url = 'https://target.test/search'): Request => ({
  method: 'POST',
  url,
  effect: 'read',
  ...(body === undefined ? {} : { body }),
})
const graphql = (query: unknown, url = 'https://target.test/graphql'): Request => search({ query } as never, url)

const passes = async (request: Request) => {
  const inner = aTransport()
  const outcome = await readOnly(inner)
    .send(request)
    .then(
      () => 'sent',
      (error) => error.code,
    )
  return { outcome, sent: inner.sent.length }
}

describe('readOnly', () => {
  it.each<[string, Request]>([
    ['GET', aGet()],
    ['HEAD', aGet(undefined, { method: 'HEAD' })],
    ['GET of a file', aGet('file:///etc/motd')],
    ['a declared search', search({ filter: { name: 'x' } })],
    ['a search whose text is called query', search({ query: 'status:open author:me' })],
    ['a GraphQL query', graphql('query Q($a: Int = 1) { thing(a: $a) { id } }')],
    ['an anonymous GraphQL query', graphql('{ viewer { login } }')],
    ['a query that speaks of mutations', graphql('{ mutation { mutation } } # mutation { x }')],
    ['a query in the body and another in the URL', graphql('{ a }', 'https://target.test/graphql?query=%7B+b+%7D')],
    ['a batch of queries', search([{ query: '{ a }' }, { query: 'query { b }' }], 'https://target.test/graphql')],
  ])('sends %s', async (_, request) => {
    expect(await passes(request)).toEqual({ outcome: 'sent', sent: 1 })
  })

  it.each<[string, Request]>([
    ['a write', aWrite()],
    ['a GET with the effect of a write', aGet(undefined, { effect: 'write' })],
    ['PUT that claims to read', aWrite('PUT', { effect: 'read' })],
    ['patch in lower case that claims to read', aWrite('patch', { effect: 'read' })],
    ['DELETE that claims to read', aWrite('DELETE', { effect: 'read' })],
    ['POST to a file that claims to read', { method: 'POST', url: 'file:///etc/motd', effect: 'read' }],
    ['a sign-in that is none of the transport itself', aWrite('POST', { effect: 'signIn' })],
    ['a GET that signs in', aGet(undefined, { effect: 'signIn' })],
    ['a mutation', graphql('mutation { remove(id: 1) { id } }')],
    ['a mutation in the URL beside a query', graphql('{ a }', 'https://target.test/graphql?query=mutation+%7B+b+%7D')],
    ['a mutation after a query', graphql('query A { a } mutation B { b }')],
    ['a mutation after a fragment', graphql('fragment F on T { a } mutation B { ...F }')],
    ['a mutation that a string tries to hide', graphql('query A { a(t: "#") } mutation B { b }')],
    ['a mutation that a block string tries to hide', graphql('{ a(t: """ \\""" } """) } mutation B { b }')],
    ['a mutation behind a comment', graphql('{ a } # }\nmutation B { b }')],
    ['a subscription', graphql('subscription { s }')],
    ['a broken document at a GraphQL endpoint', graphql('query {')],
    ['a stored document, which may be a mutation', search({ id: 'abc' }, 'https://target.test/api/GraphQL')],
    ['a document that is no text', graphql({ mutation: true })],
    ['a batch with a mutation', search([{ query: '{ a }' }, { query: 'mutation { b }' }])],
    ['a mutation in a plain text body', search('mutation { b }')],
    ['a mutation in the query string', aGet('https://target.test/graphql?query=mutation%20%7Bb%7D')],
    ['a mutation at an address of any name', graphql('mutation { b }', 'https://target.test/api')],
  ])('refuses %s, and sends nothing', async (_, request) => {
    expect(await passes(request)).toEqual({ outcome: 'WRITE_IN_CHECK', sent: 0 })
  })
})

describe('graphqlOperations', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['{ a }', ['query']],
    ['\uFEFF query A { a } , query B { b }', ['query', 'query']],
    ['fragment F on T { a { b } } query { ...F }', ['query']],
    ['query Q($a: In = {x: {y: "}"}}, $b: [Int!]) @d(e: {f: 1}) { a }', ['query']],
    ['"about it" query { a }', ['query']],
    ['mutation M { m } subscription S { s }', ['mutation', 'subscription']],
    ['fragment F on T { a }', undefined],
    ['type T { a: Int }', undefined],
    ['{ a } }', undefined],
    ['{ a', undefined],
    ['query', undefined],
    ['{ a(t: "open) }', undefined],
    ['', undefined],
    ['status:open', undefined],
  ])('finds the operations of %s', (document, kinds) => {
    expect(graphqlOperations(document)).toEqual(kinds)
  })

  it('finds a mutation wherever it stands among harmless definitions', () => {
    const harmless = fc.constantFrom(
      '{ a }',
      'query Q { b(s: "}{#") }',
      'fragment F on T { c }',
      '# mutation {\n',
      '{ d(s: """{""") }',
    )
    fc.assert(
      fc.property(fc.array(harmless), fc.array(harmless), (before, after) => {
        const document = [...before, 'mutation M { m }', ...after].join('\n')
        expect(graphqlOperations(document)).toContain('mutation')
      }),
    )
  })
})
