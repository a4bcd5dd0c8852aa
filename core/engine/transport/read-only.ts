import { AppError } from '../errors/errors.ts'
import type { Request } from '../schema/command.ts'
import { isArray, isObject, type Json } from '../schema/json.ts'
import { graphqlOperations } from '../values/texts/graphql-operations.ts'
import { overridesMethod } from '../values/texts/method-override.ts'
import { isDeclaredRead, isExec } from './programs.ts'
import type { Transport } from './transport.ts'

/** Rejects with WRITE_IN_CHECK every request that is not a read, even if it is declared as one. */
export const readOnly = (inner: Transport): Transport => ({
  ...inner,
  send: async (request, signal) => {
    if (!isRead(request)) throw new AppError('WRITE_IN_CHECK', { method: request.method, url: request.url })
    return inner.send(request, signal)
  },
})

const alwaysWrites = new Set(['PUT', 'PATCH', 'DELETE'])

/**
 * True if the request cannot change anything, by its method and what may override it, its declared effect, its GraphQL document,
 * or the table of declared reads.
 */
export const isRead = (request: Request): boolean => {
  const method = request.method.toUpperCase()
  if (request.effect !== 'read' || alwaysWrites.has(method)) return false
  if (isExec(request.url)) return isDeclaredRead(request)
  if (overridesMethod(request)) return false
  if (method === 'GET' || method === 'HEAD') return asksOnly(request)
  return /^https?:/i.test(request.url) && asksOnly(request)
}

/** True if the body and the query string contain no GraphQL mutation that the request shows. */
const asksOnly = (request: Request): boolean => {
  const url = URL.parse(request.url)
  const isEndpoint = url !== null && /graphql/i.test(url.pathname)
  const inUrl = url?.searchParams.getAll('query') ?? []
  const inBody = documentsOf(request.body)
  // A GraphQL endpoint runs a stored document if it gets no text, and that may be a mutation.
  if (isEndpoint && inBody.length + inUrl.length === 0) return request.body === undefined
  return [...inUrl, ...inBody].every((text) => isQuery(text, isEndpoint))
}

const isQuery = (text: Json | undefined, isEndpoint: boolean): boolean => {
  if (typeof text !== 'string') return !isEndpoint
  const kinds = graphqlOperations(text)
  if (kinds !== undefined) return kinds.every((kind) => kind === 'query')
  // Other search APIs also name their text `query`. A text that is no GraphQL document does nothing on a GraphQL
  // server.
  return !isEndpoint && !/\b(mutation|subscription)\b/.test(text)
}

const documentsOf = (body: Json | undefined): readonly (Json | undefined)[] => {
  if (typeof body === 'string') return [body]
  if (isArray(body)) return body.map((each) => (isObject(each) ? each['query'] : undefined))
  return isObject(body) && Object.hasOwn(body, 'query') ? [body['query']] : []
}
