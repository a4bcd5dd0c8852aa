import middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { Deps } from '#core'
import { containerAccess, containerDeps } from './deps.ts'
import { type Access, authenticate, requireScope } from './middleware/authenticate.ts'
import { matchRoute } from './middleware/match-route.ts'
import { negotiate } from './middleware/negotiate.ts'
import { logger } from './middleware/observe.ts'
import { readBody, readHeaders, readMediaType, readQuery } from './middleware/read-request.ts'
import { aroundApi } from './middleware/stack.ts'
import { writeAnswer } from './middleware/write-answer.ts'
import { routes } from './routes/index.ts'
import type { Answer, Caller, Route } from './routes/route.ts'

/** For writing the answer. */
const reserveMs = 1_500

export interface Api {
  readonly compose: () => Promise<Deps>
  readonly access: () => Access
}

const callerFor = (route: Route, event: APIGatewayProxyEventV2, { access }: Api): { caller?: Caller } => {
  if (route.scope === null) return {}
  const context = event.requestContext
  const caller = authenticate('authorizer' in context ? context.authorizer : undefined, access())
  requireScope(caller, route.scope)
  return { caller }
}

/** Nothing of a request is looked into before its caller is known and may use the route. */
const serve = async (event: APIGatewayProxyEventV2, context: Context, api: Api): Promise<Answer> => {
  const { http, stage, requestId } = event.requestContext
  const { route, params, base } = matchRoute(routes, { method: http.method, path: event.rawPath, stage })
  const caller = callerFor(route, event, api)
  const headers = readHeaders(event)
  const deps = await api.compose()
  const answer = await route.serve(
    {
      ...caller,
      params,
      query: readQuery(event),
      headers,
      body: readBody(event, route.maxBodyBytes),
      mediaType: readMediaType(headers),
      accepted: negotiate(headers['accept'], route.offers ?? ['application/json']),
      base,
      requestId,
      deadline: new Date(deps.clock.now().getTime() + context.getRemainingTimeInMillis() - reserveMs),
    },
    deps,
  )
  logger.info('answered', { route: route.id, status: answer.status, subject: caller.caller?.actor.subject })
  return answer
}

/** The HTTP API: one function for all routes. */
export const apiHandler = (api: Api) =>
  middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .use(aroundApi())
    .handler(async (event, context) =>
      writeAnswer(await serve(event, context, api), readHeaders(event)['accept-encoding']),
    )

export const handler = apiHandler({ compose: containerDeps, access: containerAccess })
