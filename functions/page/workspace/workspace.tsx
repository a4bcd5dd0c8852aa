export const WorkspaceView = (_: {
  readonly workspace: string
  readonly rest: readonly string[]
  readonly query: URLSearchParams
}) => <p>…</p>
