import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../core/engine/schema/json.ts'
import {
  freePort,
  getJson,
  makeFolder,
  removeFolder,
  requirePrograms,
  runGuarded,
  runProgram,
  type TargetServer,
  waitUntilUp,
} from './run-server.ts'

const caddy = '/usr/bin/caddy'

type Holder = Record<string, unknown>

/** Where a step leads: a member, an index, or `@name` for the element of a list with this @id. */
const keyOf = (holder: Holder, step: string): string =>
  step.startsWith('@') && Array.isArray(holder)
    ? String(holder.findIndex((element: Holder) => element['@id'] === step.slice(1)))
    : step

/** The configuration with a value at a path (`/apps/http/servers/x`), or without what is there. */
const edited = (config: unknown, path: string, value: Json | undefined): unknown => {
  const whole = structuredClone(config) as Holder
  const steps = path.split('/').slice(1)
  const last = steps.pop() ?? ''
  const holder = steps.reduce<Holder>((inner, step) => {
    const key = keyOf(inner, step)
    inner[key] ??= {}
    return inner[key] as Holder
  }, whole)
  const key = keyOf(holder, last)
  if (value !== undefined) holder[key] = value
  else if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
  return whole
}

/** An own Caddy without sites. `cli` edits a path of its configuration and loads it as people do: `caddy reload`. */
export const startCaddy = async (): Promise<TargetServer> => {
  requirePrograms([caddy], 'apt-get install -y caddy')
  const folder = await makeFolder('caddy')
  const address = `127.0.0.1:${await freePort()}`
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify({ admin: { listen: address } }))
  // What was loaded last is saved under HOME, and taken up again.
  const env = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'own') }
  const running = runGuarded(folder, [caddy, 'run', '--config', file, '--resume'], env)
  const baseUrl = `http://${address}`
  const isUp = () => waitUntilUp(`${baseUrl}/config/`, {}, folder)
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
  return {
    baseUrl,
    headers: {},
    credentials: { baseUrl },
    cli: async ([path = '', text]) => {
      const value = text === undefined ? undefined : (JSON.parse(text) as Json)
      writeFileSync(file, JSON.stringify(edited(await getJson(`${baseUrl}/config/`, {}), path, value)))
      return runProgram(caddy, ['reload', '--config', file, '--address', address], env)
    },
    // The order of routes counts, and that of the members of an object does not show.
    dump: () => getJson(`${baseUrl}/config/`, {}),
    restart: () => running.restart().then(isUp),
    stop,
  }
}
