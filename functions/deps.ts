import {
  AppError,
  type ConfigSource,
  type Deps,
  defined,
  type Ids,
  type Queue,
  type Seal,
  type Store,
  sources,
} from '#core'
import { createCipher } from './adapters/cipher.ts'
import { systemClock } from './adapters/clock.ts'
import { dynamoStore } from './adapters/dynamodb/store.ts'
import { createIds } from './adapters/ids.ts'
import { cloudProviders } from './adapters/packages/none.ts'
import { createSeal } from './adapters/seal.ts'
import { sealBox } from './adapters/seal-box.ts'
import { readSealKey } from './adapters/seal-key.ts'
import { createSecrets } from './adapters/secrets.ts'
import { signJwt } from './adapters/sign-jwt.ts'
import { createAlertSink } from './adapters/sns.ts'
import { createQueue } from './adapters/sqs.ts'
import { storeSource } from './adapters/store-source.ts'
import { createTransport, type TransportLimits } from './adapters/transport/index.ts'
import type { Access } from './api/middleware/authenticate.ts'
import { type Env, type EnvName, environment } from './env.ts'
import { logWarning } from './middleware/observe.ts'

/** What the handlers may use of the machine that they run on. In Lambda: no folders, files or variables. */
export interface Machine {
  /** Where configurations are that are not in the store, as in folders here. In Lambda: nowhere. */
  readonly config?: (stored: ConfigSource) => ConfigSource
  /** Resources may be files here, below the roots that their configuration names. */
  readonly files?: boolean
  /** Programs of this machine may run, where a provider names them. Absent: none. */
  readonly exec?: TransportLimits['exec']
  /** Targets may be this machine: its loopback addresses, its Unix sockets. */
  readonly ownAddresses?: boolean
  /** With packages of this machine; when absent, with those that the deployment bundled. */
  readonly providers?: Deps['providers']
  /** Variables that `env:` secrets may name. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** The store of this machine; the table that the environment names when absent. */
  readonly store?: Store
  /** In the place of the queues and the topic that the environment names. */
  readonly queue?: Deps['queue']
  readonly alerts?: Deps['alerts']
  /** Receives failures beside the work, such as an alert that waits; the log when absent. */
  readonly warn?: Deps['warn']
  readonly progress?: Deps['progress']
}

/** A variable that only some functions have. It is read at its first use. */
const needed = (env: Env, name: EnvName) => (): string => {
  const value = env[name]
  if (typeof value === 'string') return value
  throw new AppError('ENVIRONMENT_INVALID', { problems: [`${name} is not set`] })
}

/** The functions that plan nothing have no key, and no right to read it. */
const sealOf = async (env: Env): Promise<Seal> => {
  const { SEAL_KEY_ID: keyId, SEAL_KEY_FILE: file } = env
  const endpoint = env.AWS_ENDPOINT_URL_KMS ?? env.AWS_ENDPOINT_URL
  if (keyId !== undefined) {
    return createSeal(await readSealKey({ keyId, ...defined({ endpoint }) }))
  }
  if (file === undefined) return () => needed(env, 'SEAL_KEY_ID')()
  const keys = createSecrets({ environment: {}, clock: systemClock, kinds: ['file'] })
  return createSeal(await keys.resolve(`file:${file}`))
}

const cloudKinds = ['ssm', 'secretsmanager'] as const

/**
 * In Lambda no variables and no files: a configuration could send the function's credentials to a target. Of the account's
 * secrets only those that the settings allow for the workspace.
 */
const secretsOf = ({ SECRET_NAMES }: Env, { variables }: Machine): Pick<Deps, 'secrets' | 'secretRules'> =>
  variables === undefined
    ? {
        secrets: createSecrets({ environment: {}, clock: systemClock, kinds: cloudKinds }),
        secretRules: { kinds: cloudKinds, names: SECRET_NAMES },
      }
    : { secrets: createSecrets({ environment: variables, clock: systemClock }) }

const awsQueue = (env: Env, ids: Ids): Queue =>
  createQueue({ checkUrl: needed(env, 'CHECK_QUEUE_URL'), applyUrl: needed(env, 'APPLY_QUEUE_URL'), ids })

/** The real dependencies. Rejects with SECRET_UNRESOLVED where the seal's key cannot be read. */
export const composeDeps = async (env: Env, machine: Machine = {}): Promise<Deps> => {
  const store = machine.store ?? dynamoStore({ client: {}, tableName: env.TABLE_NAME, clock: systemClock })
  const ids = createIds(systemClock)
  const { progress, warn = logWarning, files = false, exec, ownAddresses = false } = machine
  const stored = storeSource(store)
  const seal = await sealOf(env)
  return {
    store,
    config: machine.config?.(stored) ?? stored,
    sources,
    providers: machine.providers ?? cloudProviders(needed(env, 'LAMBDA_TASK_ROOT')),
    // A Lambda function could reach the service that hands out its credentials: a target is never there.
    transport: createTransport({ files, exec, guarded: !ownAddresses }),
    ...secretsOf(env, machine),
    seal,
    cipher: createCipher(seal),
    signJwt,
    sealBox,
    alerts: machine.alerts ?? createAlertSink(needed(env, 'TOPIC_ARN')),
    queue: machine.queue ?? awsQueue(env, ids),
    clock: systemClock,
    ids,
    limits: { concurrency: env.CONCURRENCY, leaseMs: env.LEASE_SECONDS * 1_000 },
    warn,
    ...defined({ progress }),
  }
}

let composed: Promise<Deps> | undefined

/** Of this container: composed at the first invocation, and again after one that failed. */
export const containerDeps = (): Promise<Deps> => {
  composed ??= Promise.resolve()
    .then(() => composeDeps(environment()))
    .catch((error: unknown) => {
      composed = undefined
      throw error
    })
  return composed
}

/** Who may do what, by the environment of this container. */
export const containerAccess = (): Access => environment()
