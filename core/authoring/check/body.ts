import { variablesOf } from '../../providers/rest/document/template.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isObject } from '../../schema/json.ts'
import type { Schema } from '../description/description.ts'
import type { Field } from '../document/document-view.ts'
import { type BodyKind, compareRequired, compareSent } from './fields.ts'
import { type Comparison, disagree, nothing, together } from './finding.ts'

export interface BodyParts {
  /** What `{fields}` stands for. */
  readonly fields: readonly Field[]
  readonly kind: BodyKind
  readonly call: string
  /** Where findings on the body as a whole belong. */
  readonly at: Path
  /** Whether everything demanded must be there, as in a create and a full write. */
  readonly whole: boolean
}

const fieldsAlone = '{fields}'

/** A body and its template beside the schema of the request. */
export const compareBody = (template: Json | undefined, schema: Schema, parts: BodyParts): Comparison => {
  if (template === undefined || template === fieldsAlone) return compareAll(schema, parts, [])
  if (!isObject(template)) return nothing
  const members = Object.entries(template).map(([member, inner]) => {
    const property = schema.properties().get(member) ?? schema.additional()
    if (property !== undefined) return holdsFields(inner) ? compareBody(inner, property, parts) : nothing
    return schema.properties().size === 0
      ? nothing
      : disagree(
          [...parts.at, member],
          `"${member}" is sent here and not in what ${parts.call} takes`,
          `there are: ${[...schema.properties().keys()].join(', ')}`,
          schema.pointer,
        )
  })
  const given = Object.keys(template)
  const demanded = parts.whole ? compareRequired([], schema, { ...parts, given }) : nothing
  return together([...members, demanded])
}

const holdsFields = (template: Json): boolean => variablesOf(template).some(([first]) => first === 'fields')

const compareAll = (schema: Schema, parts: BodyParts, given: readonly string[]): Comparison =>
  together([
    compareSent(parts.fields, schema, parts.kind, parts.call),
    parts.whole ? compareRequired(parts.fields, schema, { ...parts, given }) : nothing,
  ])
