import { type Alert, type JsonObject, renderAlert } from '#core'
import type { OpenedRoute, RouteRequest } from './route-request.ts'

const enqueue = 'https://events.pagerduty.com/v2/enqueue'

const severities = { high: 'critical', medium: 'warning', low: 'info' } as const

/**
 * An event of the Events API v2. All alerts of an episode have its id as the key, so that they are one alert there, which its end
 * resolves. https://developer.pagerduty.com/docs/events-api-v2-overview
 */
export const pagerDutyRequest = (alert: Alert, { url = enqueue, key = '' }: OpenedRoute): RouteRequest => ({
  url,
  body: {
    routing_key: key,
    event_action: alert.kind === 'resolved' ? 'resolve' : 'trigger',
    dedup_key: alert.episodeId,
    ...(alert.kind !== 'resolved' && trigger(alert)),
  },
})

const trigger = (alert: Alert): JsonObject => ({
  client: 'Plumbline',
  ...(alert.page !== undefined && { client_url: alert.page, links: [{ href: alert.page, text: 'The check' }] }),
  payload: {
    summary: renderAlert(alert, { form: 'subject' }),
    source: alert.workspace,
    severity: severities[alert.severity],
    timestamp: alert.at,
    class: alert.about,
    custom_details: { run: alert.runId, text: renderAlert(alert, { form: 'text' }) },
  },
})
