import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { defined } from '#core'
import type { Claims } from './authorizer.ts'

const joined = (pairs: Iterable<readonly [string, string]>): Record<string, string> => {
  // Clients choose the names: `constructor` is possible.
  const result = new Map<string, string>()
  for (const [name, value] of pairs) result.set(name, result.has(name) ? `${result.get(name)},${value}` : value)
  return Object.fromEntries(result)
}

const headersOf = (request: IncomingMessage): Record<string, string> =>
  joined(
    Object.entries(request.headersDistinct).flatMap(([name, values]) =>
      (values ?? []).map((value) => [name.toLowerCase(), value] as const),
    ),
  )

const bodyOf = (body: Buffer): { body?: string; isBase64Encoded: boolean } => {
  if (body.length === 0) return { isBase64Encoded: false }
  const isText = isUtf8(body)
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText }
}

/**
 * Converts a request to the event that an HTTP API sends, payload format 2.0:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const gatewayEvent = (request: IncomingMessage, body: Buffer, claims: Claims | undefined) => {
  // A path such as `//other/v1` must not be read as the name of another server.
  const { pathname, search, searchParams } = new URL(`http://localhost${request.url ?? '/'}`)
  const now = new Date()
  const query = joined(searchParams)
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: headersOf(request),
    ...defined({ queryStringParameters: searchParams.size === 0 ? undefined : query }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: request.headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: pathname,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
      ...defined({ authorizer: claims && { jwt: { claims, scopes: null } } }),
    },
    ...bodyOf(body),
  }
  // The published types include only the case with a list of scopes.
  return event as unknown as APIGatewayProxyEventV2
}
