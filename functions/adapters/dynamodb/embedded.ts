import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AppError, foreignWords } from '#core'

export interface EmbeddedDynamodb {
  readonly endpoint: string
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Where the data is kept; only in memory when absent. */
  readonly file?: string
  /** An engine that runs already (AWS_ENDPOINT_URL_DYNAMODB): it is used instead and never stopped. */
  readonly endpoint?: string | undefined
}

const inUse = 75

/**
 * The engine must end with us, also when we are killed, and two must never open one file. So a shell runs between us: it
 * reads our pipe and ends the engine when the pipe closes, and the engine holds a kernel lock until it ends.
 */
const guard = `
  lock=$1; shift
  exec 3<&0 </dev/null
  if [ -n "$lock" ]; then
    exec 9>>"$lock"
    flock -n 9 || exit ${inUse}
    echo "$PPID" >"$lock"
  fi
  "$@" 3<&- &
  engine=$!
  { cat <&3 >/dev/null; kill "$engine"; } 9<&- &
  exec 3<&-
  wait "$engine"; status=$?
  trap '' TERM
  kill -TERM 0
  exit "$status"`

const findBinary = (): string => {
  const platform = `${process.platform}-${process.arch}`
  try {
    return fileURLToPath(import.meta.resolve(`@dynoxide/${platform}/dynoxide`))
  } catch (cause) {
    throw new AppError('ENGINE_MISSING', { platform }, { cause })
  }
}

interface HostPort {
  readonly host: string
  readonly port: number
}

/**
 * The engine does not say which port it took, so one is chosen beforehand; and any web page in a browser on this machine
 * could send it requests. So it gets its own address among the 16 million loopback addresses: no page can try them all, and
 * two engines never share a port.
 */
const choosePlace = async (): Promise<HostPort> => {
  const host = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return { host, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

const launch = ({ host, port }: HostPort, file: string | undefined): ChildProcess => {
  const lock = file === undefined ? '' : `${file}.lock`
  const own = ['--host', host, '--port', String(port)]
  const engine = [findBinary(), ...own, ...(file === undefined ? [] : ['--db-path', file])]
  // A group of its own: Ctrl-C reaches us first, and the engine serves until we are done.
  return spawn('sh', ['-c', guard, 'sh', lock, ...engine], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
}

const answers = async (endpoint: string): Promise<boolean> => {
  const signal = AbortSignal.timeout(1000)
  return fetch(endpoint, { signal }).then(
    () => true,
    () => false,
  )
}

const waitUntilReady = async (child: ChildProcess, endpoint: string): Promise<boolean> => {
  for (let waited = 0; child.exitCode === null && waited < 10_000; waited += 10) {
    if (await answers(endpoint)) return child.exitCode === null
    await pause(10)
  }
  return false
}

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.stdin?.end()
  await ended
}

/** Credentials mean nothing to a local engine, but the client wants some; the queues of `plumbline dev` look for their key. */
export const localClient = (endpoint: string, accessKeyId = 'local') => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey: 'local' },
})

/** What the engine needs beside its file to start: an index and a log. */
const roomToStart = 1_000_000

/** An engine that finds no room for them says nothing and ends. */
const hasRoom = async (folder: string): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize >= roomToStart
}

/**
 * Throws ENGINE_MISSING where there is no engine for this machine, STORE_IN_USE where another process has the file, STORE_FULL
 * where there is no room.
 */
export const startDynamodb = async ({ file, endpoint }: EmbeddedOptions = {}): Promise<EmbeddedDynamodb> => {
  if (endpoint !== undefined) return { endpoint, stop: async () => {} }
  // Another process may take the chosen port before the engine does.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const place = await choosePlace()
    const child = launch(place, file)
    const address = `http://${place.host}:${place.port}`
    if (await waitUntilReady(child, address)) return { endpoint: address, stop: () => stopChild(child) }
    const code = child.exitCode
    await stopChild(child)
    if (code === inUse && file !== undefined) {
      // The error is true without the holder's number, too: then it says why there is none.
      const holder = await readFile(`${file}.lock`, 'utf8').catch((error: unknown) => `unknown: ${foreignWords(error)}`)
      throw new AppError('STORE_IN_USE', { file, holder: holder.trim() })
    }
  }
  if (file !== undefined && !(await hasRoom(dirname(file)))) throw new AppError('STORE_FULL', { detail: dirname(file) })
  throw new AppError('STORE_UNAVAILABLE', { detail: 'the embedded engine does not start' })
}
