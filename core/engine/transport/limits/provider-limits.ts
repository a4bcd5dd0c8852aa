import type { Rate } from './pace.ts'
import type { Quota } from './quota.ts'

/** Limits of the target of one provider. */
export interface ProviderLimits {
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  /** Reads without credentials may be redirected to another origin. */
  readonly otherOrigins?: boolean
  /** Requests under way at once. */
  readonly concurrency?: number
  /** Commands of an apply under way at once. Absent: one after the other. */
  readonly writeConcurrency?: number
  readonly rate?: Rate
  readonly quota?: Quota
}
