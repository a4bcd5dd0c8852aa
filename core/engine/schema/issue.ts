import type { Path } from './json.ts'
import type { Position } from './resource.ts'

/** What is wrong in an input, and what to do. */
export interface Diagnostic {
  /** The rule that found it, such as `unknownKey`; absent if its source has no codes. */
  readonly code?: string
  /** What is wrong: lower case, one line. */
  readonly message: string
  /** The wrong value, shortened. Never a secret. */
  readonly value?: string
  /** What to do. */
  readonly fix: string
}

/** With its position in a file. */
export interface Issue extends Diagnostic, Position {}

/** Something valid that a person should know: a part without effect, or one that nothing checks. */
export interface Note extends Issue {
  readonly level: NoteLevel
}

export type NoteLevel = 'warning' | 'info'

/** With a path within the checked value, if the file is not known there. */
export interface Problem extends Diagnostic {
  readonly path: Path
}
