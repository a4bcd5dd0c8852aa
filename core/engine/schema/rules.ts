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
  /** Without it, the whole resource. */
  readonly path?: string
  readonly reason: string
  readonly owner: string
  /** Day (UTC, `2027-01-31`) from which the rule no longer applies. */
  readonly expires?: string
  /** Only with this does the rule also cover deletes and replacements. */
  readonly includeDeletes: boolean
}

/** The object of one address is known under another address from now on. */
export interface Move {
  readonly from: Address
  readonly to: Address
}

/** A resource that left the configuration and is forgotten, whatever other rules say. The address is exact. */
export interface Removed {
  readonly address: Address
  readonly reason: string
}

/** The existing object that a resource without a record is. */
export interface ImportRule {
  readonly to: Address
  /** Server ids and keys of the object; keys that are not written are those of the resource. */
  readonly id: JsonObject
  /** Of `id`. */
  readonly position: Position
}

/** Objects that a person confirms as deleted, although many objects of their provider disappeared at once. `*` matches any part. */
export interface Gone {
  readonly address: string
  readonly reason: string
}

/** What an apply may send. */
export interface Policy {
  /** Largest number of commands of one apply. */
  readonly maxChanges?: number
  /** All when absent. */
  readonly allowGrades?: readonly Grade[]
  /** `false`: nothing is sent that gives more access. */
  readonly allowWidening?: boolean
}

/** When alerts are sent. */
export interface AlertRules {
  /** Findings below this severity open no episode. */
  readonly minSeverity: Severity
  /** The alert of an open episode is repeated after this many milliseconds; never if absent. */
  readonly renotifyMs?: number
}
