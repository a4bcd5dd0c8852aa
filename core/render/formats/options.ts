export interface RenderOptions {
  /** ANSI colours; text only. */
  readonly color?: boolean
  /** Columns of the terminal; text only. */
  readonly width?: number
  /** When the check was made, ISO 8601. */
  readonly at?: string
}
