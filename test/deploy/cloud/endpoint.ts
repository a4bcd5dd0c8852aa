import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AwsRequest } from './calls.ts'

/** Asked before a request is passed on; a text is the reason why it is denied. */
type Judge = (request: AwsRequest) => string | undefined

export interface Endpoint {
  readonly url: string
  /** Where requests go from now on. */
  route(servers: { readonly moto: string; readonly dynamodb: string }): void
  judgeBy(judge: Judge): void
  close(): Promise<void>
}

/** `AWS4-HMAC-SHA256 Credential=KEY/20261123/us-east-1/dynamodb/aws4_request, ...` */
const credential = /Credential=([^/]+)\/[^/]*\/[^/]*\/([^/]+)\//

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** moto takes a bucket for part of the path only where the host is called so. */
const readable = (body: Buffer, service: string): Buffer =>
  service === 'cloudformation'
    ? Buffer.from(body.toString().replace('TemplateURL=http%3A%2F%2F127.0.0.1', 'TemplateURL=http%3A%2F%2Flocalhost'))
    : body

const deny = (response: ServerResponse, reason: string): void => {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
  response.end(JSON.stringify({ __type: 'AccessDeniedException', message: reason }))
}

/** One address for all services, as AWS_ENDPOINT_URL takes it: DynamoDB for what is signed for it, moto for the rest. */
export const openEndpoint = async (): Promise<Endpoint> => {
  let servers: { readonly moto: string; readonly dynamodb: string } | undefined
  let judge: Judge = () => undefined
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(request)
    const [, accessKey = '', service = ''] = credential.exec(request.headers.authorization ?? '') ?? []
    const target = String(request.headers['x-amz-target'] ?? '')
    const denied = judge({ accessKey, service, target, body: body.toString() })
    if (denied !== undefined) return deny(response, denied)
    const base = service === 'dynamodb' ? servers?.dynamodb : servers?.moto
    if (base === undefined) throw new Error('the servers do not run yet')
    const {
      host,
      connection,
      'content-length': length,
      'transfer-encoding': encoding,
      expect,
      ...kept
    } = request.headers
    const method = request.method ?? 'GET'
    const answer = await fetch(`${base}${request.url}`, {
      method,
      headers: Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)]),
      ...(['GET', 'HEAD'].includes(method) ? {} : { body: readable(body, service) }),
    })
    const headers = Object.fromEntries(answer.headers)
    // moto sends the date twice, which is none; and the body is not compressed any more.
    const { date, 'content-encoding': _, 'content-length': __, 'transfer-encoding': ___, ...rest } = headers
    const content = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, {
      ...rest,
      date: new Date().toUTCString(),
      'content-length': headers['content-length'] ?? content.length,
    })
    response.end(content)
  }
  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      response.writeHead(502)
      response.end(String(error))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    route: (given) => {
      servers = given
    },
    judgeBy: (given) => {
      judge = given
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
