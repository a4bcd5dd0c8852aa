import type { AlertRules } from '../../schema/alert-route.ts'
import type { Note } from '../../schema/issue.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { Address, DesiredResource, OrphanFate, Position } from '../../schema/resource.ts'
import type { EventRules, Gone, IgnoreRule, ImportRule, Move, PlaceMove, Policy, Removed } from '../../schema/rules.ts'

export interface ProviderConfiguration {
  readonly alias: string
  readonly source: string
  /** Present for a provider package. */
  readonly integrity?: string
  readonly baseUrls?: readonly string[]
  /** Path of the provider document within the bundle. */
  readonly definition?: string
  /** Secrets are `$secret` marks. */
  readonly with: JsonObject
  /** A problem of this provider was reported; present only in a configuration with problems. */
  readonly broken?: true
  readonly position: Position
  /** Where `with` is written; the same as `position` if it is not. */
  readonly withPosition: Position
  /** Where `source` is written. */
  readonly sourcePosition: Position
  /** Where each member of `with` is written. */
  readonly inputs: Readonly<Record<string, Position>>
}

/** No scheduled check starts at a time of `cron` or within the duration after it. */
export interface Blackout {
  /** EventBridge Scheduler syntax, in the workspace's time zone. */
  readonly cron: string
  readonly durationMs: number
}

/** The normalised content of the files of a workspace. Variables and references to known values are resolved. */
export interface LimitedType {
  readonly type: string
  readonly position: Position
}

export interface Configuration {
  readonly workspace: string
  /** Present for a preview: its base workspace, its branch, and its lifetime in milliseconds. */
  readonly preview?: { readonly base: string; readonly branch: string; readonly expiresMs: number }
  readonly schedule?: string
  readonly timezone: string
  readonly blackout: readonly Blackout[]
  /** Values of variables given from outside, as written: secrets are `{ secret: "env:X" }`. */
  readonly given: JsonObject
  readonly providers: readonly ProviderConfiguration[]
  readonly resources: readonly DesiredResource[]
  readonly unmanaged: 'ignore' | 'report'
  readonly ignore: readonly IgnoreRule[]
  readonly moved: readonly Move[]
  readonly movedPlaces: readonly PlaceMove[]
  /** The default fate of orphans; the record of a resource may differ. */
  readonly orphans: OrphanFate
  readonly removed: readonly Removed[]
  /** In the order in which they are written. */
  readonly imports: readonly ImportRule[]
  readonly gone: readonly Gone[]
  readonly notes: readonly Note[]
  readonly policy: Policy
  /** The types that `policy.maxRemovals` names. */
  readonly limitedTypes: readonly LimitedType[]
  /** Limits of one run. */
  readonly limits: { readonly bytes: number; readonly seconds: number; readonly requests?: number }
  readonly alerts: AlertRules
  readonly events: EventRules
  /**
   * The position of an attribute's value or key, or of the resource's type. If the path is not written, the position of
   * the resource.
   */
  locate(address: Address, path: readonly (string | number)[], what?: 'value' | 'key' | 'type'): Position
  /** Parsed provider documents, by path within the bundle. */
  readonly documents: ReadonlyMap<
    string,
    { readonly value: Json; locate(path: readonly (string | number)[]): Position }
  >
}
