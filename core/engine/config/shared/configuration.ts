import type { Note } from '../../schema/issue.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Address, DesiredResource, OrphanFate, Position } from '../../schema/resource.ts'
import type { AlertRules, Gone, IgnoreRule, ImportRule, Move, Policy, Removed } from '../../schema/rules.ts'

export interface ProviderConfiguration {
  readonly alias: string
  readonly source: string
  /** Of a package. */
  readonly integrity?: string
  readonly baseUrls?: readonly string[]
  /** Path of the provider document within the bundle. */
  readonly definition?: string
  /** Secrets are `$secret` marks. */
  readonly with: JsonObject
  /** It has a problem that was reported; only in a configuration with problems. */
  readonly broken?: true
  readonly position: Position
}

/** No scheduled check starts at a time of the expression or during the time after it. */
export interface Blackout {
  /** EventBridge Scheduler syntax, in the workspace's time zone. */
  readonly cron: string
  readonly durationMs: number
}

/** The normalised contents of a workspace's files: variables and references to known values are resolved. */
export interface Configuration {
  readonly workspace: string
  /** Present if it is a preview: the workspace that it is a preview of, its branch, and how long it lives, in milliseconds. */
  readonly preview?: { readonly base: string; readonly branch: string; readonly expiresMs: number }
  readonly schedule?: string
  readonly timezone: string
  readonly blackout: readonly Blackout[]
  /** The values of variables that were given from outside, as written: secrets are `{ secret: "env:X" }`. */
  readonly given: JsonObject
  readonly providers: readonly ProviderConfiguration[]
  readonly resources: readonly DesiredResource[]
  readonly unmanaged: 'ignore' | 'report'
  readonly ignore: readonly IgnoreRule[]
  readonly moved: readonly Move[]
  /** What happens to resources that left the configuration; the record of a resource may say otherwise. */
  readonly orphans: OrphanFate
  readonly removed: readonly Removed[]
  /** By the order in which they are written. */
  readonly imports: readonly ImportRule[]
  readonly gone: readonly Gone[]
  /** What is valid, and should be known: parts without effect, and parts that nothing checks. */
  readonly notes: readonly Note[]
  readonly policy: Policy
  /** What one run may read, and how long it may take. */
  readonly limits: { readonly bytes: number; readonly seconds: number; readonly requests?: number }
  readonly alerts: AlertRules
  /** The position of a resource's attribute, its key, or the resource's type; of the resource itself if the path is not written. */
  locate(address: Address, path: readonly (string | number)[], what?: 'value' | 'key' | 'type'): Position
  /** Parsed documents other than the entry (provider documents), by path within the bundle. */
  readonly documents: ReadonlyMap<
    string,
    { readonly value: Json; locate(path: readonly (string | number)[]): Position }
  >
}
