import { variablesOf } from '../../providers/rest/document/template.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'
import type { Schema } from '../description/description.ts'
import { type Field, isSentOn } from '../document/document-view.ts'
import { compareFields, compareRequired } from './fields.ts'
import { disagreement, type Findings, uncompared } from './finding.ts'
import type { Call } from './operation.ts'
import * as words from './words.ts'

export interface BodyParts {
  /** The attributes that `{fields}` stands for. */
  readonly fields: readonly Field[]
  readonly way: 'create' | 'update'
  /** Where findings about the whole body are reported. */
  readonly at: Path
  /** A create or a full write: everything that is required must be there. */
  readonly whole: boolean
}

/** A request body and its template beside the described request. */
export function* compareRequest(call: Call, template: Json | undefined, parts: BodyParts): Findings {
  const { body, pointer } = call.described
  if (body?.schema !== undefined) yield* compareBody(call, template, body.schema, parts)
  else if (body !== undefined || template !== undefined || parts.fields.some((one) => isSentOn(one, parts.way)))
    yield uncompared(parts.at, words.noRequest(call.text), body?.pointer ?? pointer)
}

function* compareBody(call: Call, template: Json | undefined, schema: Schema, parts: BodyParts): Findings {
  const { at, fields, way, whole } = parts
  if (template === undefined || template === '{fields}') {
    yield* compareFields(fields, schema, way, call.text)
    if (whole) yield* compareRequired(fields, schema, { way, at, call: call.text })
  }
  if (!isObject(template)) return
  for (const [member, inner] of Object.entries(template)) {
    const property = schema.properties().get(member) ?? schema.additional()
    if (property !== undefined && holdsFields(inner)) yield* compareBody(call, inner, property, parts)
    const known = [...schema.properties().keys()]
    if (property === undefined && known.length > 0)
      yield disagreement([...at, member], words.noBodyMember(call.text, member, known), schema.pointer)
  }
  if (whole) yield* compareRequired([], schema, { way, at, call: call.text, given: Object.keys(template) })
}

const holdsFields = (template: Json): boolean => variablesOf(template).some(([first]) => first === 'fields')
