import { AppError } from '../../../engine/errors/errors.ts'
import type { ProviderInput, ProviderSocket, ProviderTls, ReadDeps } from '../../../engine/provider/provider.ts'
import type { Neighbour } from '../../../engine/provider/references.ts'
import type { Auth } from '../../../engine/schema/auth.ts'
import type { PlannedRequest, Response } from '../../../engine/schema/command.ts'
import type { Diagnostic } from '../../../engine/schema/issue.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { Way } from '../document/api/auth.ts'
import type { RestSettings } from '../document/api/provider.ts'
import { allEntries } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { callerKey } from '../document/me.ts'
import { isRead, type Operation } from '../document/operation/operation.ts'
import type { ResolverEntry } from '../document/refs.ts'
import { fill, type Scope, scopeOf } from '../document/shared/template.ts'
import { type BuiltUrl, buildUrl } from './build-url.ts'
import { encodeNames } from './encode.ts'
import { noOperation } from './words.ts'

/** A provider document with what a workspace gave under `with`. */
export interface RestContext {
  readonly settings: RestSettings
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Where GraphQL operations go. */
  readonly graphqlUrl?: string
  readonly auth?: Auth
  /** Where the document describes `auth`. */
  readonly way?: Way
  readonly tls?: ProviderTls
  readonly socket?: ProviderSocket
  /** What the workspace gives under `with`, with the defaults of the document. */
  readonly inputs: JsonObject
  /** Path variables that are the same for every resource. */
  readonly params: JsonObject
  /** The objects behind the references of one resource, by attribute. */
  readonly refs?: JsonObject
  /** Who the caller is; of a record, who it was. */
  readonly me?: JsonObject
  /** The resources that values may refer to by name. */
  readonly neighbours?: readonly Neighbour[]
}

/** The input for configuring a part of a provider. */
export interface Configuration {
  readonly scope: Scope
  readonly baseUrl: string
  readonly input: Pick<ProviderInput, 'files' | 'folder'>
  /** Notes why the provider cannot be configured. */
  /** `input`: the member of `with` that it is about. */
  refuse(refusal: Diagnostic, input?: string): undefined
}

export interface TypeContext extends RestContext {
  readonly name: string
  readonly resource: RestResource
  /** All types and resolvers of the document, for references. */
  readonly types?: Readonly<Record<string, RestResource>>
  readonly resolvers?: Readonly<Record<string, ResolverEntry>>
  /** The values that show that an object belongs to the caller, by place. */
  readonly owned?: JsonObject
}

/** A type, and the way to ask about its objects. */
export interface ReadContext extends TypeContext, ReadDeps {
  /** The answer of an operation as lists of many objects show it; `undefined`: they do not, and it is asked. */
  readonly bulk?: (
    context: ReadContext,
    op: string,
    scope: Scope,
  ) => Promise<{ readonly kind: 'answer'; readonly response: Response } | undefined>
}

/** An operation that the document names. The check of the document has verified that it exists. */
export const operationOf = ({ name, resource }: TypeContext, op: string): Operation => {
  const operation = resource.operations[op]
  if (operation === undefined) throw new AppError('INTERNAL', { detail: noOperation(name, op) })
  return operation
}

/** The same for another type of the document; `undefined` where there is none of that name. */
export const contextOf = <Of extends TypeContext>(context: Of, name: string | undefined): Of | undefined => {
  const { types = {} } = context
  // A type may be called "constructor".
  const resource = name !== undefined && Object.hasOwn(types, name) ? types[name] : undefined
  return name === undefined || resource === undefined ? undefined : { ...context, name, resource }
}

/** The context of one resource. */
export const withRefs = <Of extends TypeContext>(context: Of, refs: JsonObject | undefined): Of =>
  refs === undefined ? context : { ...context, refs, ...defined({ me: callerIn(refs) ?? context.me }) }

/** Who the caller was when references were resolved. */
export const callerIn = (refs: JsonObject | undefined): JsonObject | undefined => {
  const me = refs?.[callerKey]
  return me !== undefined && isObject(me) ? me : undefined
}

/** Variables that name an object: its own attributes, its server ids, constants. Ids win over attributes. */
export const objectScope = (
  { refs = {}, params, inputs, resource, me }: TypeContext,
  attributes: JsonObject,
  ids: JsonObject,
  more: JsonObject = {},
): Scope =>
  scopeOf({
    refs,
    ...encodeNames(allEntries(resource), attributes),
    ...params,
    ...ids,
    ...more,
    with: inputs,
    ...defined({ me }),
  })

export type BuiltRequest =
  | { readonly ok: true; readonly request: PlannedRequest }
  | Extract<BuiltUrl, { readonly ok: false }>

export const placeOf = ({ baseUrl, graphqlUrl }: RestContext, { path, graphql }: Operation) =>
  graphql === true ? { baseUrl: graphqlUrl ?? baseUrl, path: '' } : { baseUrl, path }

/** A header whose setting is not given is not sent. */
const givenHeaders = (headers: Readonly<Record<string, string>>, inputs: JsonObject): Record<string, string> => {
  const filled = Object.entries(headers).map(([name, text]) => [name, fill(text, scopeOf({ with: inputs }))] as const)
  return Object.fromEntries(filled.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
}

export const buildRequest = (
  context: RestContext,
  operation: Operation,
  scope: Scope,
  more: {
    readonly query?: Readonly<Record<string, Json>>
    readonly body?: Json
    /** What the body is, where the operation itself says nothing. */
    readonly contentType?: string
  } = {},
): BuiltRequest => {
  const { settings, socket, auth } = context
  const { method } = operation
  const { baseUrl, path } = placeOf(context, operation)
  const { body, contentType = 'application/json' } = more
  const query = { ...operation.query, ...more.query }
  const built = buildUrl(
    { baseUrl, path, query, encoding: settings.encodePath, ...defined({ escapes: operation.escape }) },
    scope,
  )
  if (!built.ok) return built
  const type = body === undefined ? {} : { 'Content-Type': operation.contentType ?? contentType }
  const own = givenHeaders({ ...settings.headers, ...operation.headers }, context.inputs)
  const headers = { Accept: 'application/json', ...type, ...own }
  const effect = isRead(operation) ? 'read' : 'write'
  const optional = defined({ socket: socket?.path, body, auth })
  return { ok: true, request: { method, url: built.url, effect, headers, ...optional } }
}
