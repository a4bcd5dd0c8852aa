import {
  type Alert,
  type AlertSink,
  AppError,
  type Deps,
  defined,
  isAppError,
  type RouteSink,
  renderAlert,
  type Warning,
} from '#core'
import { createCipher } from '../../adapters/cipher.ts'
import { folderSource } from '../../adapters/files/config-source.ts'
import { createSeal } from '../../adapters/seal.ts'
import { storeSource } from '../../adapters/store-source.ts'
import type { Host } from '../process/host.ts'
import { readDev } from '../state/dev-record.ts'
import { openStore } from '../state/engine.ts'
import { givenSealKey, readFolders, readSealKey } from '../state/state-folder.ts'
import { warningText } from '../terminal/error-text.ts'
import type { Local } from './backend.ts'
import { machineDeps } from './machine-deps.ts'

/** Without a running dev there are no subscribers: the alert is printed as a note on the terminal. */
const noted = (output: Local['output']): AlertSink => ({
  publish: async (alert: Alert): Promise<void> => {
    output.note(output.paint.dim(`alert: ${renderAlert(alert, { form: 'subject' })}`))
  },
})

/** Without a memory each check would open the alert anew. */
const untold: AlertSink = { publish: async (): Promise<void> => {} }

/**
 * A running dev has the subscribers: the alert stays in the outbox, and the schedule of dev publishes it within
 * seconds.
 */
const leftToDev: AlertSink = {
  publish: async (): Promise<never> => {
    throw new AppError('ALERT_REFUSED', { detail: 'the running dev publishes it' })
  },
}

const isLeft = ({ kind, error }: Warning): boolean => kind === 'alert_waits' && isAppError(error, 'ALERT_REFUSED')

/** A running dev sends them itself, with its own secrets. */
const routesHere = (machine: Pick<Deps, 'transport' | 'clock' | 'secrets'>): RouteSink => ({
  send: async (route, alert) =>
    (await import('../../adapters/routes/route-sink.ts')).sendToRoute(route, alert, machine),
})

const noQueue = {
  /** The command itself does the work. */
  apply: async (): Promise<void> => {},
  checks: async (): Promise<never> => {
    throw new AppError('INTERNAL', { detail: 'a command on this machine has no queue for checks' })
  },
}

interface LocalPlace extends Pick<Local, 'state' | 'output'> {
  readonly host: Local['host'] & Pick<Host, 'user'>
  readonly table?: string | undefined
  readonly keepsNothing?: true | undefined
}

export const openLocalBackend = async (place: LocalPlace): Promise<Local> => {
  const { state, host, output } = place
  const actor = { subject: `local:${host.user}`, via: 'cli' } as const
  return { kind: 'local', ...(await openLocalDeps(place)), state, actor, host, output }
}

const openLocalDeps = async (place: LocalPlace): Promise<Pick<Local, 'deps' | 'shared' | 'close'>> => {
  const { state, host, output, table, keepsNothing } = place
  const { variables } = host
  const engine = await openStore({ state, table, variables })
  try {
    const { store } = engine
    const source = async () => folderSource({ folders: await readFolders(state), variables }, storeSource(store))
    const seal = createSeal((table && givenSealKey(variables)) || (await readSealKey(state)))
    const dev = await readDev(state)
    const machine = machineDeps(host)
    const deps: Deps = {
      ...machine,
      store,
      ...defined({ keepsNothing }),
      config: {
        load: async (workspace) => (await source()).load(workspace),
        folder: async (workspace) => (await source()).folder?.(workspace),
      },
      seal,
      cipher: createCipher(seal),
      alerts: keepsNothing ? untold : dev === undefined ? noted(output) : leftToDev,
      ...(dev === undefined && keepsNothing === undefined && { routes: routesHere(machine) }),
      queue: noQueue,
      limits: { concurrency: 10, leaseMs: 10_000 },
      warn: (warning) => {
        if (!isLeft(warning)) output.note(output.paint.yellow(warningText(warning)))
      },
    }
    return { deps, shared: engine.shared, close: () => engine.stop() }
  } catch (error) {
    await engine.stop()
    throw error
  }
}
