import type { Path } from './json.ts'
import type { Position } from './resource.ts'

/** What is wrong with what was written, and what to do. */
export interface Diagnostic {
  /** The rule that found it, such as `unknownKey`; absent where what says it has no codes. */
  readonly code?: string
  /** What is wrong: lower case, one line. */
  readonly message: string
  /** What is written there, short. Never a secret. */
  readonly value?: string
  /** What to do. */
  readonly fix: string
}

/** At its place in a file. */
export interface Issue extends Diagnostic, Position {}

/** At a path within what is checked, whose file is not known there. */
export interface Problem extends Diagnostic {
  readonly path: Path
}
