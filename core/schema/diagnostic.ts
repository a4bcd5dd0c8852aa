import type { Path } from './json.ts'
import type { Position } from './resource.ts'

/** One thing that is wrong with what was written. */
export interface Diagnostic {
  /** The rule that is broken, in camelCase; it never changes. The sentences are in `words.ts` of each room, by code. */
  readonly code?: string
  /** What is wrong: lower case, one line. */
  readonly message: string
  /** What is written there, short. Never a secret. */
  readonly value?: string
  /** What to do. */
  readonly fix: string
}

/** At a path of a value whose file is not known yet. */
export interface PathDiagnostic extends Diagnostic {
  readonly path: Path
  /** The key is wrong, not the value. */
  readonly at?: 'key'
}

/** At its place in a file. */
export interface Issue extends Diagnostic, Position {}
