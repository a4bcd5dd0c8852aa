import type { Position } from './resource.ts'

/** One thing that is wrong with what was written, at its place in a file. */
export interface Issue extends Position {
  /** What is wrong: lower case, one line. */
  readonly message: string
  /** What is written there, short. Never a secret. */
  readonly value?: string
  /** What to do. */
  readonly fix: string
}
