/** Why a file that a configuration names has no text, and what to do. */
export interface FileRefusal {
  readonly message: string
  readonly fix: string
}

/** The texts that a configuration can name, by path from its folder. Asking for one makes it a part of the workspace. */
export interface WorkspaceFiles {
  get(path: string): string | undefined
  /** Of a path that `get` has no text for. */
  refusal(path: string): FileRefusal
}
