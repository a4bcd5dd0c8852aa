import type { IncomingMessage } from 'node:http'

/** More of a refused request's body is not waited for. */
const maxBytes = 1_000_000

/**
 * Reads past the body of a request that was refused: a connection that is cut while the body still comes would take the
 * answer with it.
 */
export const dropBody = (request: IncomingMessage): void => {
  if (request.complete) return
  let size = 0
  request.on('data', (part: Uint8Array) => {
    size += part.length
    if (size > maxBytes) request.destroy()
  })
}
