import { isAppError } from '#core'
import { systemClock } from '../adapters/clock.ts'
import { ensureTable } from '../adapters/dynamodb-table.ts'
import { type EmbeddedDynamodb, localClient, startDynamodb } from '../adapters/embedded-dynamodb.ts'
import type { Host } from './host.ts'
import { readDev, type StateFolder } from './state-folder.ts'

/** The table of this machine, whichever engine holds it. */
export const tableName = 'plumbline'

const pauseMs = 200

interface Asked {
  readonly state: StateFolder
  readonly variables: Host['variables']
  /** How long to wait for another command that has the store. */
  readonly patienceMs: number
  readonly waiting: (holder: string) => void
}

/** The engine of a running dev, the one that the environment names, or one of our own for the time of the command. */
export const openEngine = async ({ state, variables, patienceMs, waiting }: Asked): Promise<EmbeddedDynamodb> => {
  const named = variables['AWS_ENDPOINT_URL_DYNAMODB']
  if (named !== undefined && named !== '') return startDynamodb({ endpoint: named })
  const until = systemClock.now().getTime() + patienceMs
  for (;;) {
    const dev = await readDev(state)
    if (dev !== undefined) return startDynamodb({ endpoint: dev.store })
    try {
      return await startDynamodb({ file: state.storeFile })
    } catch (error) {
      if (!isAppError(error, 'STORE_IN_USE') || systemClock.now().getTime() > until) throw error
      waiting(error.payload.holder)
      await systemClock.sleep(pauseMs)
    }
  }
}

/** Makes the table where it is missing. */
export const prepareTable = (endpoint: string): Promise<void> => ensureTable(localClient(endpoint), tableName)
