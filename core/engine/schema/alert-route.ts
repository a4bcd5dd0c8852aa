import * as z from 'zod'
import { described, optional } from './described.ts'
import { type Severity, severity } from './rules.ts'

const secretOf = (description: string, example: string) =>
  optional(
    z.strictObject({ secret: described(z.string().min(1).max(2_000), 'Where it is kept.', example) }),
    description,
    { secret: example },
  )

const routeKinds = ['webhook', 'slack', 'teams', 'pagerduty'] as const
export type RouteKind = (typeof routeKinds)[number]

/** Where else the alerts of a workspace go. Addresses and keys are secrets, because whoever knows them can post there. */
export const alertRouteShape = z.strictObject({
  kind: described(
    z.enum(routeKinds),
    '`webhook`: signed JSON. `slack`: an incoming webhook. `teams`: a webhook of Workflows. `pagerduty`: Events API v2.',
    'slack',
  ),
  url: secretOf(
    'Where the alerts are posted to; of `pagerduty` only where it is not the Events API in the USA.',
    'env:SLACK_WEBHOOK_URL',
  ),
  key: secretOf('Signs a `webhook`; of `pagerduty` the integration key.', 'ssm:/plumbline/acme-dns/pagerduty'),
  minSeverity: optional(severity, 'Episodes are told from their first alert of this severity on.'),
})
export type AlertRoute = z.infer<typeof alertRouteShape>

/** What each kind cannot do without, and what it can use besides. */
export const routeMembers: Readonly<
  Record<RouteKind, { readonly needs: readonly RouteMember[]; readonly may: readonly RouteMember[] }>
> = {
  webhook: { needs: ['url', 'key'], may: [] },
  slack: { needs: ['url'], may: [] },
  teams: { needs: ['url'], may: [] },
  pagerduty: { needs: ['key'], may: ['url'] },
}
export type RouteMember = 'url' | 'key'

/** How a route is called in messages: by its kind and the source of a secret, never by a value. */
export const routeName = ({ kind, url, key }: AlertRoute): string => `${kind} (${(url ?? key)?.secret})`

export interface AlertRules {
  /** Findings below this severity open no episode. */
  readonly minSeverity: Severity
  /** Milliseconds after which the alert of an open episode is repeated. Absent: never. */
  readonly renotifyMs?: number
  readonly routes?: AlertRoute[]
}
