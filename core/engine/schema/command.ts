import type { Auth } from './auth.ts'
import type { Json, JsonObject } from './json.ts'
import type { Address } from './resource.ts'
import type { Url } from './value.ts'

/** `signIn` fetches a token, also in a check. It is counted separately, and no operation of a provider can declare it. */
type Effect = 'read' | 'write' | 'signIn'

/** One exact request. Values of its body may contain marks. */
export interface Request {
  readonly method: string
  /** Absolute, including its query. It is literal: nothing in it stands for another value. */
  readonly url: string
  /**
   * Absolute path of the Unix socket that it goes to. Absent: the host of its URL, or the socket that the transport is
   * confined to.
   */
  readonly socket?: string
  /** GET and HEAD are reads; any other method is a read only if its operation declares it. */
  readonly effect: Effect
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: no body is sent. */
  readonly body?: Json
  readonly auth?: Auth
  /**
   * An answer of an earlier run may be used where its server says that it is still valid: by a strong ETag only, or by a weak
   * one too. It is not sent.
   */
  readonly conditional?: 'strong' | 'weak'
  /** The resource that it reads, for counting. It is not sent. */
  readonly reader?: Address
  /** The caller that it is planned for, if it is valid for this caller only. It is approved, and not sent. */
  readonly as?: JsonObject
  /** How values of its body are encrypted right before it is sent. It is approved, and not sent. */
  readonly sealedBox?: SealedBox
}

/**
 * Only the owner of a key pair can read these values: each is sent in a sealed box (X25519, XSalsa20-Poly1305) for the public key
 * that a GET at `url` answers right before. No plan or ledger contains the box, which is another one each time.
 */
export interface SealedBox {
  /** JSON pointers into the body, whose values are texts. */
  readonly values: readonly string[]
  /** Absolute, and below the same base as the URL of the request, with whose headers and sign-in it is read. Whole when it is sent. */
  readonly url: Url
  /** JSON pointer into its answer: the public key, in Base64. */
  readonly key: string
  /** The id of the key: JSON pointers into the answer, and into the body. */
  readonly id?: { readonly from: string; readonly to: string }
}

/** A planned request: a part of its URL may be known only after an earlier command. */
export interface PlannedRequest extends Omit<Request, 'url'> {
  readonly url: Url
}

export interface Response {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded by the media type: JSON, else text; `null` for an empty body. */
  readonly body: Json
  /** Header fields that came after the body, names in lower case. */
  readonly trailers?: Readonly<Record<string, string>>
  /** It is a kept answer, and the server has said that it is still valid: its body is that of now, its headers may not be. */
  readonly kept?: true
  /** It was kept, so that the next one may be asked for with a condition. */
  readonly keeps?: true
  /** It is a refusal by a limit of requests, whatever its status says: nothing was done. */
  readonly limited?: { readonly seconds: number }
  /** Bytes of the body as it was received. */
  readonly bytes?: number
  /** Numbers of a JSON body that JavaScript would spell differently, in their original spelling, by JSON pointer. */
  readonly numbers?: Readonly<Record<string, string>>
}

/** An answer that means "absent". `type`: media types in lower case, `json` (the default), `none` (no body), `any`. */
export type Absence = number | { readonly status: number; readonly type: string | readonly string[] }

/** Whether an answer is a success: a status that the request names, else 200 to 299. */
export const isSuccess = ({ success }: { readonly success?: readonly number[] }, status: number): boolean =>
  success === undefined ? status >= 200 && status < 300 : success.includes(status)

/**
 * How a body reports a failure. `message`: pointers to its text; `when`: the status that is meant; `graphql`: it is an answer
 * of a GraphQL server, and what is asked for is at this pointer.
 */
export interface AnswerErrors {
  readonly message?: readonly string[]
  readonly when?: readonly ErrorRule[]
  readonly graphql?: string
  /** What a refused request lacks: headers of the answer that name it, and what is known of it without them. */
  readonly permission?: { readonly headers: readonly string[]; readonly stated?: string }
}

/**
 * Holds if the value at `pointer` exists (or not), is one of `is`, and exists and is none of `not`: all conditions that
 * are given.
 */
export interface BodyRule {
  readonly pointer: string
  readonly exists?: boolean
  readonly is?: readonly Json[]
  readonly not?: readonly Json[]
}

interface ErrorRule extends BodyRule {
  /** The statuses that it applies to; those that mean success when absent. */
  readonly status?: readonly number[]
  /** The status that the answer should have had. */
  readonly means: number
}

/** Doing it twice has the same effect as once: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2 */
export const isIdempotent = ({ method }: { readonly method: string }): boolean =>
  /^(GET|HEAD|PUT|DELETE)$/i.test(method)

/** Whether a command can be undone: completely, partly, not at all, or not known. */
export const grades = ['reversible', 'lossy', 'irreversible', 'unknown'] as const
export type Grade = (typeof grades)[number]
export type CommandAction = 'create' | 'update' | 'replace' | 'delete' | 'call'

/** The object that a delete destroys: its keys and its server ids, as they were observed. */
interface SeenIdentity {
  readonly keys: Readonly<Record<string, Json>>
  readonly ids?: Readonly<Record<string, string>>
}

/** The object as the plan saw it: its digest, and its identity. */
export interface SeenObject {
  readonly digest: string
  readonly identity: SeenIdentity
}

/**
 * What must hold right before a write. The object is read again for each kind. A version is sent in addition, and the
 * target compares it; the read is needed because nobody knows whether the target does. `digest`: of the observed object
 * in the plan.
 */
export type Precondition =
  /** Sent as If-Match, or in the named header. */
  | ({ readonly kind: 'etag'; readonly etag: string; readonly header?: string } & DeletedObject)
  /** Sent inside the body: the API's own generation field. */
  | ({ readonly kind: 'field'; readonly pointer: string; readonly value: Json } & DeletedObject)
  /** The observed object must be unchanged. */
  | ({ readonly kind: 'reread' } & DeletedObject)
  /** As `reread`, with the effects of the commands before it. The version of `object` is sent in `header`, or in the request. */
  | ({ readonly kind: 'chained'; readonly object?: string; readonly header?: string } & DeletedObject)
  /** The object that a command before it created, as the commands since then left it. */
  | { readonly kind: 'made'; readonly object?: string; readonly header?: string }
  /** Only the archived object that is revived may exist. `sentBy`: the apply whose create has an unknown result. */
  | { readonly kind: 'absent'; readonly archived?: SeenObject; readonly sentBy?: string; readonly inside?: Inside }

/** The identity of the object that a delete destroys. */
type DeletedObject = Partial<SeenObject> & { readonly inside?: Inside }

/** Ids of the objects that contain it, by the attribute that names them. */
type Inside = Readonly<Record<string, string>>

/** What a command does to its object, for the commands after it. Absent: it sets everything that the change is about. */
export interface Footprint {
  /** Attributes that are as in the change afterwards. */
  readonly sets?: readonly string[]
  /** Elements of collections, by their keys (or as a whole, if they have none): `written` are as in the change afterwards. */
  readonly elements?: readonly {
    readonly of: string
    readonly written: readonly Json[]
    readonly removed: readonly Json[]
  }[]
  /** Attributes that it may also change, to values that cannot be predicted. */
  readonly affects?: readonly string[]
}

/** An element whose position changes with other writes. `key` must still be at its address, or `order` must be the same. */
export interface ElementAddress {
  /** The attribute. */
  readonly of: string
  readonly key?: JsonObject
  readonly holds?: JsonObject
  readonly order?: readonly JsonObject[]
  /** Which of the elements it is, from 0: its observed value must be unchanged. */
  readonly at?: number
}

/** How to poll until the operation that a command started is done. Places are JSON pointers into answers. */
export interface Waiter {
  /** A read. Its URL may use what `takes` took: `{ $after: <address>, pointer: '/wait/<name>' }`. */
  readonly request: PlannedRequest
  /** Polls the Location header of the previous answer instead of the URL of the request, on the same host only. */
  readonly location?: true
  /** From the previous answer (that of the command, or the last one of the waiter before): name -> pointer. */
  readonly takes?: Readonly<Record<string, string>>
  readonly when: {
    /** Statuses of the answer to the command that mean that waiting is needed. */
    readonly statuses: readonly number[]
    /** Where the answer to the command has a state; a state that is not in `ok` means waiting too. */
    readonly state?: string
  }
  /** Where the answer to a poll has the state. Absent: a success other than 202 is the end. */
  readonly state?: string
  /** States, compared without case, `_`, `-` and spaces. Any state in neither `ok` nor `error` means that it is in progress. */
  readonly ok: readonly Json[]
  readonly error: readonly Json[]
  /** The answer to a poll means failure if one of these holds, whatever the state is. */
  readonly failed?: readonly BodyRule[]
  /** Waits until the object is gone; `where`: an object with these values counts as gone. */
  readonly gone?: { readonly where?: Readonly<Record<string, Json>> }
  /** What it means if the polled object does not exist. Absent: it is polled again. */
  readonly forgotten?: 'done' | 'unknown'
  /** Answers to a poll that mean that the object does not exist. */
  readonly absent: readonly Absence[]
  /** Where an `error` has its reason; the first place with text counts. */
  readonly message?: readonly string[]
  readonly intervalSeconds: number
  /** Each pause is longer than the one before by this factor, up to five minutes. */
  readonly backoff: number
  readonly timeoutSeconds: number
  /** Name -> JSON pointer into the body of the last poll's answer. */
  readonly produces?: Readonly<Record<string, string>>
  readonly success?: readonly number[]
  readonly errors?: AnswerErrors
}

/** An id in a header: its value, or one segment of the path if it is a URL. */
export interface HeaderPlace {
  readonly header: string
  /** How the path of the URL ends: `/things/{id}`; `*` is any one segment. Absent, for a Location: the last segment. */
  readonly path?: string
}

/** The requests of a provider for a change; the planner adds id, order and precondition. */
export interface CommandDraft {
  readonly action: CommandAction
  /** One line, for people: `replace 2 rrsets`. */
  readonly description: string
  readonly request: PlannedRequest
  readonly grade: Grade
  readonly inverse?: PlannedRequest
  /** Statuses that mean success; 200 to 299 when absent. */
  readonly success?: readonly number[]
  /** How the body of an answer reports a failure that the status may not show. */
  readonly errors?: AnswerErrors
  /** It is sent after the changes of everything that depends on the object. */
  readonly last?: true
  /**
   * Replaces the precondition of the planner, if a version is sent or the object is created before; the digest is the
   * planner's.
   */
  readonly precondition?: Precondition
  readonly footprint?: Footprint
  readonly about?: ElementAddress
  /** Values of the answer that other commands may refer to with `$after`: name -> JSON pointer into the body, or a header. */
  readonly produces?: Readonly<Record<string, string | HeaderPlace>>
  /** The waiters after a success, one after the other: it begins with the first one whose `when` holds. */
  readonly wait?: readonly Waiter[]
}

/** `id` is `<address>#<n>`, n from 1 within its resource. */
export interface Command extends CommandDraft {
  readonly id: string
  readonly address: Address
  /** Ids of commands that must have succeeded before. */
  readonly dependsOn: readonly string[]
}
