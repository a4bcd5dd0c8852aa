export const deliveryResults = ['queued', 'pending', 'ignored'] as const

export interface Delivery {
  readonly workspace: string
  /** The exact text that was received, because the signature is over its bytes. */
  readonly body: string
  readonly signature: string | undefined
  /** What the delivery says of itself; the signature does not cover it, so it can only make it ignored. */
  readonly event?: string | undefined
}
