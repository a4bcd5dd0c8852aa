import { createHmac } from 'node:crypto'
import type { Alert, JsonObject } from '#core'
import type { OpenedRoute, RouteRequest } from './route-request.ts'

const prefix = 'whsec_'

/** Base64 leaves out what it does not know, so that any text might be a key of no bytes, with which everybody could sign. */
const flawOf = (key: string): string | undefined =>
  key === '' || (key.startsWith(prefix) && !/^[\w+/-]+={0,2}$/.test(key.slice(prefix.length)))
    ? `the key is empty, or no Base64 after ${prefix}`
    : undefined

/** With the prefix a key is Base64, as the specification has it; any other text is the key itself. */
const keyBytes = (key: string): Buffer =>
  key.startsWith(prefix) ? Buffer.from(key.slice(prefix.length), 'base64') : Buffer.from(key, 'utf8')

/**
 * Signs as Standard Webhooks does, for which many languages have a library: `v1,` and the HMAC-SHA-256 of the id, the time and the
 * body in Base64. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const signWebhook = (
  key: string,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): string => `v1,${createHmac('sha256', keyBytes(key)).update(`${id}.${seconds}.${body}`).digest('base64')}`

/** The id of a repeated alert is the same, so that a receiver knows it again; its time is that of the sending. */
export const webhookRequest = (alert: Alert, { url = '', key = '', now }: OpenedRoute): RouteRequest => {
  const body = alert as unknown as JsonObject
  const seconds = Math.floor(now.getTime() / 1_000)
  return {
    url,
    body,
    flaw: flawOf(key),
    headers: {
      'webhook-id': alert.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook(key, { id: alert.id, seconds, body: JSON.stringify(body) }),
    },
  }
}
