import type { AlertRoute } from '../schema/alert-route.ts'
import type { Alert } from '../schema/stored/findings.ts'
import { atLeast } from '../values/severity.ts'
import { keys } from './store/keys.ts'
import type { Write } from './store/store.ts'

/** The page of the run has all findings; eight copies of an alert must fit into one transaction. */
const mostFindings = 50

const shortened = (alert: Alert): Alert => ({
  ...alert,
  findings: alert.findings.slice(0, mostFindings),
  findingsLeftOut: alert.findingsLeftOut + Math.max(0, alert.findings.length - mostFindings),
})

export const keysOfRouted = (alert: Alert, place: string) =>
  [keys.routed(alert.workspace, alert.id, place), keys.undelivered(alert.workspace, `${alert.id}#${place}`)] as const

/** A route gets an episode from its first alert with at least its severity until the end. */
export const routedWrites = (alert: Alert, routes: readonly AlertRoute[]): readonly Write[] =>
  routes.flatMap((route, place): readonly Write[] => {
    if (!atLeast(alert.peak ?? alert.severity, route.minSeverity ?? 'low')) return []
    const [copy, waits] = keysOfRouted(alert, String(place))
    return [
      { kind: 'put', item: { ...copy, body: shortened(alert), route, tries: 0 } },
      { kind: 'put', item: { ...waits, workspace: alert.workspace, at: alert.at } },
    ]
  })
