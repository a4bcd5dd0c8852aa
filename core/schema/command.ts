import type { Json } from './json.ts'
import type { Address } from './resource.ts'
import type { SecretMark } from './value.ts'

/** How a request proves who sends it. Secrets are references; the transport resolves them. */
export type Auth =
  /** `template` holds `{secret}`, for example `Bearer {secret}`. */
  | { readonly kind: 'header'; readonly name: string; readonly template: string; readonly secret: SecretMark }
  | { readonly kind: 'query'; readonly name: string; readonly secret: SecretMark }
  | { readonly kind: 'basic'; readonly user: string | SecretMark; readonly password: SecretMark }

type Effect = 'read' | 'write'

/**
 * One exact request. `url` is absolute, its query included; a part that an earlier command produces is written
 * `{after:<address>:<pointer>}` and becomes one percent-encoded path segment. Values may hold marks.
 */
export interface Request {
  readonly method: string
  readonly url: string
  /** GET and HEAD are reads; any other method is a read only where its operation declares it. */
  readonly effect: Effect
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: no body is sent. */
  readonly body?: Json
  readonly auth?: Auth
}

export interface Response {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded by the media type: JSON, else text; `null` for an empty body. */
  readonly body: Json
}

/** Whether an answer means success: a status that the request names, else 200 to 299. */
export const isSuccess = ({ success }: { readonly success?: readonly number[] }, status: number): boolean =>
  success === undefined ? status >= 200 && status < 300 : success.includes(status)

/** Whether what a command does can be undone: wholly, in part, not at all, or nobody knows. */
export const grades = ['reversible', 'lossy', 'irreversible', 'unknown'] as const
export type Grade = (typeof grades)[number]
export type CommandAction = 'create' | 'update' | 'replace' | 'delete' | 'call'

export type Precondition =
  /** Sent along as If-Match. */
  | { readonly kind: 'etag'; readonly etag: string }
  /** Sent along inside the body: the API's own generation field. */
  | { readonly kind: 'field'; readonly pointer: string; readonly value: Json }
  /** Read again right before the write: the digest of what was seen must still be this. */
  | { readonly kind: 'reread'; readonly digest: string }
  /** Read again right before the write: there must still be nothing. */
  | { readonly kind: 'absent' }

/** What a provider answers for a change; the planner adds identity, order and precondition. */
export interface CommandDraft {
  readonly action: CommandAction
  /** One line, for people: `replace 2 rrsets`. */
  readonly description: string
  readonly request: Request
  readonly grade: Grade
  readonly inverse?: Request
  /** Statuses that mean success; 200 to 299 when absent. */
  readonly success?: readonly number[]
  /** Replaces the planner's own precondition where the API can check it itself. */
  readonly precondition?: Precondition
  /** Which members of the answer other commands may ask for with `$after`: name -> JSON pointer into the body. */
  readonly produces?: Readonly<Record<string, string>>
}

/** `id` is `<address>#<n>`, n from 1 within its resource. */
export interface Command extends CommandDraft {
  readonly id: string
  readonly address: Address
  /** Ids of commands that must have succeeded before. */
  readonly dependsOn: readonly string[]
}
