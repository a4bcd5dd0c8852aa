import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { description, resolved, type Schema } from '../description/description.ts'

/*
 * What GitHub shows of an object: the facts that the stand-in knows, in the shape of a component of the description. Required
 * members that nobody here needs (the addresses of an object's parts, counters) get a neutral value of the right type.
 */

type Filler = (url: string) => Json
interface Shape {
  readonly properties: ReadonlySet<string>
  readonly fillers: readonly (readonly [string, Filler])[]
}

const longAgo = '2020-01-01T00:00:00Z'

const neutral = (schema: Schema): Json => {
  if (schema['nullable'] === true) return null
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (choices?.some(({ enum: values }) => Array.isArray(values) && values.includes(null))) return null
  const { type, format, enum: values, items } = schema
  if (Array.isArray(values)) return values[0] as Json
  if (type === 'integer' || type === 'number') return 0
  if (type === 'boolean') return false
  if (type === 'array' || items !== undefined) return []
  if (type !== 'string') return memberless(schema)
  return format === 'date-time' ? longAgo : ''
}

const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> => {
  const { allOf = [], properties = {} } = resolved<Schema>(schema)
  const parts = (allOf as readonly Schema[]).map(propertiesOf)
  return Object.assign({}, ...parts, properties) as Readonly<Record<string, Schema>>
}

const requiredOf = (schema: Schema): readonly string[] => {
  const { allOf = [], required = [] } = resolved<Schema>(schema)
  return [...(allOf as readonly Schema[]).flatMap(requiredOf), ...(required as readonly string[])]
}

const memberless = (schema: Schema): JsonObject => {
  const properties = propertiesOf(schema)
  return Object.fromEntries(requiredOf(schema).map((name) => [name, neutral(resolved(properties[name] ?? {}))]))
}

const fillerOf = (name: string, schema: Schema): Filler => {
  const part = /^(.+)_url$/.exec(name)?.[1]
  if (part !== undefined && schema['nullable'] !== true) return (url) => `${url}/${part}`
  const value = neutral(schema)
  return () => value
}

const shapes = new Map<string, Shape>()
const shapeOf = (component: string): Shape => {
  const known = shapes.get(component)
  if (known !== undefined) return known
  const schema = description.components['schemas']?.[component] as Schema
  const properties = propertiesOf(schema)
  const required = [...new Set(requiredOf(schema))]
  const shape = {
    properties: new Set(Object.keys(properties)),
    fillers: required.map((name) => [name, fillerOf(name, resolved(properties[name] ?? {}))] as const),
  }
  shapes.set(component, shape)
  return shape
}

/** Facts that the component does not name are left out; so one set of facts serves the short form and the full one. */
export const shaped = (component: string, facts: Readonly<Record<string, Json | undefined>>): JsonObject => {
  const { properties, fillers } = shapeOf(component)
  const url = typeof facts['url'] === 'string' ? facts['url'] : ''
  const shown: Record<string, Json> = {}
  for (const [name, value] of Object.entries(facts))
    if (value !== undefined && properties.has(name)) shown[name] = value
  for (const [name, fill] of fillers) if (shown[name] === undefined) shown[name] = fill(url)
  return shown
}
