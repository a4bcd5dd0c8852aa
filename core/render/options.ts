export interface RenderOptions {
  /** ANSI colours; text only. */
  readonly color?: boolean
  /** Columns of the terminal; text only. */
  readonly width?: number
  /** False leaves the exact requests out; text only, for callers that ask for them apart. */
  readonly commands?: boolean
  /** When the check was made, ISO 8601. */
  readonly at?: string
}
