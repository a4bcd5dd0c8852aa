import { AppError, type Deps, defaultTimeoutMs, defined, isExec, programIn, type Transport } from '#core'
import type { ExecOptions } from './exec/exec.ts'
import { createFileTransport } from './file/file.ts'
import type { AddressGuard } from './http/address-guard.ts'
import { createHttpTransport } from './http/http.ts'

export interface TransportLimits {
  /** Whether files of this machine may be targets; if not, every file URL is outside. */
  readonly files?: boolean
  readonly guard?: AddressGuard | undefined
  /** Makes the transport to programs of this machine. Absent, as in Lambda: there is none, and no program runs. */
  readonly exec?: ((options: Omit<ExecOptions, 'path'>) => Transport) | undefined
}

const noPrograms: Transport = {
  send: async ({ url }) => {
    throw new AppError('EXEC_UNAVAILABLE', { program: programIn(url) ?? url, detail: 'no programs are run here' })
  },
}

/** The transport that sends requests: by the URL's scheme, to a server or to this machine's files and programs. */
export const createTransport =
  ({ files = true, guard, exec }: TransportLimits = {}): Deps['transport'] =>
  ({ fileRoots, programs = [], ...http }) => {
    const overHttp = createHttpTransport({ ...http, ...defined({ guard }) })
    const toFiles = createFileTransport({ roots: files ? fileRoots : [] })
    const toPrograms = exec?.({ programs, timeoutMs: http.timeoutMs ?? defaultTimeoutMs }) ?? noPrograms
    const wayTo = (url: string): Transport => {
      if (/^file:/i.test(url)) return toFiles
      return isExec(url) ? toPrograms : overHttp
    }
    return { send: (request, signal) => wayTo(request.url).send(request, signal) }
  }
