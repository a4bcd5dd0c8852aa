import { isAppError } from '#core'
import { systemClock } from '../../adapters/clock.ts'
import { type EmbeddedDynamodb, localClient, startDynamodb } from '../../adapters/dynamodb/embedded.ts'
import { ensureTable } from '../../adapters/dynamodb/table.ts'
import type { Host } from '../process/host.ts'
import { readDev } from './dev-record.ts'
import { makeStore } from './make-store.ts'
import type { StateFolder } from './state-folder.ts'

/** The table of this machine, whichever engine holds it. */
export const tableName = 'plumbline'

const pauseMs = 200

/** Makes the table where it is missing. */
const prepareTable = (endpoint: string): Promise<void> => ensureTable(localClient(endpoint), tableName)

interface WantedStore {
  readonly state: StateFolder
  readonly variables: Host['variables']
  /** How long to wait for another command that has the store. */
  readonly patienceMs: number
  readonly waiting: (holder: string) => void
}

export interface Engine extends EmbeddedDynamodb {
  /** Whether other machines may use it too: the environment names it. */
  readonly shared: boolean
}

/** The engine that the environment names, that of a running dev, or one of our own for the time of the command; with the table. */
export const openEngine = async (wanted: WantedStore): Promise<Engine> => {
  const engine = await chooseEngine(wanted)
  try {
    await prepareTable(engine.endpoint)
    return engine
  } catch (error) {
    await engine.stop()
    throw error
  }
}

const chooseEngine = async ({ state, variables, patienceMs, waiting }: WantedStore): Promise<Engine> => {
  const named = variables['AWS_ENDPOINT_URL_DYNAMODB'] || undefined
  if (named !== undefined) return { ...(await startDynamodb({ endpoint: named })), shared: true }
  const until = systemClock.now().getTime() + patienceMs
  for (;;) {
    const dev = await readDev(state)
    if (dev !== undefined) return { ...(await startDynamodb({ endpoint: dev.store })), shared: dev.shared }
    try {
      await makeStore(state.storeFile, prepareTable)
      return { ...(await startDynamodb({ file: state.storeFile })), shared: false }
    } catch (error) {
      if (!isAppError(error, 'STORE_IN_USE') || systemClock.now().getTime() > until) throw error
      waiting(error.payload.holder)
      await systemClock.sleep(pauseMs)
    }
  }
}
