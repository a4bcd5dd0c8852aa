import { AppError, type Deps, defaultTimeoutMs, defined, isExec, programIn, type Transport } from '#core'
import type { ExecOptions } from './exec/exec.ts'

export interface TransportLimits {
  /** True if files of this machine may be targets; otherwise every file URL is outside the roots. */
  readonly files?: boolean
  /** True if the addresses of this function itself are refused as targets. */
  readonly guarded?: boolean
  /** Makes the transport to programs of this machine. Absent, as in Lambda: no program runs. */
  readonly exec?: ((options: Omit<ExecOptions, 'path'>, files: Transport) => Transport) | undefined
}

const noPrograms: Transport = {
  send: async ({ url }) => {
    throw new AppError('EXEC_UNAVAILABLE', { program: programIn(url) ?? url, detail: 'no programs are run here' })
  },
}

/** Loads a transport with its first request: most functions send none, and only a local machine sends to files. */
const later = (load: () => Promise<Transport>): Transport => {
  let loaded: Promise<Transport> | undefined
  return {
    send: async (request, signal) => {
      loaded ??= load()
      return (await loaded).send(request, signal)
    },
  }
}

export const createTransport =
  ({ files = true, guarded = false, exec }: TransportLimits = {}): Deps['transport'] =>
  ({ fileRoots, programs = [], ...http }) => {
    const overHttp = later(async () => {
      const [{ createHttpTransport }, { createAddressGuard }] = await Promise.all([
        import('./http/http.ts'),
        import('./http/address-guard.ts'),
      ])
      return createHttpTransport({ ...http, ...defined({ guard: guarded ? createAddressGuard() : undefined }) })
    })
    const toFiles = later(async () => {
      const { createFileTransport } = await import('./file/file.ts')
      return createFileTransport({ roots: files ? fileRoots : [] })
    })
    const toPrograms = exec?.({ programs, timeoutMs: http.timeoutMs ?? defaultTimeoutMs }, toFiles) ?? noPrograms
    const wayTo = (url: string): Transport => {
      if (/^file:/i.test(url)) return toFiles
      return isExec(url) ? toPrograms : overHttp
    }
    return { send: (request, signal) => wayTo(request.url).send(request, signal) }
  }
