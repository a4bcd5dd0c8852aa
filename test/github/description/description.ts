import { readFileSync } from 'node:fs'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'

/** The extract of GitHub's official description (extract.mjs makes it), in the form that Ajv accepts. */

export interface Schema extends JsonObject {
  readonly [keyword: string]: Json
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>
  readonly category?: string
  readonly subcategory?: string
}

interface Description {
  readonly info: { readonly source: string; readonly license: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** What stands below these keywords has names of its own; a property may be called `default`. */
const named = new Set(['properties', 'patternProperties', 'schemas', 'parameters', 'responses'])
const applicators = ['allOf', 'anyOf', 'oneOf', '$ref', 'enum', 'properties']

/**
 * OpenAPI 3.0 says `nullable: true` where JSON Schema has a type `null`. Ajv knows the keyword only beside `type`, and an `enum`
 * beside it must name null itself.
 */
const forAjv = (value: unknown, inNames = false): unknown => {
  if (Array.isArray(value)) return value.map((each) => forAjv(each))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) =>
    !inNames && (key === 'enum' || key === 'default') ? [key, each] : [key, forAjv(each, !inNames && named.has(key))],
  )
  const fixed = Object.fromEntries(entries) as Record<string, unknown>
  if (inNames || fixed['nullable'] !== true) return fixed
  if (fixed['type'] === undefined) {
    const { nullable, ...rest } = fixed
    return applicators.some((keyword) => keyword in rest) ? { anyOf: [rest, { enum: [null] }] } : rest
  }
  const values = fixed['enum']
  return Array.isArray(values) && !values.includes(null) ? { ...fixed, enum: [...values, null] } : fixed
}

const text = readFileSync(new URL('github.json', import.meta.url), 'utf8')
export const description = forAjv(JSON.parse(text)) as Description

/** What `#/components/<group>/<name>` stands for, and every reference behind it. */
export const resolved = <T>(value: T | { readonly $ref: string }): T => {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T
  const [, , group = '', name = ''] = String(value.$ref).split('/')
  return resolved(description.components[group]?.[name] as T)
}

export const jsonSchemaOf = ({ content = {} }: Content): Schema | undefined =>
  Object.entries(content).find(([type]) => type.includes('json'))?.[1].schema
