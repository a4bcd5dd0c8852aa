import { relative, resolve } from 'node:path'
import { type AlertSink, AppError, defined, type Queue } from '#core'
import { type Local, perform } from '../cli/backend/backend.ts'
import type { Context } from '../cli/context.ts'
import { writeVariables } from '../cli/process/environment.ts'
import type { Host } from '../cli/process/host.ts'
import { becomeDev, writeRecord } from '../cli/state/dev-record.ts'
import { openStore } from '../cli/state/engine.ts'
import { type OpenStore, tableName } from '../cli/state/open-store.ts'
import { openStateFolder, readFolders, readSealKey, type StateFolder } from '../cli/state/state-folder.ts'
import type { Output } from '../cli/terminal/output.ts'
import { readSource } from '../cli/workspace/find-workspace.ts'
import type { GivenOptions } from '../cli/workspace/given-values.ts'
import type { Source } from '../cli/workspace/load-source.ts'
import { pushWorkspace } from '../cli/workspace/push.ts'
import { scopes } from '../rights.ts'
import { createExample, exampleEdit } from './example.ts'
import { createAuthoriser } from './http/authorizer.ts'
import { type Issuer, openIssuer } from './http/issuer.ts'
import { type HttpServer, startHttpServer } from './http/server.ts'
import { type OwnRequest, openSignIn, pageClient, type Reply, type SignIn } from './http/sign-in.ts'
import { type Handlers, loadHandlers } from './lambda/handlers.ts'
import { createLane, type Lane, queueOf } from './queues/lane.ts'
import { alertsTo, webhook } from './queues/subscribers.ts'
import { type Reporter, reportingApplies, reportingChecks, showAlerts, warnOnce } from './report.ts'
import { createDevView, type DevView } from './view.ts'
import { repeat } from './worker.ts'
import { startWorkspaceLoop } from './workspace/loop.ts'

const lifetime = '12h'
const scheduleMs = 2_000

export interface DevOptions {
  readonly folder: string | undefined
  readonly port: number
  /** Seconds between two checks of this folder's workspace; 0: only its schedule applies. */
  readonly every: number
  readonly webhook?: readonly string[]
}

type Closing = (() => Promise<unknown>)[]

interface DevContext extends GivenOptions {
  readonly output: Output
  readonly options: DevOptions
  readonly state: StateFolder
  readonly source: Source
  readonly folders: Map<string, string>
  readonly closing: Closing
}

/** Reads the configuration of the folder; if there is none and no folder was named, an example is created. */
const chooseSource = async ({ folder }: DevOptions, given: GivenOptions): Promise<Source> => {
  const path = resolve(given.host.folder, folder ?? '.')
  const found =
    (await readSource(path, given)) ??
    (folder === undefined ? await readSource(await createExample(path), given) : undefined)
  if (found === undefined) throw new AppError('CONFIG_NOT_FOUND', { path })
  return found
}

const startStore = async ({ host, state, closing }: DevContext): Promise<OpenStore> => {
  const engine = await openStore({ state, variables: host.variables })
  closing.push(() => engine.stop())
  return engine
}

const prepareEnvironment = ({ host, state }: DevContext): Record<string, string> => {
  const variables = {
    TABLE_NAME: tableName,
    SEAL_KEY_FILE: state.sealKeyFile,
    // For secrets in AWS.
    AWS_REGION: host.variables['AWS_REGION'] || 'us-east-1',
    POWERTOOLS_METRICS_DISABLED: 'true',
    POWERTOOLS_SERVICE_NAME: 'plumbline',
    // The log of the functions is for programs; LOG_LEVEL shows it here.
    LOG_LEVEL: host.variables['LOG_LEVEL'] || 'SILENT',
  }
  writeVariables(variables)
  return variables
}

interface Opened {
  readonly issuer: Issuer
  readonly signIn: SignIn
}

/** `used`: called with the next link when the one to the page was used. */
const serveApi = async (context: DevContext, handlers: Handlers, used: (link: string) => void) => {
  const { host, options, state, closing } = context
  const opened = Promise.withResolvers<Opened>()
  const server = await startHttpServer({
    port: options.port,
    serve: async (url) => {
      const issuer = await openIssuer(state.issuerFile, url)
      const signIn = openSignIn({ issuer, subject: `local:${host.user}`, lifetime, used })
      opened.resolve({ issuer, signIn })
      const own = answerOwn(issuer, signIn)
      return { authorise: createAuthoriser(issuer), handle: handlers.api, own }
    },
  })
  closing.push(() => server.stop())
  return { server, ...(await opened.promise) }
}

/** What an issuer elsewhere would answer, and the way of a reader to the page. */
const answerOwn =
  (issuer: Issuer, signIn: SignIn) =>
  async (request: OwnRequest): Promise<Reply | undefined> => {
    const { method, path, host } = request
    if (method !== 'GET') return signIn.answer(request)
    if (path === '/.well-known/jwks.json') return { status: 200, body: issuer.keys }
    if (path === '/.well-known/openid-configuration') return { status: 200, body: issuer.discovery }
    // The page and its issuer have one origin.
    if (path === '/' && `http://${host}` !== issuer.url)
      return { status: 307, headers: { location: `${issuer.url}/`, 'cache-control': 'no-store' } }
    return signIn.answer(request)
  }

interface Workers {
  readonly checks: Lane
  readonly applies: Lane
  readonly queue: Queue
  readonly handlers: Handlers
  readonly reporter: Reporter
  readonly push: (source: Source) => Promise<void>
}

const atOnce = 10

const startWorkers = (context: DevContext, { checks, applies, queue, handlers, reporter, push }: Workers) => {
  const { options, source, closing } = context
  const failed = (error: unknown): void => reporter.say(reporter.view.failed('the local machinery failed', error))
  const loop = startWorkspaceLoop({
    folder: source.folder,
    given: context,
    everyMs: options.every * 1_000,
    push,
    check: async (workspace) => {
      await queue.checks([{ workspace }])
    },
    failed: (error) => reporter.say(reporter.view.failed('the configuration is not used', error)),
  })
  const workers = [
    loop,
    repeat(scheduleMs, handlers.schedule, failed),
    checks.start({ atOnce, failed, handle: reportingChecks(handlers.check, reporter, loop.ended) }),
    applies.start({ atOnce, failed, handle: reportingApplies(handlers.apply, reporter) }),
  ]
  closing.push(() => Promise.all(workers.map((worker) => worker.stop())))
}

const introduce = async (
  context: DevContext,
  view: DevView,
  { server, issuer, signIn, hasPage }: Opened & { readonly server: HttpServer; readonly hasPage: boolean },
): Promise<string> => {
  const { host, options, source, state } = context
  const near = (path: string): string => relative(host.folder, path) || '.'
  const entry = near(resolve(source.folder, source.bundle.entry))
  return view.started({
    version: host.version,
    workspace: source.id,
    configuration: entry,
    checks: options.every === 0 ? 'by its schedule, and when its files change' : `every ${options.every} s`,
    page: signIn.link(),
    hasPage,
    url: server.url,
    token: await issuer.issue(`local:${host.user}`, lifetime),
    lifetime,
    store: near(state.path),
    edit: (await exampleEdit(source.folder).then((path) => path && near(path))) ?? entry,
  })
}

const untilInterrupted = (host: Host): Promise<void> =>
  new Promise((resolve) => {
    // Sockets without references do not keep the process running, so this timer does.
    const held = setInterval(() => {}, 60_000)
    host.onInterrupt(() => {
      clearInterval(held)
      resolve()
    })
  })

const run = async (context: DevContext): Promise<void> => {
  const { host, output, state, source, folders, options, closing } = context
  const say = (text: string): void => output.text(`${text}\n`)
  const { store, endpoint, shared } = await startStore(context)
  const variables = { ...host.variables, ...prepareEnvironment(context) }
  const checks = createLane('checks')
  const applies = createLane('applies')
  const queue = queueOf(checks, applies)
  const alerts = Promise.withResolvers<AlertSink>()
  const reached: { url?: string } = {}
  const { handlers, deps, hasPage } = await loadHandlers({
    signIn: () => reached.url && { issuer: reached.url, clientId: pageClient, scope: scopes.join(' ') },
    folders,
    variables,
    store,
    queue,
    deliveries: { checks: checks.delivery, applies: applies.delivery },
    // The terminal is the first subscriber; it shows no alert before the introduction is printed.
    alerts: { publish: async (alert, signal) => (await alerts.promise).publish(alert, signal) },
    page: () => reached.url,
    warn: warnOnce(say),
  })
  const served = await serveApi(context, handlers, (link) => say(view.linkUsed(link)))
  const { server } = served
  reached.url = server.url
  const { color, width } = output
  const view = createDevView({ color, width, invocation: host.invocation, url: server.url })
  const actor = { subject: `local:${host.user}`, via: 'cli' } as const
  const local: Local = { kind: 'local', deps, state, shared, actor, host, output, close: async () => {} }
  // This runs before anything is printed or checked: the workspace may belong to another folder.
  const push = async (pushed: Source): Promise<void> => {
    await perform(pushWorkspace, { source: pushed }, local)
    folders.set(pushed.id, pushed.folder)
  }
  await push(source)
  const record = { pid: process.pid, url: server.url, ...defined({ store: endpoint }), shared }
  closing.push(await writeRecord(state, record))
  say(await introduce(context, view, { ...served, hasPage }))
  const reporter = { local, view, say }
  const subscribers = [showAlerts(reporter), ...(options.webhook ?? []).map((url) => webhook(url))]
  alerts.resolve(alertsTo(subscribers, { page: server.url }))
  startWorkers(context, { checks, applies, queue, handlers, push, reporter })
  await untilInterrupted(host)
  say(view.stopping())
}

/**
 * Runs schedule, checks, applies, alerts and API on this machine until it is interrupted; then everything that was
 * started is ended. Rejects with CONFIG_NOT_FOUND, CONFIG_INVALID, DEV_RUNNING or PORT_IN_USE.
 */
export const dev = async (
  options: DevOptions,
  { host, output, given, storeFolder }: Pick<Context, 'host' | 'output' | 'given' | 'storeFolder'>,
): Promise<void> => {
  const source = await chooseSource(options, { host, given })
  const state = await openStateFolder(resolve(host.folder, options.folder ?? '.'), storeFolder)
  const lock = await becomeDev(state)
  const folders = new Map(await readFolders(state))
  const closing: Closing = [() => lock.close()]
  const context: DevContext = { host, output, given, options, state, source, folders, closing }
  try {
    await readSealKey(state)
    await run(context)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
