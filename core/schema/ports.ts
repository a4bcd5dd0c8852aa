/** Time comes from outside, so that runs can be replayed. */
export interface Clock {
  now(): Date
  /** Milliseconds since some moment of this process; never set, never backwards. A difference is time that has passed. */
  monotonic(): number
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `ring` once, about so many milliseconds from now and perhaps earlier; the answer takes that back. */
  after(milliseconds: number, ring: () => void): () => void
}

/** New ids: ULIDs (sortable by time, 26 characters) for runs, applies, alerts; UUIDs for lineages. */
export interface Ids {
  ulid(): string
  uuid(): string
  /** From 0 up to but not 1, for jitter. */
  random(): number
}

/** Keyed digest of a value that must not be stored: `hmac-sha256:<name of the key>:<hex>` over its canonical JSON. */
export type Seal = (value: unknown) => string
