import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { APIGatewayProxyEventV2, Context, SQSEvent } from 'aws-lambda'
import { type ConfigSource, type Deps, defined } from '#core'
import type { Redelivery } from '../../adapters/aws/sqs-delivery.ts'
import { folderSource } from '../../adapters/files/config-source.ts'
import { pageFiles } from '../../adapters/files/page-files.ts'
import { providersHere } from '../../adapters/packages/installed.ts'
import { execOn } from '../../adapters/transport/exec/exec.ts'
import type { Access } from '../../api/middleware/authenticate.ts'
import type { Variables } from '../../cli/process/environment.ts'
import { packageRoot } from '../../cli/process/package-root.ts'
import type { Warn } from '../../cli/terminal/error-text.ts'

interface LocalMachine extends Pick<Deps, 'store' | 'queue' | 'alerts'> {
  readonly folders: ReadonlyMap<string, string>
  /** The variables that `env:` secrets may name, and the functions' own variables. */
  readonly variables: Variables
  /** Receives failures beside the work, such as an alert that waits. */
  readonly warn: Warn
  /** How the reader of the page signs in; empty until the server is reached. */
  readonly signIn: () => Access['SIGN_IN'] | ''
  /** Where the page is; `undefined` until the server is reached. */
  readonly page: () => string | undefined
  /** What the handlers say about the failed messages of their queue. */
  readonly deliveries: Readonly<Record<'checks' | 'applies', Redelivery>>
}

/** The timeout of the stack. */
const minuteMs = 60_000
const longestMs = 15 * minuteMs
/** The timeout of an HTTP API. */
const apiMs = 30_000

const left = (deadline: number) => (): number => Math.max(0, deadline - Date.now())
const unused = (): void => {}

const lambdaContext = (name: string, timeoutMs: number): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${name}`,
  memoryLimitInMB: '1024',
  awsRequestId: randomUUID(),
  logGroupName: `/local/${name}`,
  logStreamName: String(process.pid),
  getRemainingTimeInMillis: left(Date.now() + timeoutMs),
  done: unused,
  fail: unused,
  succeed: unused,
})

/**
 * Loads the functions as they run on AWS, with the folders, files and variables of this machine. They are imported
 * late, because the SDK's clients and the logger read the environment when they are created.
 */
export const loadHandlers = async ({
  folders,
  variables,
  deliveries,
  signIn,
  page: pageUrl,
  ...ports
}: LocalMachine) => {
  const [{ composeDeps }, { readEnv }, { scheduleHandler }, { checkHandler }, { applyHandler }, { apiHandler }] =
    await Promise.all([
      import('../../deps.ts'),
      import('../../env.ts'),
      import('../../schedule.ts'),
      import('../../check.ts'),
      import('../../apply.ts'),
      import('../../api.ts'),
    ])
  const env = readEnv(variables)
  const exec = execOn(variables['PATH'] ?? '')
  const config = (stored: ConfigSource) => folderSource({ folders, variables }, stored)
  const providers = providersHere(variables)
  const here = { ...ports, page: pageUrl, config, providers, variables, files: true, exec, ownAddresses: true }
  const deps = await composeDeps(env, here)
  const compose = async () => deps
  const schedule = scheduleHandler(compose)
  const check = checkHandler(compose, deliveries.checks)
  const apply = applyHandler(compose, deliveries.applies)
  const access = () => ({ ...env, ...defined({ SIGN_IN: signIn() || undefined }) })
  const page = pageFiles(join(packageRoot(), 'dist', 'page'))
  const api = apiHandler({ compose, access, page })
  const handlers = {
    schedule: async () => schedule({}, lambdaContext('plumbline-schedule', minuteMs)),
    check: async (event: SQSEvent) => check(event, lambdaContext('plumbline-check', longestMs)),
    apply: async (event: SQSEvent) => apply(event, lambdaContext('plumbline-apply', longestMs)),
    api: async (event: APIGatewayProxyEventV2) => api(event, lambdaContext('plumbline-api', apiMs)),
  }
  return { handlers, deps, hasPage: (await page('index.html')) !== undefined }
}

export type Handlers = Awaited<ReturnType<typeof loadHandlers>>['handlers']
