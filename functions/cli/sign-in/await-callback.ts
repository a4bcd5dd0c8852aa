import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { AppError } from '#core'
import type { Host } from '../process/host.ts'

/** For somebody who types a password and finds a second factor. */
const patienceMs = 300_000

const page = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plumbline</title><p>${text}</p></html>\n`

const answer = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(page(text))
}

/** A browser may take `localhost` for either; another program must not have one of them. */
const loopback = ['127.0.0.1', '::1'] as const

/** A machine may have no IPv6, and then its browser does not use it. */
const isAbsent = (address: string, { code = '' }: NodeJS.ErrnoException): boolean =>
  address === '::1' && /^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/.test(code)

const listen = async (address: string, port: number, hear: RequestListener): Promise<readonly Server[]> => {
  const server = createServer(hear)
  try {
    server.listen(port, address)
    await once(server, 'listening')
    return [server]
  } catch (error) {
    const cause = error as NodeJS.ErrnoException
    if (isAbsent(address, cause)) return []
    throw new AppError('USAGE', {
      detail: `port ${port} is taken (${cause.code}); pass --port with another one that the issuer knows`,
    })
  }
}

/**
 * Waits for the browser to come back with an answer to our question, and returns the whole address. What has another state is
 * no answer to it, and is refused. Throws USAGE for a port that is taken, and SIGN_IN_REFUSED if nobody comes.
 */
export const awaitCallback = async (
  redirect: string,
  state: string,
  { onInterrupt }: Pick<Host, 'onInterrupt'>,
  ready: () => void,
): Promise<URL> => {
  const { port, pathname, origin } = new URL(redirect)
  const found = Promise.withResolvers<URL>()
  const hear: RequestListener = (request, response) => {
    const url = URL.parse(request.url ?? '', origin)
    if (request.method !== 'GET' || url?.pathname !== pathname) return answer(response, 404, 'There is nothing here.')
    if (url.searchParams.get('state') !== state) return answer(response, 400, 'This answers another sign-in.')
    answer(response, 200, 'You are signed in, or the terminal says why not. This window can be closed.')
    found.resolve(url)
  }
  const refuse = (detail: string) => found.reject(new AppError('SIGN_IN_REFUSED', { issuer: origin, detail }))
  const timer = setTimeout(() => refuse('nobody came back from the browser within five minutes'), patienceMs)
  const release = onInterrupt(() => refuse('it was interrupted'))
  const servers: Server[] = []
  try {
    for (const address of loopback) servers.push(...(await listen(address, Number(port), hear)))
    ready()
    return await found.promise
  } finally {
    clearTimeout(timer)
    release()
    for (const server of servers) server.close()
  }
}
