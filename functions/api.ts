import { join } from 'node:path'
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import middy, { type MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { type Deps, defined, isAppError } from '#core'
import { type PageFiles, pageFiles } from './adapters/files/page-files.ts'
import { admit } from './api/middleware/admit.ts'
import type { Access } from './api/middleware/authenticate.ts'
import { matchRoute } from './api/middleware/match-route.ts'
import { negotiate } from './api/middleware/negotiate.ts'
import { readBody, readHeaders, readMediaType, readQuery } from './api/middleware/read-request.ts'
import { writeAnswer } from './api/middleware/write-answer.ts'
import { bodyLimits } from './api/route/body-limits.ts'
import { instanceOf, problemAnswer } from './api/route/problem.ts'
import type { Answer } from './api/route/route.ts'
import { routes } from './api/routes/index.ts'
import { containerAccess, containerDeps } from './deps.ts'
import { emitNow, invocationLog, loggable, logger } from './middleware/observe.ts'
import { early, withinInvocation } from './middleware/stack.ts'

/** Reserved for writing the answer. */
const reserveMs = 1_500

export interface Api {
  readonly compose: () => Promise<Deps>
  readonly access: () => Access
  /** Absent: there is no web page. */
  readonly page?: PageFiles
}

/** Names come from the path and are not validated yet, so they are shortened. */
const namesIn = ({ workspace, runId, applyId }: Readonly<Record<string, string>>) => {
  const short = (name: string | undefined) => name?.slice(0, 80)
  return defined({ workspace: short(workspace), run: short(runId), apply: short(applyId) })
}

/** The apply that a request has made is named in its answer. */
const madeIn = ({ body }: Answer) => {
  const made = body as { readonly id?: unknown; readonly mode?: unknown } | null
  return defined({ apply: made?.mode === undefined ? undefined : made.id })
}

/** Nothing in a request is parsed before its caller is authenticated and allowed to use the route. */
const serve = async (
  event: APIGatewayProxyEventV2,
  context: Context,
  signal: AbortSignal,
  api: Api,
): Promise<Answer> => {
  const { http, stage, requestId } = event.requestContext
  const matched = matchRoute(routes, { method: http.method, path: event.rawPath, stage })
  // For each entry of this request, also where it fails.
  invocationLog.appendKeys(namesIn(matched.params))
  const caller = admit(event, matched, api.access)
  const signIn = caller === undefined ? api.access().SIGN_IN : undefined
  const { route, params, base } = matched
  const headers = readHeaders(event)
  const composed = await api.compose()
  const raw = {
    ...defined({ caller, signIn, page: api.page }),
    params,
    query: readQuery(event),
    headers,
    body: await readBody(event, bodyLimits(route.maxBodyBytes)),
    mediaType: readMediaType(headers),
    accepted: negotiate(headers['accept'], route.offers ?? ['application/json']),
    base,
    requestId,
    deadline: new Date(composed.clock.now().getTime() + context.getRemainingTimeInMillis() - reserveMs),
  }
  const answer = await withinInvocation(context, signal, composed, (deps) => route.serve(raw, deps))
  logger.info('answered', {
    route: route.id,
    status: answer.status,
    ...madeIn(answer),
    subject: caller?.actor.subject,
  })
  return answer
}

type Middleware = MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>

/**
 * Adds the `instance` of the problem of a request to each of its log entries, so that a problem leads to its entries.
 */
const nameRequest: Middleware = {
  before: ({ event }) => {
    invocationLog.appendKeys({ instance: instanceOf(event.requestContext.requestId) })
  },
}

const answerProblem: Middleware = {
  onError: (request) => {
    const { error, event } = request
    const level = isAppError(error) && error.fault === 'user' ? 'info' : 'error'
    if (isAppError(error, 'WEBHOOK_REFUSED')) emitNow('CallsDenied')
    logger[level]('the request failed', { error: loggable(error) })
    request.response = writeAnswer(problemAnswer(error, event.requestContext.requestId), undefined)
  },
}

/**
 * Around the API, the outermost first. They count nothing: API Gateway counts and times requests itself, at no cost.
 */
const aroundApi = () => [injectLambdaContext(invocationLog, { resetKeys: true }), nameRequest, answerProblem]

export const apiHandler = (api: Api) =>
  middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>(early)
    .use(aroundApi())
    .handler(async (event, context, { signal }) =>
      writeAnswer(await serve(event, context, signal, api), readHeaders(event)['accept-encoding']),
    )

/** Beside the bundle. */
const page = pageFiles(join(import.meta.dirname, 'page'))

export const handler = apiHandler({ compose: containerDeps, access: containerAccess, page })
