import type { Rate } from './pace.ts'
import type { Quota } from './quota.ts'

export interface ProviderLimits {
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  /** Reads without credentials may be redirected to another origin. */
  readonly otherOrigins?: boolean
  readonly concurrency?: number
  /** Commands of an apply at the same time; absent: one after the other. */
  readonly writeConcurrency?: number
  readonly rate?: Rate
  readonly quota?: Quota
}
