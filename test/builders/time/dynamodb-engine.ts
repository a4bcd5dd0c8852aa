import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Patience } from '../../../functions/adapters/aws/patience.ts'

/** Waits for an engine on this machine, which may be busy with other suites: no test depends on its speed. */
export const patient: Patience = { attempts: 5, connectMs: 30_000, answerMs: 60_000 }

export interface DynamodbEngine {
  readonly endpoint: string
  stop(): Promise<void>
}

/** The engine must end with us, also when we are killed: a shell reads our pipe, and ends the engine when the pipe closes. */
const guard = `
  exec 3<&0 </dev/null
  "$@" 3<&- &
  engine=$!
  { cat <&3 >/dev/null; kill "$engine"; } &
  exec 3<&-
  wait "$engine"; status=$?
  trap '' TERM
  kill -TERM 0
  exit "$status"`

const findBinary = (): string => {
  const name = `@dynoxide/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(import.meta.resolve(`${name}/dynoxide`))
  } catch (cause) {
    throw new Error(`there is no ${name}`, { cause })
  }
}

/**
 * The engine does not say which port it took, so one is chosen beforehand: on an address of its own among the 16 million loopback
 * addresses, so that two engines which start at the same time never choose the same.
 */
const choosePlace = async () => {
  const host = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return { host, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint, { signal: AbortSignal.timeout(1000) }).then(
    () => true,
    () => false,
  )

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

const launch = async (binary: string): Promise<DynamodbEngine | undefined> => {
  const { host, port } = await choosePlace()
  const engine = [binary, '--host', host, '--port', String(port)]
  // A group of its own: Ctrl-C reaches us first, and the engine serves until we are done.
  const child = spawn('sh', ['-c', guard, 'sh', ...engine], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const endpoint = `http://${host}:${port}`
  if (await waitUntilReady(child, endpoint)) return { endpoint, stop: () => stopChild(child) }
  await stopChild(child)
  return undefined
}

/** A DynamoDB in memory; where an endpoint is given, that one is used instead and never stopped. */
export const startDynamodb = async (endpoint?: string): Promise<DynamodbEngine> => {
  if (endpoint !== undefined) return { endpoint, stop: async () => {} }
  const binary = findBinary()
  // Another process may take the chosen port before the engine does.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const engine = await launch(binary)
    if (engine !== undefined) return engine
  }
  throw new Error(`${binary} does not start`)
}
