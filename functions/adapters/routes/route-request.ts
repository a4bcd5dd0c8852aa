import type { JsonObject } from '#core'

/** What is posted: JSON, with headers where the receiver reads some. */
export interface RouteRequest {
  readonly url: string
  readonly body: JsonObject
  readonly headers?: Readonly<Record<string, string>>
  /** Why it must not be sent. It has no part of an address or a key. */
  readonly flaw?: string | undefined
}

/** The values of the secrets that a route names, and the time of the sending. */
export interface OpenedRoute {
  readonly url?: string
  readonly key?: string
  readonly now: Date
}
