import type { Json } from '../../../core/engine/schema/json.ts'

export interface Step {
  /** `GET /orgs/acme/hooks/{hook}`: a name in braces is an id that an earlier step kept. */
  readonly ask: string
  /** Whose token: the owner's if it is not said, the app's, or one that an earlier step kept. */
  readonly by?: string
  readonly body?: Json
  /** 200 if it is not said. */
  readonly status?: number
  /** Keeps the id (of a key or of an object) or the token of the answer under this name. */
  readonly keep?: string
  /** What the answer holds at least. */
  readonly shows?: Json
}
