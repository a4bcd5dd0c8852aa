import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandFolder, commandVariable } from './command-server.ts'

const root = new URL('../../..', import.meta.url).pathname

/** Of the run, or of a process without a run: a bench. */
const findFolder = async (): Promise<string> => {
  const address = process.env[commandVariable]
  if (address !== undefined) {
    const response = await fetch(address)
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
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
  const env = Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
  // Compiled once: most of these processes are short.
  const compiled = { NODE_COMPILE_CACHE: join(await folderOf(), 'compiled') }
  const child = spawn(process.execPath, [await commandFile(), ...args], {
    cwd: folder,
    env: { ...env, ...compiled, ...variables },
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

export const runCommand = async (...given: Parameters<typeof startCommand>): Promise<Ended> =>
  (await startCommand(...given)).ended

/** A copy of examples/host, with nothing stored. */
export const tearoom = async (): Promise<{ readonly folder: string; remove(): Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-tearoom-'))
  await cp(join(root, 'examples', 'host'), folder, { recursive: true })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
