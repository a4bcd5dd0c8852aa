import type { Path } from './json.ts'
import type { Position } from './resource.ts'

export interface Diagnostic {
  /** The rule that found it, such as `unknownKey`; absent if its source has no codes. */
  readonly code?: string
  /** Lower case, one line. */
  readonly message: string
  /** The wrong value, shortened. Never a secret. */
  readonly value?: string
  readonly fix: string
}

export interface Issue extends Diagnostic, Position {}

/** Something valid that a person should know: a part without effect, or one that nothing checks. */
export interface Note extends Issue {
  readonly level: NoteLevel
}

export type NoteLevel = 'warning' | 'info'

/** For a value whose file is not known: the path is within the checked value. */
export interface Problem extends Diagnostic {
  readonly path: Path
}
