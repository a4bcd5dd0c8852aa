import {
  AppError,
  type ConfigSource,
  confined,
  type Deps,
  defined,
  type Ids,
  type LedgerAnchors,
  type Queue,
  type RouteSink,
  reporting,
  type Seal,
  type Secrets,
  type Store,
  sources,
} from '#core'
import { readSealKey } from './adapters/aws/seal-key.ts'
import { createAlertSink } from './adapters/aws/sns.ts'
import type { Reached } from './adapters/aws/sns-request.ts'
import { createQueue } from './adapters/aws/sqs.ts'
import { createDelivery, type Redelivery } from './adapters/aws/sqs-delivery.ts'
import { createCipher } from './adapters/cipher.ts'
import { systemClock } from './adapters/clock.ts'
import { dynamoStore } from './adapters/dynamodb/store.ts'
import { createIds } from './adapters/ids.ts'
import { cloudProviders } from './adapters/packages/none.ts'
import { createSeal } from './adapters/seal.ts'
import { sealBox } from './adapters/seal-box.ts'
import type { SecretsOptions } from './adapters/secrets.ts'
import { signJwt } from './adapters/sign-jwt.ts'
import { storeSource } from './adapters/store-source.ts'
import { createTransport, type TransportLimits } from './adapters/transport/index.ts'
import type { Access } from './api/middleware/authenticate.ts'
import { type Env, type EnvName, environment } from './env.ts'
import { logWarning } from './middleware/observe.ts'

/** What the handlers may use of their machine. Lambda gives no folders, files or variables. */
export interface Machine {
  /** Adds configurations outside the store, as in local folders. Absent in Lambda. */
  readonly config?: (stored: ConfigSource) => ConfigSource
  /** True if files of this machine may be resources, below the roots that their configuration names. */
  readonly files?: boolean
  /** Runs programs of this machine that a provider names. Absent: no program runs. */
  readonly exec?: TransportLimits['exec']
  /** True if targets may be this machine: its loopback addresses and its Unix sockets. */
  readonly ownAddresses?: boolean
  /** Providers with packages of this machine; when absent, with the packages that the deployment bundled. */
  readonly providers?: Deps['providers']
  /** The variables that `env:` secrets may name. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** When absent, the table that the environment names. */
  readonly store?: Store
  /** Replaces the queues and the topic that the environment names. */
  readonly queue?: Deps['queue']
  readonly alerts?: Deps['alerts']
  /** Where its web page is, for alerts to routes. */
  readonly page?: () => string | undefined
  /** Receives failures beside the work, such as an alert that waits; they are logged when absent. */
  readonly warn?: Deps['warn']
  readonly progress?: Deps['progress']
}

/** Only some functions have the variable, so it is read at its first use. */
const needed = (env: Env, name: EnvName) => (): string => {
  const value = env[name]
  if (typeof value === 'string') return value
  throw new AppError('ENVIRONMENT_INVALID', { problems: [`${name} is not set`] })
}

/** Functions that plan nothing have no key, and no right to read it. */
/** Loaded with the first secret: most requests of the API need none. */
const secretsLater = (options: SecretsOptions): Secrets => {
  let opened: Promise<Secrets> | undefined
  const open = async (): Promise<Secrets> => (await import('./adapters/secrets.ts')).createSecrets(options)
  return {
    resolve: async (source, signal) => {
      opened ??= open()
      return (await opened).resolve(source, signal)
    },
  }
}

const sealOf = async (env: Env): Promise<Seal> => {
  const { SEAL_KEY_ID: keyId, SEAL_KEY_FILE: file } = env
  const endpoint = env.AWS_ENDPOINT_URL_KMS ?? env.AWS_ENDPOINT_URL
  if (keyId !== undefined) {
    return createSeal(await readSealKey({ keyId, ...defined({ endpoint }) }))
  }
  if (file === undefined) return () => needed(env, 'SEAL_KEY_ID')()
  const keys = secretsLater({ environment: {}, clock: systemClock, kinds: ['file'] })
  return createSeal(await keys.resolve(`file:${file}`))
}

const cloudKinds = ['ssm', 'secretsmanager'] as const

/**
 * In Lambda secrets cannot be variables or files: a configuration could send the function's credentials to a target. Of
 * the account's secrets only those are read that the settings allow for the workspace.
 */
const secretsOf = ({ SECRET_NAMES }: Env, { variables }: Machine): Pick<Deps, 'secrets' | 'secretRules'> =>
  variables === undefined
    ? {
        secrets: secretsLater({ environment: {}, clock: systemClock, kinds: cloudKinds }),
        secretRules: { kinds: cloudKinds, names: SECRET_NAMES },
      }
    : { secrets: secretsLater({ environment: variables, clock: systemClock }) }

const anchorsOf = (env: Env): LedgerAnchors | undefined => {
  const { ANCHOR_KEY_ID: keyId, ANCHOR_BUCKET: bucket, ANCHOR_DEPLOYMENT: deployment } = env
  if (keyId === undefined || bucket === undefined || deployment === undefined) return undefined
  const at = (endpoint: string | undefined) => defined({ endpoint: endpoint ?? env.AWS_ENDPOINT_URL })
  const [kms, s3] = [at(env.AWS_ENDPOINT_URL_KMS), at(env.AWS_ENDPOINT_URL_S3)]
  const open = async () =>
    (await import('./adapters/aws/anchors.ts')).createAnchors({ deployment, keyId, bucket, kms, s3 })
  return {
    deployment,
    sign: async (text) => (await open()).sign(text),
    publicKey: async () => (await open()).publicKey(),
    keep: async (name, text) => (await open()).keep(name, text),
  }
}

const awsQueue = (env: Env, ids: Ids): Queue =>
  createQueue({ checkUrl: needed(env, 'CHECK_QUEUE_URL'), applyUrl: needed(env, 'APPLY_QUEUE_URL'), ids })

/** Loads with the first alert for a route: most checks have none. */
const routesOf = (
  { transport, clock, secrets, secretRules }: Omit<Deps, 'routes'>,
  reached: () => Reached,
): RouteSink => ({
  send: async (route, alert) => {
    const { sendToRoute } = await import('./adapters/routes/route-sink.ts')
    const own = confined(secrets, alert.workspace, secretRules)
    await sendToRoute(route, alert, { transport, clock, secrets: own, ...reached() })
  },
})

/** Rejects with SECRET_UNRESOLVED if the key of the seals cannot be read. */
export const composeDeps = async (env: Env, machine: Machine = {}): Promise<Deps> => {
  const ids = createIds(systemClock)
  const { progress, warn = logWarning, files = false, exec, ownAddresses = false } = machine
  const kept = machine.store ?? dynamoStore({ client: {}, tableName: env.TABLE_NAME, clock: systemClock })
  const store = reporting(kept, ({ workspace, error }) => warn({ kind: 'record_damaged', workspace, error }))
  const stored = storeSource(store)
  const seal = await sealOf(env)
  const deps: Deps = {
    store,
    config: machine.config?.(stored) ?? stored,
    sources,
    providers: machine.providers ?? cloudProviders(needed(env, 'LAMBDA_TASK_ROOT')),
    // A Lambda function could reach the service that gives out its credentials, so targets there are refused.
    transport: createTransport({ files, exec, guarded: !ownAddresses }),
    ...secretsOf(env, machine),
    seal,
    cipher: createCipher(seal),
    signJwt,
    sealBox,
    alerts: machine.alerts ?? createAlertSink(needed(env, 'TOPIC_ARN'), { endpoint: env.ENDPOINT, page: env.PAGE_URL }),
    queue: machine.queue ?? awsQueue(env, ids),
    clock: systemClock,
    ids,
    retention: {
      inSyncDays: env.KEPT_DAYS_IN_SYNC,
      otherDays: env.KEPT_DAYS_OTHER,
      backupDays: env.KEPT_DAYS_BACKUP,
    },
    limits: { concurrency: env.CONCURRENCY, leaseMs: env.LEASE_SECONDS * 1_000 },
    warn,
    ...defined({ progress, anchors: anchorsOf(env) }),
  }
  // On one machine every function reads the secrets.
  return machine.variables === undefined
    ? deps
    : { ...deps, routes: routesOf(deps, () => ({ page: machine.page?.() })) }
}

let composed: Promise<Deps> | undefined

export const containerDeps = (): Promise<Deps> => {
  composed ??= Promise.resolve()
    .then(() => composeDeps(environment()))
    .catch((error: unknown) => {
      composed = undefined
      throw error
    })
  return composed
}

/** For the functions that reach targets: only they read the secrets that routes name. */
export const targetDeps = async (): Promise<Deps> => {
  const deps = await containerDeps()
  const { ENDPOINT: endpoint, PAGE_URL: page } = environment()
  return { ...deps, routes: routesOf(deps, () => ({ endpoint, page })) }
}

export const containerAccess = (): Access => environment()

/** For the function that takes the messages of this queue. */
const deliveryOf = (name: string, queue: 'CHECK_QUEUE_URL' | 'APPLY_QUEUE_URL'): Redelivery =>
  createDelivery({
    name,
    queueUrl: () => needed(environment(), queue)(),
    deadUrl: () => needed(environment(), 'DEAD_QUEUE_URL')(),
  })

export const checkDelivery = deliveryOf('checks', 'CHECK_QUEUE_URL')
export const applyDelivery = deliveryOf('applies', 'APPLY_QUEUE_URL')
