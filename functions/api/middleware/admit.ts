import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { AppError, isAppError } from '#core'
import { emitNow, logger } from '../../middleware/observe.ts'
import { isAllowed } from '../../rights.ts'
import type { Caller } from '../route/route.ts'
import { type Access, authenticate } from './authenticate.ts'
import type { MatchedRoute } from './match-route.ts'

/** Names come from the path and are not validated yet, so they are shortened. */
const shownLength = 80

/** Logs which caller was refused which route, without any part of the request that could be a secret. */
const tell = (
  event: APIGatewayProxyEventV2,
  { route, params }: MatchedRoute,
  caller: Caller | undefined,
  error: AppError,
) => {
  emitNow('CallsDenied')
  logger.warn('denied', {
    code: error.code,
    route: route.id,
    workspace: params['workspace']?.slice(0, shownLength),
    subject: caller?.actor.subject,
    issuer: caller?.actor.issuer,
    source: event.requestContext.http.sourceIp,
  })
}

const requireRight = (caller: Caller, { route: { scope }, params }: MatchedRoute): void => {
  const { workspace } = params
  if (scope !== null && !isAllowed(caller.rights, scope, workspace))
    throw new AppError('SCOPE_MISSING', { needs: scope })
}

/**
 * Authenticates the caller and checks the scope of the route for the workspace in its path, for all routes. A route
 * without a workspace in its path filters by `input.sees`. Open routes need no caller. Throws UNAUTHENTICATED or
 * SCOPE_MISSING, and logs the subject, route, workspace and source address.
 */
export const admit = (
  event: APIGatewayProxyEventV2,
  matched: MatchedRoute,
  access: () => Access,
): Caller | undefined => {
  if (matched.route.scope === null) return undefined
  const context = event.requestContext
  let caller: Caller | undefined
  try {
    caller = authenticate(
      'authorizer' in context ? context.authorizer : undefined,
      access(),
      event.headers['authorization'],
    )
    requireRight(caller, matched)
    return caller
  } catch (error) {
    if (isAppError(error, 'UNAUTHENTICATED') || isAppError(error, 'SCOPE_MISSING')) tell(event, matched, caller, error)
    throw error
  }
}
