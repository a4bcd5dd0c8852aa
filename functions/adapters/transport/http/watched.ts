import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Gate } from '../gate.ts'

/** Header fields that came after a body, names in lower case. Filled once the body has been read to its end. */
export type Trailers = Map<string, string>

/** What concerns one request and fetch does not tell. */
interface Watching {
  readonly trailers: Trailers
  readonly gate: Gate
}

/*
 * The HTTP client behind fetch tells on channels of its own, by its request, what fetch drops; the context in which that
 * request was made tells whose it is. Trailers: Caddy sends its ETag there. And the moment when a connection is there and
 * the headers are about to be written: between the call of fetch and that, a process may have slept for any time.
 * https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
 */
const asking = new AsyncLocalStorage<Watching>()
const asked = new WeakMap<object, Watching>()
let isListening = false

const listen = (): void => {
  if (isListening) return
  isListening = true
  subscribe('undici:request:create', (message) => {
    const watching = asking.getStore()
    if (watching !== undefined) asked.set((message as { readonly request: object }).request, watching)
  })
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { readonly request: object; readonly socket: { destroy(): void } }
    // Nothing is written to a socket that is destroyed, and the request fails.
    if (asked.get(request)?.gate.letsGo() === false) socket.destroy()
  })
  subscribe('undici:request:trailers', (message) => {
    const { request, trailers } = message as { readonly request: object; readonly trailers: readonly Buffer[] }
    const found = asked.get(request)
    if (found !== undefined) gatherTrailers(found.trailers, trailers.map(String))
  })
}

/** Of an answer that did not come by fetch, too. `pairs`: name, value, name, value. The first of a name counts. */
export const gatherTrailers = (trailers: Trailers, pairs: readonly string[]): void => {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = pairs[at]?.toLowerCase() ?? ''
    if (!trailers.has(name)) trailers.set(name, pairs[at + 1] ?? '')
  }
}

/** Runs a fetch, gathers the trailers of its answer, and lets it write only what its gate lets go. */
export const watched = <Answer>(watching: Watching, send: () => Promise<Answer>): Promise<Answer> => {
  listen()
  return asking.run(watching, send)
}
