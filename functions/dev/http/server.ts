import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2 } from 'aws-lambda'
import { AppError } from '#core'
import { readAll } from '../../adapters/read-all.ts'
import { problemAnswer } from '../../api/route/problem.ts'
import type { Verdict } from './authorizer.ts'
import { gatewayEvent } from './gateway-event.ts'
import { dropBody, whyForeign } from './own-request.ts'
import type { OwnRequest, Reply } from './sign-in.ts'

export interface HttpServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  stop(): Promise<void>
}

export interface HttpServerOptions {
  /** 0: any free port. */
  readonly port: number
  /** Called once the URL is known, before the first request. */
  readonly serve: (url: string) => Promise<Served>
}

interface Served {
  readonly authorise: (header: string | undefined) => Promise<Verdict>
  readonly handle: (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyResultV2>
  /** What this server answers by itself: its issuer. */
  readonly own: (request: OwnRequest) => Promise<Reply | undefined>
}

/** The limit of an HTTP API: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const maxBodyBytes = 10_000_000

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const bytes = await readAll(request, maxBodyBytes)
  if (bytes === undefined) throw new AppError('BODY_TOO_LARGE', { sent: maxBodyBytes, unpacked: maxBodyBytes })
  return bytes
}

const send = (response: ServerResponse, result: APIGatewayProxyResultV2): void => {
  // A function may answer with a text only, which is taken as the body.
  const given = typeof result === 'string' ? { body: result } : result
  const { statusCode = 200, headers = {}, cookies, body = '', isBase64Encoded = false } = given
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value))
  if (cookies !== undefined) response.setHeader('set-cookie', cookies)
  response.writeHead(statusCode).end(isBase64Encoded ? Buffer.from(body, 'base64') : body)
}

const ownRequest = (request: IncomingMessage): OwnRequest => {
  // A path such as `//other` must not be read as the name of another server.
  const { pathname, searchParams } = new URL(`http://localhost${request.url ?? '/'}`)
  return {
    method: request.method ?? 'GET',
    host: request.headers.host ?? '',
    path: pathname,
    query: searchParams,
    cookie: request.headers.cookie ?? '',
    body: async () => (await readBody(request)).toString('utf8'),
  }
}

const reply = (response: ServerResponse, { status, headers = {}, body = '' }: Reply): void => {
  if (typeof body === 'string') response.writeHead(status, headers).end(body)
  else json(response, status, body, headers)
}

const answer = async (parts: Served, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const foreign = whyForeign(request)
  if (foreign !== undefined) throw new AppError('REQUEST_FOREIGN', { detail: foreign })
  const own = await parts.own(ownRequest(request))
  if (own !== undefined) return reply(response, own)
  const verdict = await parts.authorise(request.headers.authorization)
  if (!verdict.ok) throw new AppError('UNAUTHENTICATED', { detail: verdict.detail })
  send(response, await parts.handle(gatewayEvent(request, await readBody(request), verdict.claims)))
}

const refuse = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
  if (response.headersSent) return void response.destroy()
  const { status, body, headers } = problemAnswer(error, crypto.randomUUID())
  json(response, status, body, { ...headers, 'content-type': 'application/problem+json' })
  dropBody(request)
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE' || error.code === 'EACCES'
          ? new AppError('PORT_IN_USE', { port, purpose: 'HTTP endpoint' })
          : error,
      ),
    )
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

/**
 * Starts the HTTP endpoint of this machine, which replaces an HTTP API with its authorizer. Rejects with PORT_IN_USE.
 */
export const startHttpServer = async ({ port, serve }: HttpServerOptions): Promise<HttpServer> => {
  const ready = Promise.withResolvers<Served>()
  const server = createServer((request, response) => {
    ready.promise.then((parts) => answer(parts, request, response)).catch((error) => refuse(request, response, error))
  })
  const url = `http://127.0.0.1:${await listen(server, port)}`
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  try {
    ready.resolve(await serve(url))
    return { url, stop }
  } catch (error) {
    // The rejection is reported elsewhere; a waiting request receives it too.
    ready.promise.catch(() => undefined)
    ready.reject(error)
    await stop()
    throw error
  }
}
