import { type Alert, type AlertRoute, AppError, type Deps, isAppError, routeName } from '#core'
import { type Reached, reachedAlert } from '../aws/sns-request.ts'
import { pagerDutyRequest } from './pagerduty.ts'
import type { OpenedRoute, RouteRequest } from './route-request.ts'
import { slackRequest } from './slack.ts'
import { teamsRequest } from './teams.ts'
import { webhookRequest } from './webhook.ts'

const requests: Readonly<Record<AlertRoute['kind'], (alert: Alert, opened: OpenedRoute) => RouteRequest>> = {
  webhook: webhookRequest,
  slack: slackRequest,
  teams: teamsRequest,
  pagerduty: pagerDutyRequest,
}

const timeoutMs = 5_000
const maxBodyBytes = 1_048_576

type SendingRoutes = Pick<Deps, 'transport' | 'clock' | 'secrets'>

/** Sends once. Rejects with SECRET_UNRESOLVED, or with ROUTE_FAILED, which has no part of an address or a key. */
export const sendToRoute = async (
  route: AlertRoute,
  given: Alert,
  { transport, clock, secrets, ...reached }: SendingRoutes & Reached,
): Promise<void> => {
  const opened: OpenedRoute = {
    ...(route.url && { url: await secrets.resolve(route.url.secret) }),
    ...(route.key && { key: await secrets.resolve(route.key.secret) }),
    now: clock.now(),
  }
  const { url, body, headers = {}, flaw } = requests[route.kind](reachedAlert(given, reached), opened)
  const fail = (detail: string): never => {
    throw new AppError('ROUTE_FAILED', { route: routeName(route), detail })
  }
  const address = URL.parse(url)
  if (!/^https?:$/.test(address?.protocol ?? '')) return fail('the secret is no http or https address')
  if (address?.username !== '' || address.password !== '')
    return fail('the secret is an address with a user or a password, which are not sent')
  if (flaw !== undefined) return fail(flaw)
  const to = transport({ fileRoots: [], timeoutMs, maxBodyBytes, noRedirects: true })
  const status = await to.send({ method: 'POST', url, effect: 'write', headers, body }).then(
    (answer) => answer.status,
    (error: unknown) => (wasTaken(error) ? 200 : fail(reasonOf(error))),
  )
  if (status < 200 || status >= 300) fail(`status ${status}`)
}

/** A receiver that took the alert may answer anything, also what is called JSON and is none. */
const wasTaken = (error: unknown): boolean =>
  isAppError(error, 'RESPONSE_INVALID') && error.payload.detail.startsWith('status 2')

/** The messages of a transport name the address, which is a secret. */
const reasonOf = (error: unknown): string =>
  isAppError(error, 'ADDRESS_REFUSED') ? 'its address is none that may be reached from here' : 'no answer'
