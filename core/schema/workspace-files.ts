import type { Diagnostic } from './issue.ts'

/** The texts that a configuration can name, by path from its folder. Asking for one makes it a part of the workspace. */
export interface WorkspaceFiles {
  get(path: string): string | undefined
  /** Of a path that `get` has no text for. */
  refusal(path: string): Diagnostic
}
