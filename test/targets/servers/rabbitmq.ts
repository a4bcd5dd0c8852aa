import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  freePort,
  getJson,
  inOneOrder,
  makeFolder,
  removeFolder,
  requirePrograms,
  runGuarded,
  runProgram,
  type TargetServer,
  waitUntilUp,
} from './run-server.ts'

// The wrapper in /usr/sbin would switch user and environment.
const server = '/usr/lib/rabbitmq/bin/rabbitmq-server'
const control = '/usr/lib/rabbitmq/bin/rabbitmqctl'
const user = 'admin'
const password = 'rabbitmq-test-password'

interface Ports {
  readonly amqp: number
  readonly api: number
  readonly distribution: number
  /** The Erlang port mapper: an own one, because a shared one would outlive the test. */
  readonly epmd: number
}

const environment = (folder: string, ports: Ports): Readonly<Record<string, string>> => ({
  HOME: folder,
  RABBITMQ_NODENAME: `plumbline${ports.amqp}@localhost`,
  RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
  RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
  RABBITMQ_LOG_BASE: join(folder, 'log'),
  RABBITMQ_PID_FILE: join(folder, 'pid'),
  RABBITMQ_DIST_PORT: String(ports.distribution),
  ERL_EPMD_ADDRESS: '127.0.0.1',
  ERL_EPMD_PORT: String(ports.epmd),
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
})

const writeSettings = (folder: string, ports: Ports): void => {
  const lines = {
    'listeners.tcp.1': `127.0.0.1:${ports.amqp}`,
    'management.tcp.ip': '127.0.0.1',
    'management.tcp.port': ports.api,
    default_user: user,
    default_pass: password,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(folder, 'rabbitmq.conf'), text.join(''))
  writeFileSync(join(folder, 'enabled_plugins'), '[rabbitmq_management].\n')
}

/** An own, empty RabbitMQ broker with the management plugin; up in some 7 s. `cli` is rabbitmqctl. */
export const startRabbitmq = async (): Promise<TargetServer> => {
  requirePrograms([server, control, '/usr/bin/epmd'], 'apt-get install -y rabbitmq-server')
  const [folder, mapperFolder] = [await makeFolder('rabbitmq'), await makeFolder('epmd')]
  const ports = {
    amqp: await freePort(),
    api: await freePort(),
    distribution: await freePort(),
    epmd: await freePort(),
  }
  writeSettings(folder, ports)
  const env = environment(folder, ports)
  const mapper = runGuarded(mapperFolder, ['/usr/bin/epmd', '-address', '127.0.0.1', '-port', String(ports.epmd)])
  const running = runGuarded(folder, [server], env)
  const baseUrl = `http://127.0.0.1:${ports.api}/api`
  const headers = { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  const stop = async (): Promise<void> => {
    await running.stop()
    await mapper.stop()
    await Promise.all([removeFolder(folder), removeFolder(mapperFolder)])
  }
  // Virtual hosts come up after the API itself.
  const isUp = () => waitUntilUp(`${baseUrl}/health/checks/virtual-hosts`, headers, folder)
  try {
    await isUp()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    baseUrl,
    headers,
    credentials: { baseUrl, user, password },
    cli: (args) => runProgram(control, ['-n', `plumbline${ports.amqp}@localhost`, '--quiet', ...args], env),
    dump: async () => inOneOrder(await getJson(`${baseUrl}/definitions`, headers)),
    restart: () => running.restart().then(isUp),
    stop,
  }
}
