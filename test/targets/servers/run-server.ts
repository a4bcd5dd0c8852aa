import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A server of a Debian package that a test started for itself, on loopback. */
export interface TargetServer {
  readonly baseUrl: string
  /** Headers that sign a request in. */
  readonly headers: Readonly<Record<string, string>>
  /** The values of `with` for the provider document of the server, secrets in clear. */
  readonly credentials: Readonly<Record<string, string>>
  /** Runs the system's own command: the change from outside. Answers what it printed. */
  cli(args: readonly string[]): Promise<string>
  /** Everything that the server holds, in one order. */
  dump(): Promise<unknown>
  /** Ends it as its service manager would, starts it again on what it kept, and waits until it answers. */
  restart(): Promise<void>
  /** Ends it and removes its folder. A second call does nothing. */
  stop(): Promise<void>
}

/*
 * The guard holds its end of a pipe: when the test ends in whatever way, the pipe closes, and the guard ends the server
 * with all that it started and removes the folder. A line asks for another start, and is answered by one. A group that
 * does not end by itself within 20 s is ended.
 */
const guard = `
folder=$1; shift
start() { setsid "$@" >>"$folder/server.log" 2>&1 </dev/null & server=$!; }
start "$@"
while read -r line; do
  kill -s TERM -- "-$server" 2>/dev/null
  wait "$server" 2>/dev/null
  for n in $(seq 200); do kill -0 -- "-$server" 2>/dev/null || break; sleep 0.1; done
  kill -s KILL -- "-$server" 2>/dev/null
  start "$@"
  echo started
done
kill -s KILL -- "-$server" 2>/dev/null
wait "$server" 2>/dev/null
rm -rf "$folder"
`

export interface Guarded {
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Runs a command until `stop`, or until this process is gone. Its output is in `server.log` of the folder. */
export const runGuarded = (
  folder: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Guarded => {
  const child = spawn('sh', ['-c', guard, 'guard', folder, ...command], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return {
    restart: async () => {
      child.stdin.write('again\n')
      await Promise.race([once(child.stdout, 'data'), ended])
    },
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}

export const makeFolder = (name: string): Promise<string> => mkdtemp(join(tmpdir(), `plumbline-${name}-`))
export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** Fails with what to install, because a suite without its servers proves nothing. */
export const requirePrograms = (programs: readonly string[], command: string): void => {
  for (const program of programs) {
    try {
      accessSync(program, constants.R_OK)
    } catch {
      throw new Error(`${program} is missing; install it: ${command}`)
    }
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Below those that the system itself gives to the servers and connections of other tests, which run meanwhile. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(10_000, 30_000)
  return (await isFree(port)) ? port : freePort()
}

/** Against hanging for ever, and nothing else: a busy machine may need minutes for the start of a server. */
const limit = { seconds: 300 }

/** Waits until a GET answers 200. */
export const waitUntilUp = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> => {
  const deadline = Date.now() + limit.seconds * 1000
  while (Date.now() < deadline) {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return
    await pause(100)
  }
  throw new Error(
    `${url} did not answer within ${limit.seconds} s:\n${readFileSync(join(folder, 'server.log'), 'utf8').slice(-2000)}`,
  )
}

const execute = promisify(execFile)

export const runProgram = async (
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { stdout } = await execute(program, [...args], { env: { ...process.env, ...env }, maxBuffer: 64 << 20 })
  return stdout
}

export const getJson = async (url: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  const response = await fetch(url, { headers })
  if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}`)
  return response.json()
}

/** Arrays sorted by what they hold, so that two dumps are equal when the same is there. */
export const inOneOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const elements = value.map(inOneOrder)
    return elements.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
  }
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, inner]) => [name, inOneOrder(inner)]))
}
