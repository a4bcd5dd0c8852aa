import type { Transport } from '#core'
import type { FileOptions } from './file/file.ts'
import { createFileTransport } from './file/file.ts'
import type { HttpOptions } from './http/http.ts'
import { createHttpTransport } from './http/http.ts'

export interface TransportOptions {
  readonly http?: HttpOptions
  /** Without it there are no files: every file URL is outside. */
  readonly file?: FileOptions
}

/** The transport that sends for real: by the URL's scheme, to a server or to this machine's files. */
export const createTransport = ({ http, file }: TransportOptions = {}): Transport => {
  const overHttp = createHttpTransport(http)
  const toFiles = createFileTransport(file ?? { roots: [] })
  return {
    send: (request, signal) => (/^file:/i.test(request.url) ? toFiles : overHttp).send(request, signal),
  }
}
