import * as z from 'zod'
import type { Grade } from './command.ts'
import type { JsonObject } from './json.ts'
import type { Address, Position } from './resource.ts'

/** How soon a person should look; core/engine/alert/finding.ts defines the levels. */
export const severity = z.enum(['low', 'medium', 'high'])
export type Severity = z.infer<typeof severity>

/** Differences that a plan ignores. `*` matches any part of an address, or of a step of a path. */
export interface IgnoreRule {
  readonly address: string
  /** Absent: the whole resource. */
  readonly path?: string
  readonly reason: string
  readonly owner: string
  /** Day (UTC, `2027-01-31`) from which the rule no longer applies. */
  readonly expires?: string
  /** Whether the rule also covers deletes and replacements. */
  readonly includeDeletes: boolean
}

/** The object of one address has another address from now on. */
export interface Move {
  readonly from: Address
  readonly to: Address
}

/** The target of a provider has another address from now on, and is the same one. */
export interface PlaceMove {
  readonly provider: string
  readonly from: string
  readonly to: string
}

/** A resource that left the configuration and is forgotten, whatever other rules say. The address is exact. */
export interface Removed {
  readonly address: Address
  readonly reason: string
}

/** The existing object that belongs to a resource without a record. */
export interface ImportRule {
  readonly to: Address
  /** Server ids and keys of the object; the resource supplies the keys that are absent here. */
  readonly id: JsonObject
  /** The position of `id`. */
  readonly position: Position
}

/** Objects that a person confirms as deleted, although many objects of their provider disappeared at once. `*` matches any part. */
export interface Gone {
  readonly address: string
  readonly reason: string
}

/** A number of objects and elements together, or the share of each list and of the objects of each type: `20%`. */
type Most = number | string

export interface Policy {
  /** Largest number of commands of one apply. */
  readonly maxChanges?: number
  /** Absent: all grades. */
  readonly allowGrades?: readonly Grade[]
  /** `false`: no command is sent that gives more access. */
  readonly allowWidening?: boolean
  /** What an apply may take away: of everything, or by type, where `*` stands for all other types. */
  readonly maxRemovals?: Most | Readonly<Record<string, Most>>
  /** `true`: the same commands may be sent again with the same approval, whenever the same difference returns. */
  readonly standingApprovals?: boolean
}

/** What announces changes of a target, besides the schedule. */
export interface EventRules {
  readonly github?: {
    /** Its name, whose events count. */
    readonly organization: string
    readonly webhookSecret: { readonly secret: string }
  }
}
