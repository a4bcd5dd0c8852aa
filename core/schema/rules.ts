import type { Grade } from './command.ts'
import type { Severity } from './records.ts'
import type { Address } from './resource.ts'

/** What a plan leaves alone. `*` stands for any part of an address, or of a step of a path. */
export interface IgnoreRule {
  readonly address: string
  /** Without it, the whole resource. */
  readonly path?: string
  readonly reason: string
  readonly owner: string
  /** Day (UTC, `2027-01-31`) from which on the rule is void. */
  readonly expires?: string
  /** Only with this does the rule also cover deletes and replacements. */
  readonly includeDeletes: boolean
}

/** An object of one address is known under another one from now on. */
export interface Move {
  readonly from: Address
  readonly to: Address
}

/** What a person says is not there any more, though much of its provider vanished at once. `*` stands for any part. */
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
}

/** When somebody is told. */
export interface AlertRules {
  /** Quieter findings open no episode. */
  readonly minSeverity: Severity
  /** An episode that stays open is told again after this many milliseconds; never when absent. */
  readonly renotifyMs?: number
}
