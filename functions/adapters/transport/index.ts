import { type Deps, defined } from '#core'
import { createFileTransport } from './file/file.ts'
import type { AddressGuard } from './http/address-guard.ts'
import { createHttpTransport } from './http/http.ts'

interface TransportLimits {
  /** Whether files of this machine may be targets; if not, every file URL is outside. */
  readonly files?: boolean
  readonly guard?: AddressGuard | undefined
}

/** The transport that sends for real: by the URL's scheme, to a server or to this machine's files. */
export const createTransport =
  ({ files = true, guard }: TransportLimits = {}): Deps['transport'] =>
  ({ fileRoots, ...http }) => {
    const overHttp = createHttpTransport({ ...http, ...defined({ guard }) })
    const toFiles = createFileTransport({ roots: files ? fileRoots : [] })
    return {
      send: (request, signal) => (/^file:/i.test(request.url) ? toFiles : overHttp).send(request, signal),
    }
  }
