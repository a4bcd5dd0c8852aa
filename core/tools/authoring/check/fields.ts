import { isArray, isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import { partsOf, variablesOf } from '../../../providers/rest/document/shared/template.ts'
import type { Schema } from '../description/description.ts'
import { lookInto } from '../description/look-into.ts'
import { elementOf, type Field, isRead, isSentOn, membersOf, readPlace, sentPlace } from '../document/document-view.ts'
import { type Findings, finding } from './finding.ts'
import type { ComparedCall } from './operation.ts'
import { compareValue } from './value.ts'
import { noRequest, say, type Way } from './words.ts'

export function* compareFields(fields: readonly Field[], schema: Schema, way: Way, call: string): Findings {
  for (const field of fields.filter((one) => (way === 'read' ? isRead(one) : isSentOn(one, way)))) {
    const place = way === 'read' ? readPlace(field) : sentPlace(field)
    const looked = lookInto(schema, place)
    if (looked.kind === 'missing') {
      const members = [...looked.holder.properties().keys()]
      const missing =
        way === 'read'
          ? say('notRead', call, place.join('.'), members)
          : say('notSent', call, way, place.join('.'), members)
      yield finding(field.at, missing, looked.holder.pointer)
    }
    if (looked.kind !== 'found') continue
    const { readOnly, writeOnly, pointer } = looked.schema
    const isOneWay = way === 'read' ? writeOnly && !field.entry.computed : readOnly
    const code = way === 'read' ? 'writeOnly' : 'readOnly'
    if (way === 'create' && isUndecided(field, looked.schema))
      yield finding(field.at, say('nullUndecided', call, place.join('.')), pointer)
    if (isOneWay) yield finding(field.at, say(code, call, place.join('.')), pointer)
    else yield* compareFound(field, looked.schema, way, call)
  }
}

/** Null and an empty list may differ (nobody, everybody), and then it matters what a create does with a declared null. */
const isUndecided = ({ entry }: Field, { nullable }: Schema): boolean =>
  nullable &&
  ['list', 'set', 'map'].includes(entry.type) &&
  !entry.required &&
  [entry.clearAs, entry.default, entry.nullMeans, entry.leftOut, entry.missing].every((fact) => fact === undefined)

function* compareFound(field: Field, schema: Schema, way: Way, call: string): Findings {
  yield* compareValue(field, schema, way)
  const { entry } = field
  if (entry.as !== undefined) return
  if (entry.type === 'object') yield* compareFields(membersOf(field), schema, way, call)
  const elements = wholeElementOf(field)
  const inner = entry.type === 'map' ? schema.additional() : schema.items()
  if (inner !== undefined) yield* compareFields(elements, inner, way, call)
  if (way === 'create' && entry.attributes !== undefined)
    yield* compareRequired(membersOf(field), schema, { way, call, at: field.at })
}

/** An element is compared as a whole: it has no name and no place of its own. */
export const wholeElementOf = (field: Field): readonly Field[] => {
  const element = elementOf(field)
  return element === undefined ? [] : [{ ...element, entry: { ...element.entry, path: '', send: '' } }]
}

interface Required {
  readonly way: 'create' | 'update'
  readonly call: string
  readonly at: Path
  readonly given?: readonly string[]
}

function* compareRequired(fields: readonly Field[], schema: Schema, { way, call, at, given = [] }: Required): Findings {
  for (const name of schema.required) {
    const property = schema.properties().get(name)
    if (given.includes(name) || property?.readOnly || property?.default !== undefined) continue
    const givers = fields.filter((field) => isSentOn(field, way) && String(sentPlace(field)[0] ?? name) === name)
    const isSure = givers.some(({ entry }) => entry.required === true || entry.whenUndeclared === 'default')
    const pointer = property?.pointer ?? schema.pointer
    const [giver] = givers
    if (giver === undefined) yield finding(at, say('nothingGives', call, name), pointer)
    else if (!isSure && way === 'create') yield finding(giver.at, say('notRequired', call, name), pointer)
  }
}

interface BodyParts {
  /** The attributes that replace `{fields}`. */
  readonly fields: readonly Field[]
  readonly way: 'create' | 'update'
  readonly at: Path
  /** True for a create or a full write: every required member must be present. */
  readonly whole: boolean
  /** Returns the attribute that another variable of the body is replaced with. */
  readonly fieldAt?: (variable: Path) => Field | undefined
}

export function* compareRequest(call: ComparedCall, template: Json | undefined, parts: BodyParts): Findings {
  const { body, pointer } = call.described
  if (body?.schema !== undefined) yield* compareBody(call, template, body.schema, parts)
  else if (body !== undefined || template !== undefined || parts.fields.some((one) => isSentOn(one, parts.way)))
    yield finding(parts.at, noRequest(call.text), body?.pointer ?? pointer)
}

function* compareBody(call: ComparedCall, template: Json | undefined, schema: Schema, parts: BodyParts): Findings {
  const { at, fields, way, whole } = parts
  if (template === undefined || template === '{fields}') {
    yield* compareFields(fields, schema, way, call.text)
    if (whole) yield* compareRequired(fields, schema, { way, at, call: call.text })
  }
  if (!isObject(template)) yield* compareValueOf(call, template, schema, parts)
  if (!isObject(template)) return
  for (const [member, inner] of Object.entries(template)) {
    const property = schema.properties().get(member) ?? schema.additional()
    if (property !== undefined && holdsFields(inner)) yield* compareBody(call, inner, property, parts)
    else if (property !== undefined) yield* compareInner(call, inner, property, { ...parts, at: [...at, member] })
    const known = [...schema.properties().keys()]
    if (property === undefined && known.length > 0)
      yield finding([...at, member], say('noBodyMember', call.text, member, known), schema.pointer)
  }
  if (whole) yield* compareRequired([], schema, { way, at, call: call.text, given: Object.keys(template) })
}

/** Compares inner parts of a body: their required members cannot come from the attributes. */
function* compareInner(call: ComparedCall, template: Json, schema: Schema, parts: BodyParts): Findings {
  if (isObject(template)) yield* compareBody(call, template, schema, { ...parts, whole: false })
  else if (isArray(template)) {
    const items = schema.items()
    for (const [index, each] of template.entries())
      if (items !== undefined) yield* compareInner(call, each, items, { ...parts, at: [...parts.at, index] })
  } else yield* compareValueOf(call, template, schema, parts)
}

function* compareValueOf(
  call: ComparedCall,
  template: Json | undefined,
  schema: Schema,
  { fieldAt, way }: BodyParts,
): Findings {
  const [only, ...others] = typeof template === 'string' ? partsOf(template) : []
  if (only === undefined || others.length > 0 || !('variable' in only)) return
  const field = fieldAt?.(only.variable)
  // A reference is sent as the value that it refers to, so the types differ.
  if (field !== undefined && field.entry.ref === undefined) yield* compareFound(field, schema, way, call.text)
}

const holdsFields = (template: Json): boolean => variablesOf(template).some(([first]) => first === 'fields')
