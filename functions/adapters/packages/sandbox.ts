import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { AppError, type Guest, type Json, type ReadDeps, type Request } from '#core'
import type { FromGuest, SandboxData, SandboxLimits, ToGuest } from './sandbox-messages.ts'

/** The bundle contains the thread as a separate file; the sources run as they are. */
const threadFile = (): string => {
  const isSource = import.meta.url.endsWith('.ts')
  return fileURLToPath(new URL(isSource ? './sandbox-worker.ts' : './sandbox.mjs', import.meta.url))
}

export interface SandboxOptions extends SandboxLimits {
  /** The bundled thread, if it is not beside the file that starts it. */
  readonly file?: string
}

interface Thread {
  readonly port: MessagePort
  readonly signal: SandboxData['signal']
  end(): void
}

const startThread = (code: string, { file, ...limits }: SandboxOptions, stopped: (name: string) => void): Thread => {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const workerData: SandboxData = { ...limits, code, signal, port: port2 }
  const worker = new Worker(file ?? threadFile(), {
    workerData,
    transferList: [port2],
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 8 },
  })
  worker.on('error', ({ name }) => stopped(name))
  worker.on('exit', () => stopped('exit'))
  // An idle package does not keep the command running.
  worker.unref()
  return { port: port1, signal, end: () => void worker.terminate() }
}

interface PendingSend {
  readonly resolve: (value: Json) => void
  readonly reject: (error: unknown) => void
  readonly deps: ReadDeps
  requests: number
}

const openExchange = (code: string, name: string, options: SandboxOptions, onEnd: (error: AppError) => void) => {
  let turns = 0
  let ended: AppError | undefined
  let timer: NodeJS.Timeout | undefined
  const failed = (detail: string): AppError => new AppError('PROVIDER_PACKAGE_FAILED', { name, detail })
  const end = (detail: string): AppError => {
    if (ended !== undefined) return ended
    ended = failed(detail)
    thread.end()
    onEnd(ended)
    watch(false)
    return ended
  }
  const thread = startThread(code, options, (how) => void end(`its machine stopped (${how})`))
  const { port, signal } = thread
  port.unref()

  /** Ends a turn that does not end by itself. While a package works, the process stays. */
  const watch = (isAwaited: boolean): void => {
    clearTimeout(timer)
    if (ended === undefined && turns > 0) timer = setTimeout(() => void end('it took too long'), options.turnMs)
    if (ended === undefined && isAwaited) port.ref()
    else port.unref()
  }
  /** Waits for the next message without the event loop. */
  const next = (): FromGuest => {
    for (;;) {
      const seen = Atomics.load(signal, 0)
      const received = receiveMessageOnPort(port)
      if (received !== undefined) return received.message as FromGuest
      if (Atomics.wait(signal, 0, seen, options.turnMs) === 'timed-out') throw end('it took too long')
    }
  }
  const post = (message: ToGuest): void => {
    if (ended !== undefined) return
    turns += 1
    port.postMessage(message)
  }
  const turned = (): number => (turns -= 1)
  return { port, failed, end, watch, next, post, turned, ended: () => ended }
}

/**
 * Runs the code of a package in its own thread without an environment, in a machine that has nothing but the language.
 * `name` is for messages. After an endless loop, full memory or too many requests the package has ended, and each call fails.
 */
export const openSandbox = (code: string, name: string, options: SandboxOptions): Guest => {
  const asked = new Map<number, PendingSend>()
  const failures = new Map<number, unknown>()
  let last = 0
  let underway = 0

  const refuseAll = (error: AppError): void => {
    for (const each of asked.values()) each.reject(error)
    asked.clear()
  }
  const { mostRequests } = options
  const { port, failed, end, watch, next, post, turned, ended } = openExchange(code, name, options, refuseAll)

  const forward = async ({ call, request, text }: Extract<FromGuest, { kind: 'send' }>): Promise<void> => {
    const asking = asked.get(call)
    const answer = (rest: { readonly text: string } | { readonly error: string }): void => {
      post({ kind: 'answer', request, ...rest })
      watch(asked.size > 0)
    }
    if (asking === undefined) return answer({ error: 'only a read sends requests' })
    const { deps } = asking
    asking.requests += 1
    if (asking.requests > mostRequests) return void end(`it sent more than ${mostRequests} requests in one read`)
    underway += 1
    try {
      const response = await deps.transport.send(JSON.parse(text) as Request, deps.signal)
      answer({ text: JSON.stringify(response) })
    } catch (error) {
      failures.set(request, error)
      // The message of an error may quote the target: the package learns only that there is no answer.
      answer({ error: error instanceof AppError ? error.code : 'no answer' })
    } finally {
      underway -= 1
    }
  }

  const take = (message: FromGuest): void => {
    if (message.kind === 'turn') {
      // Nothing can wake the package any more.
      if (turned() === 0 && underway === 0) refuseAll(failed('it waits for nothing, and never answers'))
    } else if (message.kind === 'send') void forward(message)
    else if (message.call === undefined) end(message.kind === 'failed' ? message.detail : '')
    else {
      const one = asked.get(message.call)
      asked.delete(message.call)
      if (message.kind === 'done') one?.resolve(JSON.parse(message.text) as Json)
      else one?.reject(failures.get(message.request ?? -1) ?? failed(message.detail))
    }
    watch(asked.size > 0)
  }
  port.on('message', take)
  port.unref()

  const call = (op: string, args: readonly Json[]): Json => {
    const gone = ended()
    if (gone !== undefined) throw gone
    last += 1
    const own = last
    post({ kind: 'call', call: own, op, args: JSON.stringify(args) })
    for (;;) {
      const message = next()
      const isOwn = message.kind !== 'turn' && message.kind !== 'send' && (message.call ?? own) === own
      if (!isOwn) take(message)
      else if (message.kind === 'done') return JSON.parse(message.text) as Json
      else if (message.kind === 'failed')
        throw message.call === undefined ? end(message.detail) : failed(message.detail)
    }
  }
  const ask = (op: string, args: readonly Json[], deps: ReadDeps): Promise<Json> =>
    new Promise((resolve, reject) => {
      const gone = ended()
      if (gone !== undefined) return reject(gone)
      last += 1
      asked.set(last, { resolve, reject, deps, requests: 0 })
      post({ kind: 'call', call: last, op, args: JSON.stringify(args) })
      watch(true)
    })
  return { call, ask, isOpen: () => ended() === undefined, close: () => void end('it was closed') }
}
