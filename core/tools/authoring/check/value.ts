import type { Json } from '../../../engine/schema/json.ts'
import type { Schema } from '../description/description.ts'
import { isOtherDefault } from '../description/look-into.ts'
import type { Field } from '../document/document-view.ts'
import { type Findings, finding } from './finding.ts'
import { say, type Way } from './words.ts'

const jsonForms: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
  object: ['object'],
  map: ['object'],
  list: ['array'],
  set: ['array'],
}

const converting: ReadonlySet<string> = new Set(['number', 'string', 'boolean', 'commaList', 'duration', 'json'])

export function* compareValue(field: Field, schema: Schema, way: Way): Findings {
  yield* compareType(field, schema, way)
  yield* compareValues(field, schema, way)
  yield* compareDefault(field, schema)
}

function* compareType({ name, entry, at }: Field, { types, pointer }: Schema, way: Way): Findings {
  const isConverted = entry.normalise?.some((normaliser) => converting.has(normaliser)) === true
  const isText = entry.as !== undefined
  if (way === 'read' ? isConverted || isText : isConverted && !isText) return
  const own = way !== 'read' && isText ? ['string'] : jsonForms[entry.type]
  if (own !== undefined && types.length > 0 && !types.some((type) => own.includes(type)))
    yield finding([...at, 'type'], say('otherType', name, entry.type, way, types), pointer)
}

/** The document may compare values without their case. */
const spellingOf = ({ normalise = [], compareAs = [] }: Field['entry']): ((value: Json) => string) => {
  const isLoose = [...normalise, ...compareAs].some((one) => one === 'lower' || one === 'upper')
  return (value) => (isLoose ? JSON.stringify(value).toLowerCase() : JSON.stringify(value))
}

/** The server must accept every value of the document; a response may have values that the document cannot write. */
function* compareValues({ name, entry, at }: Field, schema: Schema, way: Way): Findings {
  const { values: described = [], pointer } = schema
  if (entry.values === undefined || described.length === 0) return
  const spell = spellingOf(entry)
  const besides = (values: readonly Json[], others: readonly Json[]): readonly Json[] => {
    const known = new Set(others.map(spell))
    return values.filter((value) => !known.has(spell(value)))
  }
  const unknown = besides(entry.values, described)
  const missed = way === 'read' && !entry.computed ? [] : besides(described, entry.values)
  const path = [...at, 'values']
  if (unknown.length > 0) yield finding(path, say('unknownValues', name, unknown, described), pointer)
  if (missed.length > 0) yield finding(path, say('missedValues', name, missed), pointer)
}

function* compareDefault({ name, entry, at }: Field, { default: described, pointer }: Schema): Findings {
  const own = entry.default
  if (own === undefined || described === undefined || !isOtherDefault(own, described)) return
  yield finding([...at, 'default'], say('otherDefault', name, own, described), pointer)
}
