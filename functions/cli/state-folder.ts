import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What plumbline keeps on this machine: the store, the key for sealed values, and which folders hold which workspace. */
export interface StateFolder {
  readonly path: string
  readonly storeFile: string
  readonly sealKeyFile: string
  /** Written by a running `plumbline dev`. */
  readonly devFile: string
  readonly queuesFolder: string
  readonly issuerFile: string
  readonly foldersFile: string
}

const name = '.plumbline'

const layout = (path: string): StateFolder => ({
  path,
  storeFile: join(path, 'store.db'),
  sealKeyFile: join(path, 'seal.key'),
  devFile: join(path, 'dev.json'),
  queuesFolder: join(path, 'queues'),
  issuerFile: join(path, 'issuer.json'),
  foldersFile: join(path, 'folders.json'),
})

/** A folder of somebody else is never used: its seal key and workspaces would be theirs. */
const isOurs = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid())
}

/** The nearest one, from the folder upwards, as with `.git`; so one can serve many workspaces. */
export const findStateFolder = async (from: string): Promise<StateFolder | undefined> => {
  const path = join(from, name)
  if (await isOurs(path)) return layout(path)
  const parent = dirname(from)
  return parent === from ? undefined : findStateFolder(parent)
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Writes a file that only its owner may read; one that exists stays as it is. */
const writeOnce = async (file: string, text: string): Promise<void> => {
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** The folder with all that belongs into it, made where it is missing. */
export const openStateFolder = async (from: string): Promise<StateFolder> => {
  const folder = (await findStateFolder(from)) ?? layout(join(from, name))
  await mkdir(folder.queuesFolder, { recursive: true, mode: 0o700 })
  await chmod(folder.path, 0o700)
  await writeOnce(join(folder.path, '.gitignore'), '*\n')
  await writeOnce(folder.sealKeyFile, `${randomBytes(32).toString('base64')}\n`)
  return folder
}

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    // A file that is missing or was cut off by a crash says nothing.
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined
    throw error
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Absolute folders of the workspaces that were read from this machine, by workspace. */
export const readFolders = async (state: StateFolder): Promise<ReadonlyMap<string, string>> => {
  const found = await readJson(state.foldersFile)
  const pairs = isRecord(found) ? Object.entries(found) : []
  return new Map(pairs.flatMap(([workspace, folder]) => (typeof folder === 'string' ? [[workspace, folder]] : [])))
}

export const rememberFolder = async (state: StateFolder, workspace: string, folder: string): Promise<void> => {
  const known = await readFolders(state)
  if (known.get(workspace) === folder) return
  const all = Object.fromEntries([...known, [workspace, folder]])
  await writeFile(state.foldersFile, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
}

/** What a running dev tells other commands: its API, its DynamoDB, and the SNS that its alerts go through. */
export interface DevRecord {
  readonly pid: number
  readonly url: string
  readonly store: string
  readonly sns: string
  readonly topicArn: string
  /** Whether other machines use the same store. */
  readonly shared: boolean
}

const isDevRecord = (value: unknown): value is DevRecord =>
  isRecord(value) &&
  typeof value['pid'] === 'number' &&
  typeof value['shared'] === 'boolean' &&
  ['url', 'store', 'sns', 'topicArn'].every((member) => typeof value[member] === 'string')

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** The dev that runs for this folder; what one that was killed left behind does not count. */
export const readDev = async (state: StateFolder): Promise<DevRecord | undefined> => {
  const found = await readJson(state.devFile)
  return isDevRecord(found) && isAlive(found.pid) ? found : undefined
}
