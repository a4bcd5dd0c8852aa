import { type ChildProcess, spawn } from 'node:child_process'
import { delimiter, isAbsolute } from 'node:path'
import { errno } from '../../files/system-errors.ts'
import { watchMemory } from './watch-memory.ts'

export interface ProgramRun {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The folders that are searched for programs, written as in PATH. */
  readonly path: string
  /** After this time the program is ended, with everything that it started. */
  readonly timeoutMs: number
  /** The limit for the output. With `isCut` the rest is dropped; otherwise the program is ended. */
  readonly maxBytes: number
  readonly isCut: boolean
  /** The limit for its memory, where the system shows it; the program is ended. */
  readonly maxMemory?: number
  /** The time after SIGTERM until SIGKILL, and for pipes that another process holds open. 2 s when absent. */
  readonly graceMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type ProgramEnd =
  /** `exitCode` is `null` if a signal ended it. */
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly stdout: Buffer; readonly stderr: Buffer }
  | { readonly kind: 'timeout' | 'cancelled' }
  /** Too much output, or of memory. */
  | { readonly kind: 'flood'; readonly of?: 'memory' }
  /** The program never ran; `code` is the system's name of the error. */
  | { readonly kind: 'not started'; readonly code: string }

const stderrBytes = 4_096

/** Runs a program without a shell, in a group of its own, without input, and with nothing of this process's environment. */
export const runProgram = (run: ProgramRun): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const { program, args, env, path, timeoutMs, maxMemory, graceMs = 2_000, signal } = run
    let child: ChildProcess
    try {
      child = spawn(program, args, {
        cwd: '/',
        // The output of programs is read, so it must be in one language.
        env: { PATH: searched(path), LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: false,
        detached: true,
      })
    } catch (error) {
      // A program cannot get such an argument.
      return resolve({ kind: 'not started', code: errno(error) ?? '' })
    }
    let why: Exclude<ProgramEnd, { readonly kind: 'ended' | 'not started' }> | undefined
    const end = (reason: NonNullable<typeof why>): void => {
      if (why !== undefined) return
      why = reason
      stop(child, 'SIGTERM')
      kill = setTimeout(() => stop(child, 'SIGKILL'), graceMs)
    }
    const cancel = (): void => end({ kind: 'cancelled' })
    const limit = setTimeout(() => end({ kind: 'timeout' }), timeoutMs)
    let kill: NodeJS.Timeout | undefined
    const unwatch =
      child.pid !== undefined && maxMemory !== undefined
        ? watchMemory(child.pid, maxMemory, () => end({ kind: 'flood', of: 'memory' }))
        : () => {}
    const stdout = collect(child.stdout, run.maxBytes, () => {
      if (!run.isCut) end({ kind: 'flood' })
    })
    const stderr = collect(child.stderr, stderrBytes)
    signal?.addEventListener('abort', cancel)
    const done = (result: ProgramEnd): void => {
      clearTimeout(limit)
      clearTimeout(kill)
      unwatch()
      signal?.removeEventListener('abort', cancel)
      resolve(result)
    }
    child.once('error', (error) => {
      if (child.pid === undefined) done({ kind: 'not started', code: errno(error) ?? '' })
    })
    child.once('exit', (exitCode) => {
      // Processes that it started must not outlive an end that this function caused.
      if (why !== undefined) stop(child, 'SIGKILL')
      const held = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, graceMs)
      child.once('close', () => {
        clearTimeout(held)
        done(why === undefined ? { kind: 'ended', exitCode, stdout: stdout(), stderr: stderr() } : why)
      })
    })
  })

/** Relative folders are dropped: they would mean another program in each working folder. */
const searched = (path: string): string => path.split(delimiter).filter(isAbsolute).join(delimiter)

const stop = ({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The group has ended already.
    if (errno(error) !== 'ESRCH') throw error
  }
}

/** Keeps the beginning of the output; `full` is called once, when more came than is kept. */
const collect = (stream: ChildProcess['stdout'], most: number, full: () => void = () => {}): (() => Buffer) => {
  const kept: Buffer[] = []
  let length = 0
  stream?.on('data', (part: Buffer) => {
    const isFull = length > most
    if (!isFull) kept.push(part)
    length += part.length
    if (!isFull && length > most) full()
  })
  return () => Buffer.concat(kept).subarray(0, most)
}
