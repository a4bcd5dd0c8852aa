import type { Json, JsonObject } from './json.ts'
import type { Address } from './resource.ts'
import type { SecretMark, Url } from './value.ts'

/** How a request proves who sends it. Secrets are references; the transport resolves them. */
export type Auth =
  /** `template` holds `{secret}`, for example `Bearer {secret}`. */
  | { readonly kind: 'header'; readonly name: string; readonly template: string; readonly secret: SecretMark }
  | { readonly kind: 'query'; readonly name: string; readonly secret: SecretMark }
  /** An empty password: the user is the secret. */
  | { readonly kind: 'basic'; readonly user: string | SecretMark; readonly password: SecretMark | '' }
  | TokenAuth
  /** AWS Signature Version 4, over the bytes that are sent. */
  | {
      readonly kind: 'sigv4'
      readonly region: string
      readonly service: string
      readonly accessKeyId: string | SecretMark
      readonly secretAccessKey: SecretMark
      readonly sessionToken?: SecretMark
    }

/** A token that another request fetches first. It is a secret of one run: never stored, never shown. */
export type TokenAuth = OAuth2 | Login

/** Client credentials: https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
export interface OAuth2 {
  readonly kind: 'oauth2'
  readonly tokenUrl: string
  readonly clientId: string | SecretMark
  readonly clientSecret: SecretMark
  /** Where the client's own credentials go: as basic authentication, or among the parameters. */
  readonly client: 'header' | 'body'
  /** Scope, audience and whatever else this server wants; they win over the standard ones. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly send: TokenUse
}

export interface Login {
  readonly kind: 'login'
  /** Nothing else signs in: it is sent in a check, and nobody approves it. */
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Texts; they may hold marks, as the body may. */
  readonly headers?: Readonly<Record<string, Json>>
  readonly body?: Json
  readonly basic?: { readonly user: string | SecretMark; readonly password: SecretMark | '' }
  readonly token: TokenSource
  /** How long it holds, in seconds, or where the answer says that. Absent: until it is refused. */
  readonly expires?: number | { readonly pointer: string }
  /** Statuses of the answer that holds the token. Absent: 200 to 299, to 399 where the token is in no body. */
  readonly success?: readonly number[]
  /** Statuses with which a token is refused, so that nothing was done. Absent: 401. */
  readonly refused?: readonly number[]
  /** `basic` goes along with every request, beside the token. */
  readonly always?: true
  readonly send: TokenUse
  /** Further tokens of the same answer, which go along too. */
  readonly also?: readonly { readonly token: TokenSource; readonly send: TokenUse }[]
}

export type TokenSource = { readonly header: string } | { readonly cookie: string } | { readonly pointer: string }

/** How a token goes along; `template` holds `{token}`. */
export interface TokenUse {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  readonly template: string
}

/** `signIn` fetches a token, in a check too. It is counted apart, and no operation of a provider can declare it. */
type Effect = 'read' | 'write' | 'signIn'

/** One exact request. Values of its body may hold marks. */
export interface Request {
  readonly method: string
  /** Absolute, its query included. It means itself: nothing in it stands for something else. */
  readonly url: string
  /** The Unix socket that it goes to, an absolute path. Absent: by the host of its URL, or wherever the transport is confined to. */
  readonly socket?: string
  /** GET and HEAD are reads; any other method is a read only where its operation declares it. */
  readonly effect: Effect
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: no body is sent. */
  readonly body?: Json
  readonly auth?: Auth
  /** Who sends it, where it is for this caller alone. It is approved, and not sent. */
  readonly as?: JsonObject
}

/** A request as it is planned: a part of its URL may be known only after an earlier command. */
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
  /** Bytes of the body as it was read. */
  readonly bytes?: number
  /** Numbers of a JSON body that JavaScript would spell in another way, as they were written, by JSON pointer. */
  readonly numbers?: Readonly<Record<string, string>>
}

/** An answer that means absence. `type`: media types in lower case, `json` (the default), `none` (no body), `any`. */
export type Absence = number | { readonly status: number; readonly type: string | readonly string[] }

/** Whether an answer means success: a status that the request names, else 200 to 299. */
export const isSuccess = ({ success }: { readonly success?: readonly number[] }, status: number): boolean =>
  success === undefined ? status >= 200 && status < 300 : success.includes(status)

/** A failure in an answer's body. `message`: pointers to its words; `when`: the status that is meant. */
export interface AnswerErrors {
  readonly message?: readonly string[]
  readonly when?: readonly ErrorRule[]
}

/** Holds where the value at `pointer` is there (or is not), is one of `is`, is there and none of `not`: all that are given. */
export interface BodyRule {
  readonly pointer: string
  readonly exists?: boolean
  readonly is?: readonly Json[]
  readonly not?: readonly Json[]
}

interface ErrorRule extends BodyRule {
  /** The statuses that it is about; those that mean success when absent. */
  readonly status?: readonly number[]
  /** The status that the answer should have had. */
  readonly means: number
}

/** Doing it twice is doing it once: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2 */
export const isIdempotent = ({ method }: { readonly method: string }): boolean =>
  /^(GET|HEAD|PUT|DELETE)$/i.test(method)

/** Whether what a command does can be undone: wholly, in part, not at all, or nobody knows. */
export const grades = ['reversible', 'lossy', 'irreversible', 'unknown'] as const
export type Grade = (typeof grades)[number]
export type CommandAction = 'create' | 'update' | 'replace' | 'delete' | 'call'

/** Whose object a delete destroys: what identifies it, and its server-made ids, as they were seen. */
interface SeenIdentity {
  readonly keys: Readonly<Record<string, Json>>
  readonly ids?: Readonly<Record<string, string>>
}

/** The object as the plan saw it: its digest, and what identifies it. */
export interface SeenObject {
  readonly digest: string
  readonly identity: SeenIdentity
}

/**
 * What must hold right before a write. The object is read again for each of them: a version that goes along is what the
 * target compares besides, because nobody knows whether it does. `digest`: of what the plan saw.
 */
export type Precondition =
  /** Sent along as If-Match, or in the header that is named. */
  | ({ readonly kind: 'etag'; readonly etag: string; readonly header?: string } & Seen)
  /** Sent along inside the body: the API's own generation field. */
  | ({ readonly kind: 'field'; readonly pointer: string; readonly value: Json } & Seen)
  /** What was seen must still be there. */
  | ({ readonly kind: 'reread' } & Seen)
  /** As `reread`, with what the commands before it did. The version of `object` is sent in `header`, or in the request. */
  | ({ readonly kind: 'chained'; readonly object?: string; readonly header?: string } & Seen)
  /** The object that a command before it made, as the commands since left it. */
  | { readonly kind: 'made'; readonly object?: string; readonly header?: string }
  /** There must be nothing but the archived object, which is revived. `sentBy`: the apply whose create has an unknown end. */
  | { readonly kind: 'absent'; readonly archived?: SeenObject; readonly sentBy?: string }

/** The identity is that of what a delete destroys. */
type Seen = Partial<SeenObject>

/** What a command does to its object, for the commands after it. Absent: it sets all that the change is about. */
export interface Footprint {
  /** Attributes that are afterwards as the change says. */
  readonly sets?: readonly string[]
  /** Elements of collections, by their keys (whole, where they have none): `written` are afterwards as the change says. */
  readonly elements?: readonly {
    readonly of: string
    readonly written: readonly Json[]
    readonly removed: readonly Json[]
  }[]
  /** Attributes that it may move besides, to values that nobody can tell. */
  readonly affects?: readonly string[]
}

/** An element that moves with other writes. `key` must still hold what addresses it, or `order` be the same. */
export interface ElementAddress {
  /** The attribute. */
  readonly of: string
  readonly key?: JsonObject
  readonly holds?: JsonObject
  readonly order?: readonly JsonObject[]
  /** Which of them it is, from 0: what was seen of it must still be so. */
  readonly at?: number
}

/** What is asked until the operation that a command began is done. Places are JSON pointers into answers. */
export interface Waiter {
  /** A read. Its URL may ask for what `takes` took: `{ $after: <address>, pointer: '/wait/<name>' }`. */
  readonly request: PlannedRequest
  /** The Location header of the answer before is asked instead of the request's URL, on the same host only. */
  readonly location?: true
  /** Of the answer before (the command's, or the last one of the waiter before): name -> pointer. */
  readonly takes?: Readonly<Record<string, string>>
  readonly when: {
    /** Statuses of the command's answer that ask to wait. */
    readonly statuses: readonly number[]
    /** Where the command's answer tells a state; one that is none of `ok` asks to wait too. */
    readonly state?: string
  }
  /** Where a poll's answer tells the state. Absent: a success that is no 202 is the end. */
  readonly state?: string
  /** States, compared without regard to case, `_`, `-` and spaces. What is neither `ok` nor `error` is still under way. */
  readonly ok: readonly Json[]
  readonly error: readonly Json[]
  /** A poll's answer of which one of these holds says that it has failed, whatever its state. */
  readonly failed?: readonly BodyRule[]
  /** That there is nothing any more is what is waited for; `where`: an object with these values counts as nothing. */
  readonly gone?: { readonly where?: Readonly<Record<string, Json>> }
  /** What it means that what is polled is not there any more. Absent: it is asked for again. */
  readonly forgotten?: 'done' | 'unknown'
  /** Answers to a poll that say that there is nothing. */
  readonly absent: readonly Absence[]
  /** Where an `error` has its reason; the first that holds words counts. */
  readonly message?: readonly string[]
  readonly intervalSeconds: number
  /** Each pause is so many times as long as the one before, up to five minutes. */
  readonly backoff: number
  readonly timeoutSeconds: number
  /** Name -> JSON pointer into the body of the last poll's answer. */
  readonly produces?: Readonly<Record<string, string>>
  readonly success?: readonly number[]
  readonly errors?: AnswerErrors
}

/** An id in a header: its value, or, of a URL, one segment of its path. */
export interface HeaderPlace {
  readonly header: string
  /** How the path of the URL ends: `/things/{id}`; `*` is any one segment. Absent, of a Location: the last one. */
  readonly path?: string
}

/** What a provider answers for a change; the planner adds identity, order and precondition. */
export interface CommandDraft {
  readonly action: CommandAction
  /** One line, for people: `replace 2 rrsets`. */
  readonly description: string
  readonly request: PlannedRequest
  readonly grade: Grade
  readonly inverse?: PlannedRequest
  /** Statuses that mean success; 200 to 299 when absent. */
  readonly success?: readonly number[]
  /** What an answer's body says of a failure, where the status may not. */
  readonly errors?: AnswerErrors
  /** In the place of the planner's own, where a version goes along or the object is made before it; the digest is the planner's. */
  readonly precondition?: Precondition
  readonly footprint?: Footprint
  readonly about?: ElementAddress
  /** What of the answer other commands may ask for with `$after`: name -> JSON pointer into the body, or a header. */
  readonly produces?: Readonly<Record<string, string | HeaderPlace>>
  /** What is waited for after a success, one after the other: it begins with the first whose `when` holds. */
  readonly wait?: readonly Waiter[]
}

/** `id` is `<address>#<n>`, n from 1 within its resource. */
export interface Command extends CommandDraft {
  readonly id: string
  readonly address: Address
  /** Ids of commands that must have succeeded before. */
  readonly dependsOn: readonly string[]
}
