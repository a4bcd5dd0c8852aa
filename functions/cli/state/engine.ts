import { systemClock } from '../../adapters/clock.ts'
import { openSqliteStore } from '../../adapters/sqlite/store.ts'
import type { Host } from '../process/host.ts'
import { readDev } from './dev-record.ts'
import type { OpenStore } from './open-store.ts'
import type { StateFolder } from './state-folder.ts'

interface WantedStore {
  readonly state: StateFolder
  /** An existing table that is used instead of any other store. */
  readonly table?: string | undefined
  readonly variables: Host['variables']
}

/** Loaded only when needed: the client of AWS is most of the code that a check would load. */
const dynamodb = () => import('./on-dynamodb.ts')

const onFile = async (state: StateFolder): Promise<OpenStore> => {
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
