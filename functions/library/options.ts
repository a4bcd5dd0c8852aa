import * as z from 'zod'
import { AppError, type Json } from '#core'

export interface WorkspaceOptions {
  /**
   * The folder that keeps `.plumbline`, with the recorded state and the ledger, or `dynamodb:<table>`. Absent: nothing is
   * kept, so there is no drift, and nothing can be approved.
   */
  readonly store?: string | undefined
  /** Values of variables that the configuration declares. */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** Where `env:` secrets, `PLUMBLINE_VAR_*` and `PATH` are read. Absent: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Ends a check at once (INTERRUPTED), and an apply after the commands under way. */
  readonly signal?: AbortSignal | undefined
  /** Receives what the command prints beside its answer, such as alerts and warnings: one plain text each. */
  readonly note?: ((text: string) => void) | undefined
}

export const workspaceOptions = {
  store: z.string().min(1).optional(),
  variables: z.record(z.string(), z.json()).optional(),
  environment: z.record(z.string(), z.string().optional()).optional(),
  signal: z.instanceof(AbortSignal).optional(),
  note: z.custom<(text: string) => void>((value) => typeof value === 'function', 'it is not a function').optional(),
} as const

/** Programs in JavaScript have no compiler that refuses them. Throws OPTION_INVALID, which quotes no value. */
export const requireOptions = (name: string, shape: z.ZodType, given: unknown): void => {
  const [issue] = shape.safeParse(given).error?.issues ?? []
  if (issue === undefined) return
  const place = ['options', ...issue.path].join('.')
  throw new AppError('OPTION_INVALID', { of: name, detail: `${place}: ${issue.message}` })
}
