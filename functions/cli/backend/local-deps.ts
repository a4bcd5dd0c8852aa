import { type Alert, type AlertSink, AppError, type Deps, loadProviders, renderAlert } from '#core'
import { systemClock } from '../../adapters/clock.ts'
import { localClient } from '../../adapters/dynamodb/embedded.ts'
import { dynamoStore } from '../../adapters/dynamodb/store.ts'
import { folderSource, storeSource } from '../../adapters/files/config-source.ts'
import { createIds } from '../../adapters/ids.ts'
import { createSeal } from '../../adapters/seal.ts'
import { createSecrets } from '../../adapters/secrets.ts'
import { createAlertSink } from '../../adapters/sns.ts'
import { createTransport } from '../../adapters/transport/index.ts'
import type { Host } from '../process/host.ts'
import { readDev } from '../state/dev-record.ts'
import { openEngine, prepareTable, tableName } from '../state/engine.ts'
import { readFolders, readSealKey, type StateFolder } from '../state/state-folder.ts'
import type { Output } from '../terminal/output.ts'
import { type Warn, warningText } from '../terminal/warning-text.ts'

/** How long a command waits for another one that has the store. */
const patienceMs = 20_000

/** Without a dev nobody has subscribed to anything here; the one who looks is told. */
const tell = (output: Output): AlertSink => ({
  publish: async (alert: Alert): Promise<void> => {
    output.note(output.paint.dim(`alert: ${renderAlert(alert, { form: 'subject' })}`))
  },
})

/** Where an alert could not be handed over, whoever looks is told what happens to it. */
const warnOn =
  ({ note, paint }: Output): Warn =>
  (warning) =>
    note(paint.warn(warningText(warning)))

/** A running dev has subscribers: what this command finds is theirs to hear. */
const toDev = async (state: StateFolder): Promise<AlertSink | undefined> => {
  const dev = await readDev(state)
  if (dev === undefined) return undefined
  const { topicArn, sns, key } = dev
  const region = topicArn.split(':')[3] ?? ''
  return createAlertSink(() => topicArn, { ...localClient(sns, key), region, maxAttempts: 2 })
}

const noQueue = {
  /** The command does the work itself. */
  apply: async (): Promise<void> => {},
  checks: async (): Promise<never> => {
    throw new AppError('INTERNAL', { detail: 'a command on this machine has no queue for checks' })
  },
}

export interface LocalDeps {
  readonly deps: Deps
  /** Whether other machines use the same store. */
  readonly shared: boolean
  close(): Promise<void>
}

/** Everything real on this machine. Rejects with STORE_IN_USE where another command keeps the store. */
export const openLocalDeps = async (given: {
  readonly state: StateFolder
  readonly host: Host
  readonly output: Output
}): Promise<LocalDeps> => {
  const { state, host, output } = given
  const { variables } = host
  const waiting = (holder: string): void => output.progress(`waiting for process ${holder}, which has the store`)
  const engine = await openEngine({ state, variables, patienceMs, waiting })
  try {
    const client = localClient(engine.endpoint)
    await prepareTable(engine.endpoint)
    const clock = systemClock
    const store = dynamoStore({ client, tableName, clock })
    const deps: Deps = {
      store,
      config: {
        load: async (workspace) =>
          folderSource({ folders: await readFolders(state), variables }, storeSource(store)).load(workspace),
      },
      providers: loadProviders,
      transport: ({ fileRoots, ...http }) => createTransport({ http, file: { roots: fileRoots } }),
      secrets: createSecrets({ environment: variables, clock }),
      seal: createSeal(await readSealKey(state)),
      alerts: (await toDev(state)) ?? tell(output),
      queue: noQueue,
      clock,
      ids: createIds(clock),
      limits: { concurrency: 10, leaseMs: 10_000 },
      warn: warnOn(output),
    }
    return { deps, shared: engine.shared, close: () => engine.stop() }
  } catch (error) {
    await engine.stop()
    throw error
  }
}
