import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'
import type { Clock } from '../../../core/engine/schema/ports.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { askRun } from './ask-run.ts'
import { commandFolder } from './command-server.ts'

const root = new URL('../../..', import.meta.url).pathname

/** Of the run, or of a process without a run: a bench. */
const findFolder = async (): Promise<string> => {
  const built = await askRun<string>('command')
  if (built !== undefined) return built
  const { build, end } = commandFolder()
  process.once('exit', end)
  return build()
}

let found: Promise<string> | undefined
const folderOf = (): Promise<string> => (found ??= findFolder())

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** What was written to standard output up to now. */
  stdout(): string
  /** Resolves once standard output, from a place on, holds the pattern; rejects when the process ends without. */
  says(pattern: RegExp, from?: number): Promise<RegExpExecArray>
  /** The same of standard error. */
  notes(pattern: RegExp): Promise<RegExpExecArray>
}

const inherited = ['PATH', 'HOME', 'TMPDIR']
const inheritedVariables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }

/** The file of the command, for a process that is started in another way. */
export const commandFile = async (): Promise<string> => join(await folderOf(), 'plumbline.mjs')

/** The `plumbline` command as a process of its own, with none of the variables of the tests. */
export const startCommand = async (
  args: readonly string[],
  {
    folder,
    variables = {},
    keepInput = false,
  }: {
    readonly folder: string
    readonly variables?: Readonly<Record<string, string>>
    /** Standard input stays open, for the caller to write. */
    readonly keepInput?: boolean
  },
): Promise<Running> => {
  // Compiled once: most of these processes are short.
  const compiled = { NODE_COMPILE_CACHE: join(await folderOf(), 'compiled') }
  const child = spawn(process.execPath, [await commandFile(), ...args], {
    cwd: folder,
    env: { ...inheritedVariables(), ...compiled, ...variables },
    stdio: 'pipe',
  })
  const { stdout, stderr } = child
  const written = { stdout: '', stderr: '' }
  stdout.on('data', (part) => (written.stdout += part))
  stderr.on('data', (part) => (written.stderr += part))
  if (!keepInput) child.stdin.end()
  let over = false
  const ended = once(child, 'close').then(([code]) => {
    over = true
    return { code: code as number | null, ...written }
  })
  const until = async (name: 'stdout' | 'stderr', pattern: RegExp, from = 0): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(written[name].slice(from))
      if (found !== null) return found
      if (over) throw new Error(`${pattern} never came:\n${written.stdout}\n${written.stderr}`)
      await Promise.race([once(child[name], 'data'), ended])
    }
  }
  return {
    child,
    ended,
    stdout: () => written.stdout,
    says: (pattern, from) => until('stdout', pattern, from),
    notes: (pattern) => until('stderr', pattern),
  }
}

interface CommandOptions {
  readonly folder: string
  readonly variables?: Readonly<Record<string, string>>
}

/** The command as a process of its own, to its end. */
export const spawnCommand = async (args: readonly string[], options: CommandOptions): Promise<Ended> =>
  (await startCommand(args, options)).ended

/** What a pipe takes, and the text of it. */
const collect = () => {
  const parts: Buffer[] = []
  const stream = new Writable({
    write: (part: Buffer, _encoding, done) => {
      parts.push(part)
      done()
    },
  })
  return { stream: stream as unknown as WriteStream, text: () => Buffer.concat(parts).toString() }
}

/** Nobody waits for a stand-in as long as for a real server: the pauses between two attempts or two polls are short. */
const hastyClock: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(Math.min(milliseconds, 20), signal),
}

/**
 * The command in this process, as its entry point calls it: a new process costs more than most of what is tested with it.
 * `spawnCommand` has the process around it.
 */
export const runCommand = async (
  args: readonly string[],
  { folder, variables = {} }: CommandOptions,
): Promise<Ended> => {
  const { runProgram } = await import('../../../functions/cli/program.ts')
  const [stdout, stderr] = [collect(), collect()]
  const code = await runProgram({
    argv: args,
    variables: { ...inheritedVariables(), ...variables },
    folder,
    stdin: Readable.from([]) as unknown as ReadStream,
    stdout: stdout.stream,
    stderr: stderr.stream,
    user: userInfo().username,
    version,
    invocation: 'plumbline',
    onInterrupt: () => () => undefined,
    clock: hastyClock,
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** A copy of examples/host, with nothing stored. */
export const tearoom = async (): Promise<{ readonly folder: string; remove(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-tearoom-'))
  await cp(join(root, 'examples', 'host'), folder, { recursive: true })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
