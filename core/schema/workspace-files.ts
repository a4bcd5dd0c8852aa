import type { Diagnostic } from './issue.ts'

/** The texts that a configuration can name, by path from its folder. Reading one makes it a part of the workspace. */
export interface WorkspaceFiles {
  get(path: string): string | undefined
  /** Why `get` has no text for a path. */
  refusal(path: string): Diagnostic
}
