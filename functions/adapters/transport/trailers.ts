import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'

/** Header fields that came after a body, names in lower case. Filled once the body has been read to its end. */
export type Trailers = Map<string, string>

/*
 * Fetch drops them, and Caddy sends its ETag there. The HTTP client behind fetch tells them on a channel of its own, by
 * its request; the context in which that request was made tells whose it is.
 * https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
 */
const asking = new AsyncLocalStorage<Trailers>()
const asked = new WeakMap<object, Trailers>()
let isListening = false

const listen = (): void => {
  if (isListening) return
  isListening = true
  subscribe('undici:request:create', (message) => {
    const trailers = asking.getStore()
    if (trailers !== undefined) asked.set((message as { readonly request: object }).request, trailers)
  })
  subscribe('undici:request:trailers', (message) => {
    const { request, trailers } = message as { readonly request: object; readonly trailers: readonly Buffer[] }
    const found = asked.get(request)
    if (found !== undefined) gatherTrailers(found, trailers.map(String))
  })
}

/** Of an answer that did not come by fetch, too. `pairs`: name, value, name, value. The first of a name counts. */
export const gatherTrailers = (trailers: Trailers, pairs: readonly string[]): void => {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = pairs[at]?.toLowerCase() ?? ''
    if (!trailers.has(name)) trailers.set(name, pairs[at + 1] ?? '')
  }
}

/** Runs a fetch and gathers the trailers of its answer. */
export const withTrailers = <Answer>(trailers: Trailers, send: () => Promise<Answer>): Promise<Answer> => {
  listen()
  return asking.run(trailers, send)
}
