import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { apiEvent } from '../../builders/aws/api-event.ts'

/* API Gateway in front of a deployed function: its JWT authorizer, and the event that it makes of a request. */

interface Answered {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

interface Believed {
  readonly issuer: string
  readonly audience: string
  /** Those that take no token. */
  readonly open: readonly string[]
}

const flat = (value: unknown): string => (Array.isArray(value) ? `[${value.join(' ')}]` : String(value))

export const startGateway = async (
  invoke: (event: unknown) => Promise<unknown>,
  { issuer, audience, open }: Believed,
): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
  const authorizerOf = async (header = '') => {
    const verified = await jwtVerify(header.replace(/^Bearer /, ''), keys, { issuer, audience }).catch(() => undefined)
    if (verified === undefined) return undefined
    const claims = Object.entries(verified.payload).map(([name, value]) => [name, flat(value)])
    return { jwt: { claims: Object.fromEntries(claims), scopes: null } }
  }
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://gateway')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, flat(value)]))
    const authorizer = await authorizerOf(request.headers.authorization)
    if (authorizer === undefined && !open.includes(pathname))
      return response.writeHead(401).end('{"message":"Unauthorized"}')
    const body = await text(request)
    const event = apiEvent(request.method ?? 'GET', pathname, {
      headers,
      ...(search === '' ? {} : { query: search.slice(1) }),
      ...(body === '' ? {} : { body }),
      ...(authorizer === undefined ? {} : { authorizer }),
    })
    const answer = (await invoke(event)) as Answered
    const bytes = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8')
    return response.writeHead(answer.statusCode, { ...answer.headers }).end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
