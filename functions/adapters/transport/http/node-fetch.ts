import * as http from 'node:http'
import * as https from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { defined } from '#core'
import type { Gate } from '../gate.ts'
import type { AddressGuard } from './address-guard.ts'

/** PEM texts. `ca` replaces the authorities that the system trusts. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

export type Trailers = Map<string, string>

export interface Sending {
  readonly method: string
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal
  readonly gate: Gate
  /** Complete once the answer has been read to its end. */
  readonly trailers: Trailers
}

export interface ConnectionOptions {
  /** Called with the first request over https. */
  readonly tls?: () => Promise<TlsMaterial>
  /** The only Unix socket that is connected to, whatever the host of a URL. */
  readonly socketPath?: string
  /** Checks every host before a connection to it. */
  readonly guard?: AddressGuard
}

/** An idle connection is closed early, as fetch does: the server may have ended it, or the machine may have slept. */
const idleMs = 4_000

/**
 * Sends like fetch, with options that fetch lacks: certificates, a socket, an address guard, the trailers of the
 * answer, and a last check once the connection is open. Redirects are returned as answers. A server over https is
 * always verified.
 */
export const createNodeFetch = ({ tls = async () => ({}), socketPath, guard }: ConnectionOptions) => {
  const connecting = { keepAlive: true, timeout: idleMs, ...defined({ lookup: guard?.lookup }) }
  const plain = new http.Agent(connecting)
  let opened: Promise<https.Agent> | undefined
  const secure = (): Promise<https.Agent> => {
    opened ??= tls()
      .then((material) => new https.Agent({ ...material, ...connecting }))
      .catch((error: unknown) => {
        opened = undefined
        throw error
      })
    return opened
  }
  return async (url: URL, { method, headers, body, signal, gate, trailers }: Sending): Promise<Response> => {
    const refused = guard?.refuse(url.hostname)
    if (refused !== undefined) throw refused
    const isSecure = url.protocol === 'https:'
    const all = {
      ...Object.fromEntries(headers),
      'accept-encoding': 'gzip, deflate, br',
      // Without this header Node sends the body of a GET or a DELETE without its length, and the server takes the body
      // for another request.
      ...defined({ 'content-length': body === null ? undefined : String(Buffer.byteLength(body)) }),
    }
    const options = {
      ...defined({ socketPath }),
      agent: isSecure ? await secure() : plain,
      method,
      headers: all,
      signal,
    }
    return new Promise((resolve, reject) => {
      const sent = (isSecure ? https : http).request(url, options, (incoming) => {
        incoming.on('end', () => gatherTrailers(trailers, incoming.rawTrailers))
        try {
          resolve(responseOf(incoming))
        } catch (error) {
          incoming.destroy()
          reject(error instanceof Error ? error : new TypeError(String(error)))
        }
      })
      sent.on('error', reject)
      // Nothing is written before the connection is open, so the gate is asked at the last possible moment.
      const go = (): void =>
        void (gate.letsGo() ? sent.end(body ?? undefined) : sent.destroy(new Error('it is too late')))
      sent.on('socket', (socket) =>
        sent.reusedSocket ? go() : socket.once(isSecure ? 'secureConnect' : 'connect', go),
      )
    })
  }
}

/** `pairs` alternates names and values. The first value of a name counts. */
const gatherTrailers = (trailers: Trailers, pairs: readonly string[]): void => {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = pairs[at]?.toLowerCase() ?? ''
    if (!trailers.has(name)) trailers.set(name, pairs[at + 1] ?? '')
  }
}

/** Statuses whose answers have no body: https://fetch.spec.whatwg.org/#null-body-status */
const bodiless = new Set([204, 205, 304])

const responseOf = (incoming: http.IncomingMessage): Response => {
  const { statusCode: status = 0, rawHeaders } = incoming
  const headers = new Headers()
  for (let n = 0; n + 1 < rawHeaders.length; n += 2) headers.append(rawHeaders[n] ?? '', rawHeaders[n + 1] ?? '')
  if (bodiless.has(status)) {
    incoming.resume()
    return new Response(null, { status, headers })
  }
  return withStatus(status, headers, Readable.toWeb(unpacked(incoming)) as ReadableStream)
}

/** Fetch knows no status outside of 200 to 599; a server that sends one is told what it sent. */
const withStatus = (status: number, headers: Headers, body: ReadableStream): Response => {
  if (status >= 200 && status <= 599) return new Response(body, { status, headers })
  return Object.defineProperty(new Response(body, { headers }), 'status', { value: status })
}

const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/** As fetch does, other codings, and several at once, are returned unchanged. */
const unpacked = (incoming: http.IncomingMessage): Readable => {
  const coding = (incoming.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (!Object.hasOwn(unpackers, coding)) return incoming
  const unpacker = unpackers[coding as keyof typeof unpackers]()
  // An error on either side ends both streams, and the reader of the body receives it.
  return pipeline(incoming, unpacker, () => {})
}
