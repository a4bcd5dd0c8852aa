import { lstat } from 'node:fs/promises'
import { AppError } from '#core'
import { systemClock } from '../../adapters/clock.ts'
import { ifThere } from '../../adapters/files/system-errors.ts'
import { openSqliteStore } from '../../adapters/sqlite/store.ts'
import type { Host } from '../process/host.ts'
import { readDev } from './dev-record.ts'
import type { OpenStore } from './open-store.ts'
import { readFolders, type StateFolder } from './state-folder.ts'

interface WantedStore {
  readonly state: StateFolder
  /** An existing table that is used instead of any other store. */
  readonly table?: string | undefined
  readonly variables: Host['variables']
}

/** Loaded only when needed: the client of AWS is most of the code that a check would load. */
const dynamodb = () => import('./on-dynamodb.ts')

/**
 * A new store would make each known workspace new, so that nothing recorded counts and no drift is told. A workspace is named beside
 * the store after the store has it: so neither the first run nor a crash in it looks like this.
 */
const refuseLost = async (state: StateFolder): Promise<void> => {
  const { storeFile: path } = state
  const known = [...(await readFolders(state)).keys()]
  if (known.length === 0) return
  const found = await ifThere(lstat(path))
  if (found !== undefined && found.size > 0) return
  const lost = found === undefined ? 'missing' : 'empty'
  const detail = `it is ${lost}, and ${state.foldersFile} says that it had the workspaces ${known.join(', ')}; put the file back, or remove folders.json to start anew`
  throw new AppError('FILE_REFUSED', { path, detail })
}

const onFile = async (state: StateFolder): Promise<OpenStore> => {
  await refuseLost(state)
  const store = await openSqliteStore({ file: state.storeFile, clock: systemClock })
  return { store, shared: false, stop: async () => store.close() }
}

/**
 * Opens the store that the environment names, the DynamoDB of a running dev, or the file of this machine, which every
 * process opens itself.
 */
export const openStore = async ({ state, table, variables }: WantedStore): Promise<OpenStore> => {
  const named = variables['AWS_ENDPOINT_URL_DYNAMODB'] || undefined
  if (table !== undefined) return (await dynamodb()).onTable(table, named)
  if (named !== undefined) return (await dynamodb()).onDynamodb(named, true)
  const dev = await readDev(state)
  return dev?.store === undefined ? onFile(state) : (await dynamodb()).onDynamodb(dev.store, dev.shared)
}
