import type { Json } from '../../../engine/schema/json.ts'
import type { DescriptionNote } from '../../../engine/schema/reports/provider-report.ts'

/* One form for Swagger 2.0, OpenAPI 3.0 and 3.1. Pointers are RFC 6901, into the original description. */

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'

/** The shape of a value; several schemas that apply together are merged into one. */
export interface Schema {
  readonly pointer: string
  /** The name of the component, if it has one. */
  readonly name?: string
  /** Empty: any type. Null is in `nullable`. */
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
  readonly required: ReadonlySet<string>
  /** Computed when first called: schemas may contain themselves. */
  readonly properties: () => ReadonlyMap<string, Schema>
  readonly items: () => Schema | undefined
  /** The schema of members that are not named; absent if the description has none. */
  readonly additional: () => Schema | undefined
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly schema: Schema
}

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
  /** Base URLs as written, with the defaults of their variables; a relative one is a path. */
  readonly servers: readonly string[]
  readonly paths: readonly DescribedPath[]
  /** In the order in which the description requires them; those that are only declared come last. */
  readonly security: readonly SecurityScheme[]
}

export interface Reading {
  readonly description: Description
  readonly notes: () => readonly DescriptionNote[]
}
