import type { Deps } from '../deps.ts'
import type { Delivery, deliveryResults } from './delivery.ts'

/** As `receiveWebhook` in webhook.ts, which is loaded with the first delivery. */
export const receiveWebhook = async (delivery: Delivery, deps: Deps): Promise<(typeof deliveryResults)[number]> =>
  (await import('./webhook.ts')).receiveWebhook(delivery, deps)
