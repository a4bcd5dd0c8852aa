import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
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

const server = '/usr/sbin/pdns_server'
const tables = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
const apiKey = 'powerdns-test-key'

const settings = (folder: string, dnsPort: number, apiPort: number): string =>
  Object.entries({
    launch: 'gsqlite3',
    'gsqlite3-database': join(folder, 'zones.db'),
    'gsqlite3-dnssec': 'yes',
    'local-address': '127.0.0.1',
    'local-port': dnsPort,
    'socket-dir': join(folder, 'run'),
    api: 'yes',
    'api-key': apiKey,
    webserver: 'yes',
    'webserver-address': '127.0.0.1',
    'webserver-port': apiPort,
    'webserver-allow-from': '127.0.0.0/8',
    guardian: 'no',
    daemon: 'no',
    'disable-syslog': 'yes',
    'write-pid': 'no',
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** An own PowerDNS authoritative server with an empty SQLite database. `cli` is pdnsutil. */
export const startPowerdns = async (): Promise<TargetServer> => {
  requirePrograms([server, tables, '/usr/bin/sqlite3'], 'apt-get install -y pdns-server pdns-backend-sqlite3 sqlite3')
  const folder = await makeFolder('powerdns')
  const [dnsPort, apiPort] = [await freePort(), await freePort()]
  await mkdir(join(folder, 'run'))
  await runProgram('/usr/bin/sqlite3', [join(folder, 'zones.db'), readFileSync(tables, 'utf8')])
  writeFileSync(join(folder, 'pdns.conf'), settings(folder, dnsPort, apiPort))
  const running = runGuarded(folder, [server, `--config-dir=${folder}`])
  const baseUrl = `http://127.0.0.1:${apiPort}`
  const headers = { 'X-API-Key': apiKey }
  const stop = async (): Promise<void> => {
    await running.stop()
    await removeFolder(folder)
  }
  const isUp = () => waitUntilUp(`${baseUrl}/api/v1/servers`, headers, folder)
  try {
    await isUp()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    baseUrl,
    headers,
    credentials: { baseUrl, apiKey },
    cli: (args) => runProgram('/usr/bin/pdnsutil', [`--config-dir=${folder}`, ...args]),
    dump: () => dump(`${baseUrl}/api/v1/servers/localhost/zones`, headers),
    restart: () => running.restart().then(isUp),
    stop,
  }
}

const dump = async (zones: string, headers: Readonly<Record<string, string>>): Promise<unknown> => {
  const listed = (await getJson(zones, headers)) as { readonly id: string }[]
  const whole = listed.map(async ({ id }) => {
    const url = `${zones}/${encodeURIComponent(id)}`
    const [zone, metadata, keys] = await Promise.all([
      getJson(url, headers),
      getJson(`${url}/metadata`, headers),
      getJson(`${url}/cryptokeys`, headers),
    ])
    return { zone, metadata, keys }
  })
  return inOneOrder(await Promise.all(whole))
}
