import type { IncomingMessage } from 'node:http'

/**
 * Any web page in a browser on this machine can send requests to a local server. But a page cannot change the Host
 * header to another name (DNS rebinding) or omit the Origin of a POST.
 */

const isHere = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Parses a Host header, which normalises the spelling of an address. */
const serverOf = (host: string): URL | null => (/^[\w.:[\]-]+$/.test(host) ? URL.parse(`http://${host}/`) : null)

/** Returns why a request is not from a program of this machine. The reason does not quote the request. */
export const whyForeign = ({ url = '', headersDistinct }: IncomingMessage): string | undefined => {
  const { host = [], origin = [] } = headersDistinct
  const server = host.length === 1 ? serverOf(host[0] ?? '') : null
  if (server === null || !isHere(server)) return 'its Host is not this machine'
  if (!url.startsWith('/')) return 'it names a whole address where a path is needed'
  if (origin.length === 0) return undefined
  const from = origin.length === 1 ? URL.parse(origin[0] ?? '') : null
  return from !== null && from.origin === server.origin ? undefined : 'its Origin is a page of another server'
}

/** A longer body of a refused request ends the connection. */
const maxBytes = 1_000_000

/**
 * Reads and discards the body of a refused request: if the connection were closed while the body arrives, the client
 * would not see the answer.
 */
export const dropBody = (request: IncomingMessage): void => {
  if (request.complete) return
  let size = 0
  request.on('data', (part: Uint8Array) => {
    size += part.length
    if (size > maxBytes) request.destroy()
  })
}
