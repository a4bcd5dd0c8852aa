import type { Json } from '../../../core/schema/json.ts'

export interface Step {
  /** `GET /orgs/acme/hooks/{hook}`: a name in braces is an id that an earlier step kept. */
  readonly ask: string
  readonly body?: Json
  /** 200 if it is not said. */
  readonly status?: number
  /** Keeps the id of the answer under this name. */
  readonly keep?: string
  /** What the answer holds at least. */
  readonly shows?: Json
}
