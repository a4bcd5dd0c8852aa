import type { Path } from '../../schema/json.ts'
import type { Schema } from '../description/description.ts'
import { lookInto } from '../description/look-into.ts'
import { elementOf, type Field, isRead, isSentOn, membersOf, readPlace, sentPlace } from '../document/document-view.ts'
import { disagreement, type Findings } from './finding.ts'
import { compareValue } from './value.ts'
import * as words from './words.ts'

/** Attributes as they are read or sent, beside the schema of the response or the request. */
export function* compareFields(fields: readonly Field[], schema: Schema, way: words.Way, call: string): Findings {
  for (const field of fields.filter((one) => (way === 'read' ? isRead(one) : isSentOn(one, way)))) {
    const place = way === 'read' ? readPlace(field) : sentPlace(field)
    const looked = lookInto(schema, place)
    if (looked.kind === 'missing') {
      const members = [...looked.holder.properties().keys()]
      yield disagreement(field.at, words.noMember(call, way, place.join('.'), members), looked.holder.pointer)
    }
    if (looked.kind !== 'found') continue
    const { readOnly, writeOnly, pointer } = looked.schema
    if (way === 'read' ? writeOnly && !field.entry.computed : readOnly)
      yield disagreement(field.at, words.oneWay(call, way, place.join('.')), pointer)
    else yield* compareFound(field, looked.schema, way, call)
  }
}

function* compareFound(field: Field, schema: Schema, way: words.Way, call: string): Findings {
  yield* compareValue(field, schema, way)
  const { entry } = field
  if (entry.as !== undefined) return
  if (entry.type === 'object') yield* compareFields(membersOf(field), schema, way, call)
  const element = elementOf(field)
  const inner = element && (entry.type === 'map' ? schema.additional() : schema.items())
  // An element is compared as a whole: it has no name and no place of its own.
  if (element !== undefined && inner !== undefined)
    yield* compareFields([{ ...element, entry: { ...element.entry, path: '', send: '' } }], inner, way, call)
  if (way === 'create' && entry.attributes !== undefined)
    yield* compareRequired(membersOf(field), schema, { way, call, at: field.at })
}

interface Required {
  readonly way: 'create' | 'update'
  readonly call: string
  readonly at: Path
  /** Members that the body has without an attribute. */
  readonly given?: readonly string[]
}

/** Members that the schema requires and that the attributes do not send, or may leave out. */
export function* compareRequired(
  fields: readonly Field[],
  schema: Schema,
  { way, call, at, given = [] }: Required,
): Findings {
  for (const name of schema.required) {
    const property = schema.properties().get(name)
    if (given.includes(name) || property?.readOnly || property?.default !== undefined) continue
    const givers = fields.filter((field) => isSentOn(field, way) && String(sentPlace(field)[0] ?? name) === name)
    const isSure = givers.some(({ entry }) => entry.required === true || entry.whenUndeclared === 'default')
    const pointer = property?.pointer ?? schema.pointer
    const [giver] = givers
    if (giver === undefined) yield disagreement(at, words.nothingGives(call, name), pointer)
    else if (!isSure && way === 'create') yield disagreement(giver.at, words.notRequired(call, name), pointer)
  }
}
