import type { Auth } from './auth.ts'
import type { Json, JsonObject } from './json.ts'
import type { Address } from './resource.ts'
import type { Url } from './value.ts'

/** `signIn` fetches a token, also in a check. It is counted separately, and no operation of a provider can declare it. */
type Effect = 'read' | 'write' | 'signIn'

/** Values of the body may contain marks. */
export interface Request {
  readonly method: string
  /** Absolute, with its query. The text is literal: it contains no marks. */
  readonly url: string
  /**
   * Absolute path of the Unix socket that the request goes to. Absent: the host of the URL, or the socket that the
   * transport is confined to.
   */
  readonly socket?: string
  /** GET and HEAD are reads; any other method is a read only if its operation declares it. */
  readonly effect: Effect
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: no body is sent. */
  readonly body?: Json
  readonly auth?: Auth
  /**
   * With which ETags the answer of an earlier run may be used, if the server says that it is still valid: only strong
   * ones, or weak ones too. Not sent.
   */
  readonly conditional?: 'strong' | 'weak'
  /** The resource that the request reads, for counting. Not sent. */
  readonly reader?: Address
  /** The caller that the request is planned for, if it is valid for this caller only. Approved, but not sent. */
  readonly as?: JsonObject
  /** How values of the body are encrypted right before the request is sent. Approved, but not sent. */
  readonly sealedBox?: SealedBox
}

/**
 * Values that only the owner of a key pair can read: each is sent in a sealed box (X25519, XSalsa20-Poly1305) for the
 * public key that a GET of `url` returns right before. No plan or ledger contains the box, which is different each
 * time.
 */
export interface SealedBox {
  /** JSON pointers into the body, whose values are texts. */
  readonly values: readonly string[]
  /**
   * Absolute, and below the same base as the URL of the request; read with the same headers and sign-in. The URL is
   * complete when it is sent.
   */
  readonly url: Url
  /** JSON pointer into the answer: the public key, in Base64. */
  readonly key: string
  /** The id of the key: JSON pointers into the answer, and into the body. */
  readonly id?: { readonly from: string; readonly to: string }
}

/** A part of its URL may be known only after an earlier command. */
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
  /** The answer is a kept answer that the server declared valid: the body is current, but the headers may not be. */
  readonly kept?: true
  /** The answer was kept, so that the next request can be conditional. */
  readonly keeps?: true
  /** A limit of requests refused the request, whatever the status says: nothing was done. */
  readonly limited?: { readonly seconds: number }
  /** Bytes of the body as it was received. */
  readonly bytes?: number
  /** Numbers of a JSON body that JavaScript would spell differently, in their original spelling, by JSON pointer. */
  readonly numbers?: Readonly<Record<string, string>>
}

/**
 * An answer that means "absent". `type`: media types in lower case, `json` (the default), `none` (no body) or `any`.
 */
export type Absence = number | { readonly status: number; readonly type: string | readonly string[] }

/** A success has a status that the request names; if it names none, 200 to 299. */
export const isSuccess = ({ success }: { readonly success?: readonly number[] }, status: number): boolean =>
  success === undefined ? status >= 200 && status < 300 : success.includes(status)

/**
 * How a body reports a failure. `message`: pointers to its text; `when`: rules that say which status is meant;
 * `graphql`: the answer comes from a GraphQL server, and this pointer leads to the requested data.
 */
export interface AnswerErrors {
  readonly message?: readonly string[]
  readonly when?: readonly ErrorRule[]
  readonly graphql?: string
  /** The permission that a refused request lacks: `headers` of the answer name it; `stated` is known without them. */
  readonly permission?: { readonly headers: readonly string[]; readonly stated?: string }
}

/**
 * All given conditions must hold: the value at `pointer` exists (or does not), is one of `is`, contains one of `has`, is none of `not`. A missing value
 * is none of `not` where the rule says that an answer means a failure, and nowhere else.
 */
export interface BodyRule {
  readonly pointer: string
  readonly exists?: boolean
  readonly is?: readonly Json[]
  /** Parts of a text, in capital or small letters. */
  readonly has?: readonly string[]
  readonly not?: readonly Json[]
}

interface ErrorRule extends BodyRule {
  /** Statuses that the rule applies to. Absent: those that mean success. */
  readonly status?: readonly number[]
  /** What must hold at other places of the body, too. */
  readonly and?: readonly BodyRule[]
  /** The status that the answer should have had. */
  readonly means: number
}

/** Whether sending it twice has the same effect as once: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2 */
export const isIdempotent = ({ method }: { readonly method: string }): boolean =>
  /^(GET|HEAD|PUT|DELETE)$/i.test(method)

/** Whether a command can be undone: completely, partly, not at all, or not known. */
export const grades = ['reversible', 'lossy', 'irreversible', 'unknown'] as const
export type Grade = (typeof grades)[number]
export type CommandAction = 'create' | 'update' | 'replace' | 'delete' | 'call'

/** The keys and server ids of the object that a delete destroys, as they were observed. */
interface SeenIdentity {
  readonly keys: Readonly<Record<string, Json>>
  readonly ids?: Readonly<Record<string, string>>
}

export interface SeenObject {
  readonly digest: string
  readonly identity: SeenIdentity
}

/**
 * What must hold right before a write. The object is read again for each kind. A version is also sent, for the target
 * to compare; the read is needed because it is not known whether the target does so. `digest`: of the observed object
 * in the plan.
 */
export type Precondition =
  /** Sent as If-Match, or in the named header. */
  | ({ readonly kind: 'etag'; readonly etag: string; readonly header?: string } & DeletedObject)
  /** Sent inside the body: the generation field of the API. */
  | ({ readonly kind: 'field'; readonly pointer: string; readonly value: Json } & DeletedObject)
  /** The observed object must be unchanged. */
  | ({ readonly kind: 'reread' } & DeletedObject)
  /**
   * Like `reread`, with the effects of the earlier commands. The version of `object` is sent in `header`, or in the
   * request.
   */
  | ({ readonly kind: 'chained'; readonly object?: string; readonly header?: string } & DeletedObject)
  /** The object that an earlier command created must be as the commands since then left it. */
  | { readonly kind: 'made'; readonly object?: string; readonly header?: string }
  /**
   * The object must not exist, except the archived object that is revived. `sentBy`: the apply whose create has an
   * unknown result.
   */
  | { readonly kind: 'absent'; readonly archived?: SeenObject; readonly sentBy?: string; readonly inside?: Inside }

type DeletedObject = Partial<SeenObject> & { readonly inside?: Inside }

/** Ids of the objects that contain it, by the attribute that names them. */
type Inside = Readonly<Record<string, string>>

/** What a command does to its object, for the commands after it. Absent: it sets everything that the change is about. */
export interface Footprint {
  /** Attributes that have the values of the change afterwards. */
  readonly sets?: readonly string[]
  /**
   * Elements of collections, by their keys (as a whole, if they have none): those in `written` have the values of the
   * change afterwards.
   */
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
  /** The attribute that contains the element. */
  readonly of: string
  readonly key?: JsonObject
  readonly holds?: JsonObject
  readonly order?: readonly JsonObject[]
  /** Index of the element, from 0. */
  readonly at?: number
  /** Where it was observed, from 0: its value must be that one still. Absent for an element that the apply itself made. */
  readonly was?: number
}

/** How to poll until the operation that a command started is done. Places are JSON pointers into answers. */
export interface Waiter {
  /** A read. Its URL may use the values of `takes`: `{ $after: <address>, pointer: '/wait/<name>' }`. */
  readonly request: PlannedRequest
  /** Polls the Location header of the previous answer instead of the URL of the request, on the same host only. */
  readonly location?: true
  /** Values from the previous answer (of the command, or of the previous waiter): name -> pointer. */
  readonly takes?: Readonly<Record<string, string>>
  readonly when: {
    /** Statuses of the answer to the command that require waiting. */
    readonly statuses: readonly number[]
    /** Where the answer to the command has a state; a state that is not in `ok` means waiting too. */
    readonly state?: string
  }
  /** Where the answer to a poll has the state. Absent: a success other than 202 is the end. */
  readonly state?: string
  /**
   * States, compared without case, `_`, `-` and spaces. A state in neither `ok` nor `error` means that the operation is
   * in progress.
   */
  readonly ok: readonly Json[]
  readonly error: readonly Json[]
  /** The answer to a poll means failure if one of these holds, whatever the state is. */
  readonly failed?: readonly BodyRule[]
  /** Waits until the object is gone; `where`: an object with these values counts as gone. */
  readonly gone?: { readonly where?: Readonly<Record<string, Json>> }
  /** What a missing polled object means. Absent: the object is polled again. */
  readonly forgotten?: 'done' | 'unknown'
  /** Answers to a poll that mean that the object does not exist. */
  readonly absent: readonly Absence[]
  /** Where an `error` has its reason; the first place with a text counts. */
  readonly message?: readonly string[]
  readonly intervalSeconds: number
  /** Factor by which each pause is longer than the previous one; a pause is at most five minutes. */
  readonly backoff: number
  readonly timeoutSeconds: number
  /** Name -> JSON pointer into the body of the last answer to a poll. */
  readonly produces?: Readonly<Record<string, string>>
  readonly success?: readonly number[]
  readonly errors?: AnswerErrors
}

/** An id in a header: its value, or one segment of the path if it is a URL. */
export interface HeaderPlace {
  readonly header: string
  /**
   * How the path of the URL ends: `/things/{id}`; `*` is any one segment. Absent, for a Location: the id is the last
   * segment.
   */
  readonly path?: string
}

/** The requests of a provider for a change; the planner adds id, order and precondition. */
export interface CommandDraft {
  readonly action: CommandAction
  /** One line, for people: `replace 2 rrsets`. */
  readonly description: string
  readonly request: PlannedRequest
  readonly grade: Grade
  /**
   * Places of the observed object that the document does not name and that an undo does not restore, as JSON pointers; `*` is
   * any element or member.
   */
  readonly loses?: readonly string[]
  /** Lists in which elements that are not ours change their places among the others, as such pointers. */
  readonly moves?: readonly string[]
  /** What is in the object, goes with it, and belongs to no resource: a type and its keys each. */
  readonly takes?: readonly string[]
  readonly inverse?: PlannedRequest
  /** Statuses that mean success; 200 to 299 when absent. */
  readonly success?: readonly number[]
  /** How the body reports a failure that the status may not show. */
  readonly errors?: AnswerErrors
  /** The command is sent after the changes of everything that depends on the object. */
  readonly last?: true
  /**
   * Replaces the precondition of the planner, if a version is sent or an earlier command creates the object; the
   * planner adds the digest.
   */
  readonly precondition?: Precondition
  readonly footprint?: Footprint
  readonly about?: ElementAddress
  /** Values of the answer that other commands may refer to with `$after`: name -> JSON pointer into the body, or a header. */
  readonly produces?: Readonly<Record<string, string | HeaderPlace>>
  /** The waiters after a success, in sequence, beginning with the first one whose `when` holds. */
  readonly wait?: readonly Waiter[]
}

/** `id` is `<address>#<n>`, n from 1 within its resource. */
export interface Command extends CommandDraft {
  readonly id: string
  readonly address: Address
  /** Ids of commands that must have succeeded before. */
  readonly dependsOn: readonly string[]
}
