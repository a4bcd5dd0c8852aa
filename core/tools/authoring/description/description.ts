import type { Json } from '../../../engine/schema/json.ts'
import type { DescriptionNote } from '../../../engine/schema/reports/provider-report.ts'

/* Swagger 2.0, OpenAPI 3.0 and 3.1 in one form. Pointers are RFC 6901, into the description as it was written. */

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'

/** What a value looks like; several schemas that apply at once are merged into one. */
export interface Schema {
  readonly pointer: string
  /** The component that it is, where it has a name. */
  readonly name?: string
  /** Empty: any. Null is in `nullable`. */
  readonly types: readonly JsonType[]
  readonly nullable: boolean
  readonly format?: string
  readonly description?: string
  /** Without null. */
  readonly values?: readonly Json[]
  readonly default?: Json
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly unique: boolean
  /** Members that every object has. */
  readonly required: ReadonlySet<string>
  /** Worked out when it is asked for: schemas hold themselves. */
  readonly properties: () => ReadonlyMap<string, Schema>
  readonly items: () => Schema | undefined
  /** What members without a name of their own are; absent where nothing is said. */
  readonly additional: () => Schema | undefined
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly schema: Schema
}

/** A body in the media type that suits best: JSON where there is one. */
export interface Content {
  readonly pointer: string
  readonly mediaType: string
  readonly isJson: boolean
  readonly schema?: Schema
}

export interface DescribedResponse {
  /** `200`, `2XX` or `default`. */
  readonly status: string
  readonly content?: Content
  /** In lower case. */
  readonly headers: readonly string[]
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface DescribedOperation {
  readonly method: Method
  readonly pointer: string
  readonly parameters: readonly Parameter[]
  readonly body?: Content & { readonly required: boolean }
  readonly answers: readonly DescribedResponse[]
}

export interface DescribedPath {
  /** As it is written, without the base path. */
  readonly path: string
  readonly operations: ReadonlyMap<Method, DescribedOperation>
}

export type SecurityScheme = { readonly name: string } & (
  | { readonly kind: 'header' | 'query' | 'cookie'; readonly parameter: string }
  | { readonly kind: 'basic' | 'bearer' | 'oauth2' | 'other' }
)

export interface Description {
  readonly version: '2.0' | '3.0' | '3.1'
  readonly title: string
  /** Base addresses as written, variables at their defaults; a relative one is a path. */
  readonly servers: readonly string[]
  readonly paths: readonly DescribedPath[]
  /** In the order in which the description asks for them; those that it only declares come last. */
  readonly security: readonly SecurityScheme[]
}

/** A description together with what was odd in it as far as it has been looked at. */
export interface Reading {
  readonly description: Description
  readonly notes: () => readonly DescriptionNote[]
}
