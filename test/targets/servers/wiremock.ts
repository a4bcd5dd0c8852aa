import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  type TargetServer,
  waitUntilUp,
} from './run-server.ts'

const java = '/usr/bin/java'
const jar = join(import.meta.dirname, '..', 'wiremock/node_modules/wiremock/build/wiremock-standalone-3.13.2.jar')

/** The files in which the server keeps its mappings. */
const openFiles = (folder: string) => {
  const mappings = join(folder, 'data', 'mappings')
  const fileOf = (name: string): string => {
    const files = readdirSync(mappings).map((file) => join(mappings, file))
    const found = files.find((file) => (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === name)
    if (found === undefined) throw new Error(`no file holds the mapping ${name}`)
    return found
  }
  const commands: Readonly<Record<string, (...args: readonly string[]) => void>> = {
    /** Replaces text in the file of a mapping, which has it once: the id that the server draws may hold three digits too. */
    edit: (name = '', from = '', to = '') => {
      const text = readFileSync(fileOf(name), 'utf8')
      if (text.split(from).length !== 2) throw new Error(`${from} is not once in ${text}`)
      writeFileSync(fileOf(name), text.replace(from, to))
    },
    remove: (name = '') => rmSync(fileOf(name)),
    add: (name = '', text = '') => writeFileSync(join(mappings, `${name}.json`), text),
  }
  return commands
}

/** An own WireMock whose mappings are files; up in 2 s. `cli` edits the files and has them loaded again. */
export const startWiremock = async (): Promise<TargetServer> => {
  requirePrograms([java], 'apt-get install -y default-jre-headless')
  requirePrograms([jar], 'npm ci --prefix test/targets/wiremock')
  const folder = await makeFolder('wiremock')
  await mkdir(join(folder, 'data', 'mappings'), { recursive: true })
  const port = await freePort()
  const options = ['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', join(folder, 'data')]
  const running = runGuarded(folder, [java, '-jar', jar, ...options, '--disable-banner'])
  const baseUrl = `http://127.0.0.1:${port}`
  const admin = `${baseUrl}/__admin`
  const isUp = () => waitUntilUp(`${admin}/mappings`, {}, folder)
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
  const files = openFiles(folder)
  return {
    baseUrl,
    headers: {},
    credentials: { baseUrl },
    cli: async ([command = '', ...args]) => {
      files[command]?.(...args)
      const { status } = await fetch(`${admin}/mappings/reset`, { method: 'POST' })
      if (status !== 200) throw new Error(`the files were not loaded again: ${status}`)
      return ''
    },
    dump: () => dump(admin),
    restart: () => running.restart().then(isUp),
    stop,
  }
}

const dump = async (admin: string): Promise<unknown> => {
  const { mappings } = (await getJson(`${admin}/mappings`, {})) as { readonly mappings: readonly { name?: string }[] }
  return mappings.map(inOneOrder).sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
}

const nameOf = (mapping: unknown): string => (mapping as { readonly name?: string }).name ?? ''
