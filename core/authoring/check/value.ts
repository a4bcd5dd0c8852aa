import type { Json } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import type { Schema } from '../description/description.ts'
import type { Field } from '../document/document-view.ts'
import { type Comparison, disagree, nothing, together } from './finding.ts'

const jsonForms: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
  object: ['object'],
  map: ['object'],
  list: ['array'],
  set: ['array'],
}

/** Normalisers that bring one JSON type to another. */
const converting: ReadonlySet<string> = new Set(['number', 'string', 'boolean', 'commaList', 'duration', 'json'])

const quoted = (values: readonly Json[]): string => values.map((value) => JSON.stringify(value)).join(', ')

/** Type, values and default of an attribute beside what the description says of them. */
export const compareValue = (field: Field, schema: Schema, way: 'read' | 'sent'): Comparison =>
  together([compareType(field, schema, way), compareValues(field, schema, way), compareDefault(field, schema)])

const compareType = ({ name, entry, at }: Field, schema: Schema, way: 'read' | 'sent'): Comparison => {
  const converts = entry.normalise?.some((normaliser) => converting.has(normaliser)) === true
  if (way === 'read' ? converts || entry.as !== undefined : converts && entry.as === undefined) return nothing
  const wanted = way === 'sent' && entry.as !== undefined ? ['string'] : jsonForms[entry.type]
  if (wanted === undefined || schema.types.length === 0 || schema.types.some((type) => wanted.includes(type))) {
    return nothing
  }
  const described = schema.types.join(' or ')
  const fix =
    way === 'sent'
      ? `make it the type that is sent, or say how it is written with \`as\``
      : `make it the type that is read, or bring it to the other with \`normalise\``
  return disagree(
    [...at, 'type'],
    `"${name}" is ${entry.type} here; ${way}, the description says, as ${described}`,
    fix,
    schema.pointer,
  )
}

/** Values are compared without their case where the document does not care for it. */
const spellingOf = ({ entry }: Field): ((value: Json) => string) => {
  const loose = [...(entry.normalise ?? []), ...(entry.compareAs ?? [])].some(
    (one) => one === 'lower' || one === 'upper',
  )
  return (value) => (loose ? JSON.stringify(value).toLowerCase() : JSON.stringify(value))
}

/** What is written must be taken; more may be read than can be written. */
const compareValues = (field: Field, schema: Schema, way: 'read' | 'sent'): Comparison => {
  const { name, entry, at } = field
  if (entry.values === undefined || schema.values === undefined || schema.values.length === 0) return nothing
  const spell = spellingOf(field)
  const [here, there] = [entry.values, schema.values].map((values) => new Set(values.map(spell)))
  const besides = entry.values.filter((value) => !there?.has(spell(value)))
  const lacking = schema.values.filter((value) => !here?.has(spell(value)))
  return together([
    besides.length === 0
      ? nothing
      : disagree(
          [...at, 'values'],
          `"${name}" may be ${quoted(besides)} here and not in the description`,
          `it has: ${quoted(schema.values)}`,
          schema.pointer,
        ),
    lacking.length === 0 || (way === 'read' && !entry.computed)
      ? nothing
      : disagree(
          [...at, 'values'],
          `"${name}" may be ${quoted(lacking)} in the description and not here`,
          'add them, if the server takes them',
          schema.pointer,
        ),
  ])
}

const compareDefault = ({ name, entry, at }: Field, schema: Schema): Comparison => {
  const described = schema.default
  if (entry.default === undefined || described === undefined || isDeep(entry.default) || isDeep(described))
    return nothing
  if (entry.default === described || (described === null && isEmpty(entry.default))) return nothing
  return disagree(
    [...at, 'default'],
    `the default of "${name}" is ${JSON.stringify(entry.default)} here and ${JSON.stringify(described)} in the description`,
    'look at what the server answers for an object that was made without it',
    schema.pointer,
  )
}

const isDeep = (value: Json): boolean => isArray(value) || isObject(value)
const isEmpty = (value: Json): boolean => value === null || value === '' || value === false || value === 0
