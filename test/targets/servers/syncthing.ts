import { readFileSync, writeFileSync } from 'node:fs'
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

const syncthing = '/usr/bin/syncthing'

/** What keeps an instance from talking to anybody. */
const quiet = {
  globalAnnounceEnabled: 'false',
  localAnnounceEnabled: 'false',
  relaysEnabled: 'false',
  natEnabled: 'false',
  crashReportingEnabled: 'false',
  startBrowser: 'false',
  urAccepted: '-1',
  autoUpgradeIntervalH: '0',
  stunKeepaliveStartS: '0',
}

/** Fails where a member is missing: an instance that was not made quiet must not start. */
const withMembers = (config: string, members: Readonly<Record<string, string>>): string =>
  Object.entries(members).reduce((text, [name, value]) => {
    const parts = text.split(new RegExp(`(?<=<${name}>)[^<]*(?=</${name}>)`))
    if (parts.length !== 2) throw new Error(`the configuration of syncthing has ${parts.length - 1} ${name}`)
    return parts.join(value)
  }, config)

const memberOf = (config: string, pattern: RegExp): string => pattern.exec(config)?.[1] ?? ''

/** An own instance that reaches nobody. `cli` is its own command: `config folders docs label set x`. */
export const startSyncthing = async (): Promise<TargetServer> => {
  requirePrograms([syncthing], 'apt-get install -y syncthing')
  const folder = await makeFolder('syncthing')
  const home = join(folder, 'home')
  const file = join(home, 'config.xml')
  // The folder of a new instance would be made in the home of whoever runs the test.
  await runProgram(syncthing, ['generate', `--home=${home}`, '--no-default-folder', '--skip-port-probing'])
  const listen = { listenAddress: `tcp://127.0.0.1:${await freePort()}` }
  const address = `127.0.0.1:${await freePort()}`
  const config = withMembers(readFileSync(file, 'utf8'), { ...quiet, ...listen }).replace('127.0.0.1:8384', address)
  if (!config.includes(`<address>${address}</address>`)) throw new Error('the GUI of syncthing has no address')
  writeFileSync(file, config)
  const baseUrl = `http://${address}`
  const headers = { 'X-API-Key': memberOf(config, /<apikey>([^<]*)/) }
  const env = { HOME: folder }
  const running = runGuarded(folder, [syncthing, 'serve', `--home=${home}`, '--no-browser', '--no-restart'], env)
  const isUp = () => waitUntilUp(`${baseUrl}/rest/system/status`, headers, folder)
  const stop = async (): Promise<void> => {
    await running.stop()
    await removeFolder(folder)
  }
  try {
    await isUp()
  } catch (error) {
    await stop()
    throw error
  }
  const read = (path: string) => getJson(`${baseUrl}/rest${path}`, headers)
  return {
    baseUrl,
    headers,
    credentials: {
      baseUrl,
      apiKey: headers['X-API-Key'],
      device: memberOf(config, /<device id="([^"]*)/),
      folder,
    },
    cli: (args) => runProgram(syncthing, ['cli', `--home=${home}`, ...args], env),
    dump: async () => {
      const { options, ...whole } = (await read('/config')) as Record<string, Record<string, unknown>>
      const folders = whole['folders'] as unknown as readonly { readonly id: string }[]
      const ignores = await Promise.all(folders.map(({ id }) => read(`/db/ignores?folder=${id}`)))
      // Hints for whoever opens the GUI next come by themselves.
      return { ignores, config: inOneOrder({ ...whole, options: { ...options, unackedNotificationIDs: [] } }) }
    },
    restart: () => running.restart().then(isUp),
    stop,
  }
}
