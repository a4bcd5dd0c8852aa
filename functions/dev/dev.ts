import { relative, resolve } from 'node:path'
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { AppError, defined } from '#core'
import { type Local, perform } from '../cli/backend/backend.ts'
import type { Context } from '../cli/context.ts'
import { writeVariables } from '../cli/process/environment.ts'
import type { Host } from '../cli/process/host.ts'
import { becomeDev, writeRecord } from '../cli/state/dev-record.ts'
import { type OpenStore, openStore, tableName } from '../cli/state/engine.ts'
import { openStateFolder, readFolders, readSealKey, type StateFolder } from '../cli/state/state-folder.ts'
import type { Output } from '../cli/terminal/output.ts'
import { readSource, type Source } from '../cli/workspace/find-workspace.ts'
import type { GivenOptions } from '../cli/workspace/given-values.ts'
import { pushWorkspace } from '../cli/workspace/push.ts'
import { createExample, exampleEdit } from './example.ts'
import { createAuthoriser } from './http/authorizer.ts'
import { type Issuer, openIssuer } from './http/issuer.ts'
import { type HttpServer, startHttpServer } from './http/server.ts'
import { type Handlers, loadHandlers } from './lambda/handlers.ts'
import { startForwarder } from './queues/forwarder.ts'
import { startPoller } from './queues/poller.ts'
import { type Queues, startQueues } from './queues/queues.ts'
import { type Reporter, reportingApplies, reportingChecks, showAlerts, warnOnce } from './report.ts'
import { createDevView, type DevView } from './view.ts'
import { repeat } from './worker.ts'
import { startWorkspaceLoop } from './workspace/loop.ts'

const lifetime = '12h'
const scheduleMs = 2_000

export interface DevOptions {
  /** The folder of the workspace as given; the current folder when absent. */
  readonly folder: string | undefined
  readonly port: number
  /** Seconds between two checks of this folder's workspace; 0 leaves it to its schedule. */
  readonly every: number
  /** Addresses that receive the alerts. */
  readonly webhook?: readonly string[]
}

/** Everything that was started; it is stopped in reverse order. */
type Closing = (() => Promise<unknown>)[]

interface DevContext extends GivenOptions {
  readonly output: Output
  readonly options: DevOptions
  readonly state: StateFolder
  readonly source: Source
  readonly folders: Map<string, string>
  readonly region: string
  readonly closing: Closing
}

/** The configuration of the folder; if there is none and none was named, an example. */
const chooseSource = async ({ folder }: DevOptions, given: GivenOptions): Promise<Source> => {
  const path = resolve(given.host.folder, folder ?? '.')
  const found =
    (await readSource(path, given)) ??
    (folder === undefined ? await readSource(await createExample(path), given) : undefined)
  if (found === undefined) throw new AppError('CONFIG_NOT_FOUND', { path })
  return found
}

const startStore = async ({ host, state, closing }: DevContext): Promise<OpenStore> => {
  const engine = await openStore({ state, variables: host.variables, patienceMs: 5_000, waiting: () => {} })
  closing.push(() => engine.stop())
  return engine
}

/** Fake credentials only if there are none: secrets may come from the real AWS. */
const credentialsOf = ({ variables }: Host): Record<string, string> =>
  variables['AWS_ACCESS_KEY_ID'] || variables['AWS_PROFILE']
    ? {}
    : { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }

const prepareEnvironment = (
  context: DevContext,
  endpoint: string | undefined,
  queues: Queues,
): Record<string, string> => {
  const { host, state, region } = context
  const variables = {
    TABLE_NAME: tableName,
    TOPIC_ARN: queues.topicArn,
    CHECK_QUEUE_URL: queues.checkUrl,
    APPLY_QUEUE_URL: queues.applyUrl,
    SEAL_KEY_FILE: state.sealKeyFile,
    AWS_REGION: region,
    ...defined({ AWS_ENDPOINT_URL_DYNAMODB: endpoint }),
    POWERTOOLS_METRICS_DISABLED: 'true',
    // The log of the functions is for programs; LOG_LEVEL shows it here.
    LOG_LEVEL: host.variables['LOG_LEVEL'] || 'SILENT',
    ...credentialsOf(host),
  }
  writeVariables(variables)
  return variables
}

const serveApi = async (context: DevContext, handlers: Handlers): Promise<{ server: HttpServer; issuer: Issuer }> => {
  const { options, state, closing } = context
  const opened = Promise.withResolvers<Issuer>()
  const server = await startHttpServer({
    port: options.port,
    serve: async (url) => {
      const issuer = await openIssuer(state.issuerFile, url)
      opened.resolve(issuer)
      const documents = new Map<string, unknown>([
        ['/.well-known/jwks.json', issuer.keys],
        ['/.well-known/openid-configuration', issuer.discovery],
      ])
      return { authorise: createAuthoriser(issuer), handle: handlers.api, documents }
    },
  })
  closing.push(() => server.stop())
  return { server, issuer: await opened.promise }
}

interface Workers {
  readonly queues: Queues
  readonly handlers: Handlers
  readonly reporter: Reporter
  readonly push: (source: Source) => Promise<void>
}

/** Everything that takes messages; each is stopped before what it feeds on. */
const startWorkers = (context: DevContext, { queues, handlers, reporter, push }: Workers) => {
  const { options, source, region, closing } = context
  const sqs = new SQSClient(queues.client)
  const sns = new SNSClient(queues.client)
  const failed = (error: unknown): void => reporter.say(reporter.view.failed('the local machinery failed', error))
  const loop = startWorkspaceLoop({
    folder: source.folder,
    given: context,
    everyMs: options.every * 1_000,
    push,
    check: async (workspace) => {
      await sqs.send(new SendMessageCommand({ QueueUrl: queues.checkUrl, MessageBody: JSON.stringify({ workspace }) }))
    },
    failed: (error) => reporter.say(reporter.view.failed('the configuration is not used', error)),
  })
  const shared = { client: sqs, region, failed }
  const checks = reportingChecks(handlers.check, reporter, loop.ended)
  const applies = reportingApplies(handlers.apply, reporter)
  const workers = [
    loop,
    repeat(scheduleMs, handlers.schedule, failed),
    startForwarder({ sns, sqs, queues, region, failed }),
    startPoller({ ...shared, queueUrl: queues.checkUrl, batchSize: 10, handle: checks }),
    startPoller({ ...shared, queueUrl: queues.applyUrl, batchSize: 1, handle: applies }),
    startPoller({ ...shared, queueUrl: queues.terminalUrl, batchSize: 10, handle: showAlerts(reporter) }),
  ]
  closing.push(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    sqs.destroy()
    sns.destroy()
  })
}

const subscribe = async ({ options }: DevContext, { topicArn, client }: Queues): Promise<void> => {
  const sns = new SNSClient(client)
  for (const endpoint of options.webhook ?? []) {
    const protocol = new URL(endpoint).protocol.slice(0, -1)
    await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: protocol, Endpoint: endpoint }))
  }
  sns.destroy()
}

const introduce = async (context: DevContext, view: DevView, server: HttpServer, issuer: Issuer): Promise<string> => {
  const { host, options, source, state } = context
  const near = (path: string): string => relative(host.folder, path) || '.'
  const entry = near(resolve(source.folder, source.bundle.entry))
  return view.started({
    version: host.version,
    workspace: source.id,
    configuration: entry,
    checks: options.every === 0 ? 'by its schedule, and when its files change' : `every ${options.every} s`,
    url: server.url,
    token: await issuer.issue(`local:${host.user}`, lifetime),
    lifetime,
    store: near(state.path),
    edit: (await exampleEdit(source.folder).then((path) => path && near(path))) ?? entry,
  })
}

const untilInterrupted = (host: Host): Promise<void> =>
  new Promise((resolve) => {
    // Something must hold the process while only sockets without references are left.
    const held = setInterval(() => {}, 60_000)
    host.onInterrupt(() => {
      clearInterval(held)
      resolve()
    })
  })

const run = async (context: DevContext): Promise<void> => {
  const { host, output, state, source, folders, region, closing } = context
  const say = (text: string): void => output.text(`${text}\n`)
  const { store, endpoint, shared } = await startStore(context)
  const queues = await startQueues(state.queuesFolder, region)
  closing.push(() => queues.stop())
  const variables = { ...host.variables, ...prepareEnvironment(context, endpoint, queues) }
  const { handlers, deps } = await loadHandlers({
    folders,
    variables,
    store,
    queues: queues.client,
    warn: warnOnce(say),
  })
  const { server, issuer } = await serveApi(context, handlers)
  const { color, width } = output
  const view = createDevView({ color, width, invocation: host.invocation, url: server.url })
  const actor = { subject: `local:${host.user}`, via: 'cli' } as const
  const local: Local = { kind: 'local', deps, state, shared, actor, host, output, close: async () => {} }
  // Before anything is said or checked: the workspace may belong to another folder.
  const push = async (pushed: Source): Promise<void> => {
    await perform(pushWorkspace, { source: pushed }, local)
    folders.set(pushed.id, pushed.folder)
  }
  await push(source)
  const { key, topicArn, endpoint: sns } = queues
  const reached = { ...defined({ store: endpoint }), sns, key, topicArn, shared }
  closing.push(await writeRecord(state, { pid: process.pid, url: server.url, ...reached }))
  say(await introduce(context, view, server, issuer))
  await subscribe(context, queues)
  startWorkers(context, { queues, handlers, push, reporter: { local, view, say } })
  await untilInterrupted(host)
  say(view.stopping())
}

/**
 * Schedule, checks, applies, alerts and API on this machine, until it is interrupted; then everything that was started is
 * ended. Rejects with CONFIG_NOT_FOUND, CONFIG_INVALID, DEV_RUNNING, PORT_IN_USE, ENGINE_MISSING or STORE_IN_USE.
 */
export const dev = async (
  options: DevOptions,
  { host, output, given, storeFolder }: Pick<Context, 'host' | 'output' | 'given' | 'storeFolder'>,
): Promise<void> => {
  const source = await chooseSource(options, { host, given })
  const state = await openStateFolder(resolve(host.folder, options.folder ?? '.'), storeFolder)
  const lock = await becomeDev(state)
  const folders = new Map(await readFolders(state))
  const region = host.variables['AWS_REGION'] || 'us-east-1'
  const closing: Closing = [() => lock.close()]
  const context: DevContext = { host, output, given, options, state, source, folders, region, closing }
  try {
    await readSealKey(state)
    await run(context)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
