import { AppError } from '../../errors/errors.ts'
import { routeName } from '../../schema/alert-route.ts'
import { claimRouted, endRouted, pendingRouted, type RoutedAlert, restRouted } from '../../state/routed.ts'
import { batchSize, type Deps } from '../deps.ts'

type RoutedDeps = Pick<Deps, 'store' | 'clock' | 'warn' | 'routes'>

/** Who repairs a receiver after a day learns the present state from the page, and not from old alerts. */
const givenUpMs = 86_400_000

/**
 * Sends the alerts that wait for the routes of a workspace, each route at the same time and in the order of its alerts: a
 * receiver that heard of the end of an episode must not hear of its beginning after that. Returns the number of those that were
 * sent. Never rejects: what was not sent is reported to `deps.warn`, rests, and is sent again. Does nothing where no routes are
 * reached.
 */
export const deliverRouted = async (workspace: string, deps: RoutedDeps): Promise<number> => {
  if (deps.routes === undefined) return 0
  const { routes } = deps
  try {
    const waiting = Map.groupBy(await pendingRouted(deps.store, workspace), ({ route }) => JSON.stringify(route))
    const sent = await Promise.all([...waiting.values()].map((each) => sendInOrder(each, { ...deps, routes })))
    return sent.reduce((sum, each) => sum + each, 0)
  } catch (error) {
    deps.warn({ kind: 'alert_waits', workspace, error })
    return 0
  }
}

type ReachedRoutes = RoutedDeps & { readonly routes: NonNullable<Deps['routes']> }

const sendInOrder = async (waiting: readonly RoutedAlert[], deps: ReachedRoutes): Promise<number> => {
  let sent = 0
  for (const routed of waiting) {
    if (!(await send(routed, deps))) return sent
    sent += 1
  }
  return sent
}

/** False if the later ones of its route must wait. */
const send = async (routed: RoutedAlert, deps: ReachedRoutes): Promise<boolean> => {
  const { store, clock } = deps
  try {
    if (!isDue(routed, clock.now()) || !(await claimRouted(store, routed, clock.now()))) return false
    await deps.routes.send(routed.route, routed.alert)
    await endRouted(store, routed)
    return true
  } catch (error) {
    return failed(routed, error, deps)
  }
}

const isDue = ({ restsUntil = '' }: RoutedAlert, now: Date): boolean => restsUntil <= now.toISOString()

const failed = async (routed: RoutedAlert, error: unknown, { store, clock, warn }: ReachedRoutes): Promise<boolean> => {
  const { workspace, id, at } = routed.alert
  const isOver = clock.now().getTime() - Date.parse(at) >= givenUpMs
  try {
    await (isOver ? endRouted(store, routed) : restRouted(store, routed, clock.now()))
  } catch (cause) {
    // Its claim ends by itself, and then it is sent again.
    warn({ kind: 'alert_waits', workspace, error: cause })
  }
  warn({ kind: isOver ? 'alert_lost' : 'alert_waits', workspace, alert: { id, at }, error: asOfRoute(routed, error) })
  return isOver
}

/** A foreign message may hold the address of the receiver, which is a secret. */
const asOfRoute = ({ route }: RoutedAlert, error: unknown): AppError => {
  const isOurs = error instanceof AppError && ['ROUTE_FAILED', 'SECRET_UNRESOLVED'].includes(error.code)
  return isOurs ? error : new AppError('ROUTE_FAILED', { route: routeName(route), detail: 'no answer' })
}

/** Whether an alert of the workspace waits for a route that may be tried now. */
const isRoutedDue = async (workspace: string, { store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<boolean> =>
  (await pendingRouted(store, workspace)).some((routed) => isDue(routed, clock.now()))

interface LeavingRouted extends RoutedDeps, Pick<Deps, 'queue'> {
  readonly isOver: () => boolean
}

/** Puts what may be tried again into the queue of checks. */
export const leaveRouted = async (workspaces: readonly string[], { isOver, ...deps }: LeavingRouted): Promise<void> => {
  for (const some of batchesOf(workspaces)) {
    if (isOver()) return
    try {
      const due = await Promise.all(some.map(async (each) => ((await isRoutedDue(each, deps)) ? [each] : [])))
      const messages = due.flat().map((workspace) => ({ workspace, tell: true as const }))
      if (messages.length > 0) await deps.queue.checks(messages)
    } catch (error) {
      // They are still in the outbox, so the next tick tries again.
      for (const workspace of some) deps.warn({ kind: 'alert_waits', workspace, error })
    }
  }
}

const batchesOf = (workspaces: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(workspaces.length / batchSize) }, (_, n) =>
    workspaces.slice(n * batchSize, (n + 1) * batchSize),
  )
