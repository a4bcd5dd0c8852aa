import * as z from 'zod'
import {
  type Actor,
  AppError,
  type Deps,
  defined,
  type ErrorCode,
  isTooDeep,
  type Json,
  malformedAt,
  parseForeign,
} from '#core'
import type { PageFiles } from '../../adapters/files/page-files.ts'
import { jsonFaults } from '../../adapters/json-in.ts'
import { isAllowed, type Right, type RightScope } from '../../rights.ts'

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

export interface Caller {
  readonly actor: Actor
  readonly rights: readonly Right[]
  /** ISO time at which its token ends. */
  readonly expiresAt?: string
}

/** How people get a token for this endpoint. */
interface WayIn {
  readonly issuer: string
  readonly clientId: string
  /** Separated by spaces. */
  readonly scope: string
  /** Where the page asks for tokens, if that is not the origin of the issuer. */
  readonly origins?: readonly string[] | undefined
}

/** A text is sent as it is, anything else as JSON. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly mediaType?: string
  readonly body: unknown
}

export const ok = (body: unknown): Answer => ({ status: 200, body })

/** Only the form of the path and the encoding of the body have been checked. */
interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mediaType: string
  readonly accepted: string
  /** Absent if the route is open. */
  readonly caller?: Caller
  /** Absent if the settings name no client for people. */
  readonly signIn?: WayIn
  /** Absent where nothing has built the web page. */
  readonly page?: PageFiles
  /** The part before `/v1` in the caller's URLs, for links. */
  readonly base: string
  readonly requestId: string
  /** The latest time to return an answer. */
  readonly deadline: Date
}

export interface Input<Params, Query, Headers, Body>
  extends Omit<RawInput, 'params' | 'query' | 'headers' | 'body' | 'caller'> {
  readonly params: Params
  readonly query: Query
  readonly headers: Headers
  readonly body: Body
  readonly text: string
  readonly actor: Actor
  /** What the caller may do; none for an open route. */
  readonly rights: readonly Right[]
  readonly expiresAt?: string
  /** Tells whether the caller may read a workspace. A route that answers several workspaces answers only these. */
  readonly sees: (workspace: string) => boolean
}

export interface AnswerShape {
  readonly description: string
  /** By media type: the shape of a JSON document, or a description of a text. */
  readonly content: Readonly<Record<string, z.ZodType | string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly example?: unknown
}

interface BodyShape<Body = unknown> {
  readonly shape: z.ZodType<Body>
  readonly example: unknown
  /** The body is not parsed: the route verifies a signature over `text` first. */
  readonly isSigned?: true
}

interface Description {
  readonly id: string
  readonly method: Method
  /** With `{name}` for parameters. */
  readonly path: string
  /** `null`: the route is open to everybody. */
  readonly scope: RightScope | null
  readonly summary: string
  readonly description?: string
  readonly answers: Readonly<Record<number, AnswerShape>>
  /** In addition to those that every route can answer. */
  readonly errors: readonly ErrorCode[]
  /** Media types of a successful answer, the preferred one first; JSON when absent. */
  readonly offers?: readonly string[]
  /** The limit of the unpacked text, in bytes. */
  readonly maxBodyBytes?: number
}

interface Shapes {
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly headers: z.ZodObject
  readonly bodies: Readonly<Record<string, BodyShape>>
}

export interface Route extends Description, Shapes {
  readonly serve: (raw: RawInput, deps: Deps) => Promise<Answer>
}

const problemsOf = (where: string, error: z.core.$ZodError): string[] =>
  error.issues.map((issue) => {
    const place = [where, ...issue.path.map(String)].join('.')
    return `${place}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`
  })

const checker = () => {
  const problems: string[] = []
  const check = <Shape extends z.ZodType>(where: string, shape: Shape, value: unknown): z.output<Shape> | undefined => {
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    problems.push(...problemsOf(where, parsed.error))
    return undefined
  }
  return { problems, check }
}

/** Half of a surrogate pair has no UTF-8, so no digest and no entry of the ledger can be made of it. */
const refuseUnstorable = (value: Json): void => {
  if (isTooDeep(value)) throw new AppError('REQUEST_INVALID', { problems: ['body: is nested too deeply'] })
  const malformed = malformedAt(value)
  if (malformed === undefined) return
  const place = ['body', ...malformed.map((step) => String(step).toWellFormed())].join('.')
  throw new AppError('REQUEST_INVALID', { problems: [`${place}: has half of a surrogate pair, which is no text`] })
}

const decode = (raw: RawInput, bodies: Shapes['bodies']): { shape: z.ZodType; value: unknown } | undefined => {
  const types = Object.keys(bodies)
  if (types.length === 0) {
    if (raw.body !== '') throw new AppError('REQUEST_INVALID', { problems: ['body: this request takes none'] })
    return undefined
  }
  // A media type may be called `constructor`.
  const found = Object.hasOwn(bodies, raw.mediaType) ? bodies[raw.mediaType] : undefined
  if (found === undefined) throw new AppError('MEDIA_TYPE_UNSUPPORTED', { found: raw.mediaType, known: types })
  const { shape, isSigned } = found
  if (isSigned) return undefined
  const text = raw.body.replace(/^\ufeff/, '')
  if (raw.mediaType !== 'application/json') return { shape, value: text }
  const parsed = parseForeign(text)
  if ('fault' in parsed) throw new AppError('REQUEST_INVALID', { problems: [`body: ${jsonFaults[parsed.fault]}`] })
  refuseUnstorable(parsed.value as Json)
  return { shape, value: parsed.value }
}

const none = z.strictObject({})
export type None = typeof none
export type NoHeaders = z.ZodObject<Record<never, never>>

/** Omitted parts are not part of the route. */
export type Definition<P extends z.ZodObject, Q extends z.ZodObject, H extends z.ZodObject, B> = Description & {
  readonly params?: P
  readonly query?: Q
  /** Names in lower case; other headers are ignored. */
  readonly headers?: H
  readonly bodies?: Readonly<Record<string, BodyShape<B>>>
  readonly handle: (input: Input<z.output<P>, z.output<Q>, z.output<H>, B>, deps: Deps) => Promise<Answer>
}

const anonymous: Actor = { subject: 'anonymous', via: 'api' }

/** Calls a handler only with values that its shapes accept. */
export const route = <
  P extends z.ZodObject = None,
  Q extends z.ZodObject = None,
  H extends z.ZodObject = NoHeaders,
  B = unknown,
>({
  handle,
  ...definition
}: Definition<P, Q, H, B>): Route => {
  const shapes: Shapes = {
    params: definition.params ?? none,
    query: definition.query ?? none,
    headers: definition.headers ?? z.object({}),
    bodies: definition.bodies ?? {},
  }
  return {
    ...definition,
    ...shapes,
    serve: async (raw, deps) => {
      if (definition.scope !== null && raw.caller === undefined)
        throw new AppError('UNAUTHENTICATED', { detail: 'it carries no token' })
      const { problems, check } = checker()
      const body = decode(raw, shapes.bodies)
      const params = check('path', shapes.params, raw.params)
      const query = check('query', shapes.query, raw.query)
      const headers = check('header', shapes.headers, raw.headers)
      const parsedBody = body === undefined ? undefined : check('body', body.shape, body.value)
      if (problems.length > 0) throw new AppError('REQUEST_INVALID', { problems })
      const { caller, ...rest } = raw
      const rights = caller?.rights ?? []
      const sees = (workspace: string): boolean => isAllowed(rights, 'read', workspace)
      // Without problems the values are what the shapes accept; a part that the route does not have is empty.
      const checked = { params, query, headers, body: parsedBody } as Pick<
        Parameters<typeof handle>[0],
        'params' | 'query' | 'headers' | 'body'
      >
      const who = { actor: caller?.actor ?? anonymous, ...defined({ expiresAt: caller?.expiresAt }) }
      return handle({ ...rest, ...checked, text: raw.body, ...who, rights, sees }, deps)
    },
  }
}
