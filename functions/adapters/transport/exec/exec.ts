import { isUtf8 } from 'node:buffer'
import { AppError, callIn, type Json, programIn, type Request, type Response, type Transport } from '#core'
import { createGate } from '../gate.ts'
import { gitOnCopy } from './git-on-copy.ts'
import { type ProgramEnd, runProgram } from './run-program.ts'

export interface ExecOptions {
  /** Names of the programs that may run; all others are refused. */
  readonly programs: readonly string[]
  readonly timeoutMs: number
  /** The folders that are searched for programs, written as in PATH. */
  readonly path: string
  /** The time after SIGTERM until SIGKILL, and for pipes that another process holds open. 2 s when absent. */
  readonly graceMs?: number | undefined
  /** The limit for the output of a read. 8 MiB when absent. */
  readonly maxBytes?: number
}

/** The time limit of a read: a check must not wait minutes for each of them. */
const longestReadMs = 60_000
const writeOutputBytes = 4_096

/** `files` is the transport that reads and writes what git changes. */
export const execOn =
  (path: string) =>
  (options: Omit<ExecOptions, 'path'>, files: Transport): Transport =>
    gitOnCopy(createExecTransport({ ...options, path }), files)

/**
 * Makes programs targets. `POST exec:///<program>` with `{ args, env }` answers 200 `{ exitCode: 0, stdout, stderr }`,
 * and 422 with the same and a `detail` if the program says that it failed. 403: the program may not be started; 400: it
 * cannot get such arguments; 408: a read took too long; 501: there is no such program.
 */
export const createExecTransport = (options: ExecOptions): Transport => ({
  send: async (request, signal) => {
    const { method, url, effect, body } = request
    const program = programIn(url)
    const call = callIn(body)
    const isOurs = program !== undefined && options.programs.includes(program)
    if (!isOurs)
      throw new AppError('EXEC_UNAVAILABLE', { program: program ?? url, detail: 'its provider does not run it' })
    if (method.toUpperCase() !== 'POST') return answer(405)
    if (call === undefined) return answer(400, { detail: 'the body is {args, env}: texts, and known variables only' })
    const isWrite = effect === 'write'
    if (!createGate(request).letsGo()) throw failure(request, 'its leave had ended before it left', 'unsent')
    if (signal?.aborted) throw failure(request, 'it was cancelled before the program started', 'unsent')
    const ended = await runProgram({
      program,
      ...call,
      path: options.path,
      timeoutMs: isWrite ? options.timeoutMs : Math.min(options.timeoutMs, longestReadMs),
      maxBytes: isWrite ? writeOutputBytes : (options.maxBytes ?? 8 * 1024 * 1024),
      isCut: isWrite,
      graceMs: options.graceMs,
      signal,
    })
    return answerTo(request, ended, options)
  },
})

const answer = (status: number, body: Json = null): Response => ({ status, headers: {}, body })

const failure = ({ method, url }: Request, detail: string, reason: 'timeout' | 'cancelled' | 'unsent'): AppError =>
  new AppError('REQUEST_FAILED', { method, url, detail, reason })

const answerTo = (request: Request, end: ProgramEnd, { maxBytes }: ExecOptions): Response => {
  const { method, url } = request
  switch (end.kind) {
    case 'ended':
      return answerToEnd(request, end)
    case 'not started':
      return notStarted(end)
    case 'cancelled':
      throw failure(request, 'it was cancelled, and the program ended', 'cancelled')
    case 'flood':
      throw new AppError('RESPONSE_TOO_LARGE', { method, url, limit: maxBytes ?? 8 * 1024 * 1024 })
    case 'timeout': {
      const detail = 'the program did not end in time, and was ended'
      // The effect of a write until the timeout is unknown. A read is not tried again: it would hang again.
      if (request.effect === 'write') throw failure(request, detail, 'timeout')
      return answer(408, { detail })
    }
  }
}

const answerToEnd = (
  { method, url, effect }: Request,
  { exitCode, ...output }: Extract<ProgramEnd, { kind: 'ended' }>,
): Response => {
  // The output of a write may be cut within a character, and is then not UTF-8.
  if (effect === 'read' && !isUtf8(output.stdout))
    throw new AppError('RESPONSE_INVALID', { method, url, detail: 'the output is no UTF-8 text' })
  const [stdout, stderr] = [output.stdout.toString('utf8'), output.stderr.toString('utf8')]
  const said = { exitCode, stdout, stderr }
  if (exitCode === 0) return answer(200, said)
  const how = exitCode === null ? 'a signal ended the program' : `the program ended with exit code ${exitCode}`
  const words = lastLines(stderr.trim() || stdout.trim())
  return answer(422, { ...said, detail: words === '' ? how : `${how}: ${words}` })
}

/** Characters. */
const longestWords = 400

/**
 * The last lines, each of them whole: secrets are searched later, and a part of one would not be found. Programs say at the
 * end what went wrong.
 */
const lastLines = (text: string): string => {
  const lines = text.split(/\r?\n/)
  const fits = (from: number): boolean => lines.slice(from).join('\n').length <= longestWords
  const first = lines.findIndex((_, index) => fits(index))
  return first < 0 ? 'what it said is too long to be shown' : lines.slice(first).join('\n')
}

const statusOf: Readonly<Record<string, readonly [number, string]>> = {
  ENOENT: [501, 'there is no such program here'],
  EACCES: [403, 'permission denied'],
  EPERM: [403, 'permission denied'],
  E2BIG: [400, 'the arguments are too long'],
  ERR_INVALID_ARG_VALUE: [400, 'an argument contains a NUL character'],
}

const notStarted = ({ code }: Extract<ProgramEnd, { kind: 'not started' }>): Response => {
  const [status, detail] = statusOf[code] ?? [500, `it was not started: ${code}`]
  return answer(status, { detail })
}
