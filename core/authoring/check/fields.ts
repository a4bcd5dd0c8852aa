import type { Schema } from '../description/description.ts'
import { lookInto } from '../description/look-into.ts'
import { elementOf, type Field, isRead, isSentOn, membersOf, readPlace, sentPlace } from '../document/document-view.ts'
import { type Comparison, disagree, nothing, together } from './finding.ts'
import { compareValue } from './value.ts'

export type BodyKind = 'create' | 'update'

/** Attributes as they are read, beside the schema of the answer. `call` names the operation for people. */
export const compareRead = (fields: readonly Field[], schema: Schema, call: string): Comparison =>
  together(
    fields.filter(isRead).map((field) => {
      const place = readPlace(field)
      const looked = lookInto(schema, place)
      if (looked.kind === 'untold') return nothing
      if (looked.kind === 'missing') {
        return disagree(
          field.at,
          `"${place.join('.')}" is read here and not in what ${call} answers`,
          membersHint(looked.holder, 'correct `path`, or say writeOnly: true where it is never answered'),
          looked.holder.pointer,
        )
      }
      const inner = looked.schema
      if (inner.writeOnly && !field.entry.computed) {
        return disagree(
          field.at,
          `"${place.join('.')}" is never answered, the description says`,
          'say writeOnly: true',
          inner.pointer,
        )
      }
      return together([
        compareValue(field, inner, 'read'),
        ...insides(field, inner, (some, one) => compareRead(some, one, call)),
      ])
    }),
  )

/** Attributes as they are sent, beside the schema of the request. */
export const compareSent = (fields: readonly Field[], schema: Schema, kind: BodyKind, call: string): Comparison =>
  together(
    fields
      .filter((field) => isSentOn(field, kind))
      .map((field) => {
        const place = sentPlace(field)
        const looked = lookInto(schema, place)
        if (looked.kind === 'untold') return nothing
        if (looked.kind === 'missing') {
          const other = kind === 'create' ? 'update' : 'create'
          return disagree(
            field.at,
            `"${place.join('.')}" is sent here and not in what ${call} takes`,
            membersHint(looked.holder, `correct \`send\`, or say computed: true, immutable: true or sendOn: ${other}`),
            looked.holder.pointer,
          )
        }
        const inner = looked.schema
        if (inner.readOnly) {
          return disagree(
            field.at,
            `"${place.join('.')}" is read-only in the description of ${call}`,
            'say computed: true, if it is',
            inner.pointer,
          )
        }
        return together([
          compareValue(field, inner, 'sent'),
          ...insides(field, inner, (some, one) => compareSent(some, one, kind, call)),
          kind === 'create' && field.entry.attributes !== undefined && field.entry.as === undefined
            ? compareRequired(membersOf(field), inner, { kind, call, at: field.at })
            : nothing,
        ])
      }),
  )

const insides = (
  field: Field,
  schema: Schema,
  compare: (fields: readonly Field[], schema: Schema) => Comparison,
): readonly Comparison[] => {
  if (field.entry.as !== undefined) return []
  const element = elementOf(field)
  const inner = element && (field.entry.type === 'map' ? schema.additional() : schema.items())
  return [
    ...(field.entry.type === 'object' ? [compare(membersOf(field), schema)] : []),
    // An element is compared as a whole: it has no name of its own, and no place but itself.
    ...(element === undefined || inner === undefined
      ? []
      : [compare([{ ...element, entry: { ...element.entry, path: '', send: '' } }], inner)]),
  ]
}

const membersHint = (holder: Schema, fix: string): string => {
  const names = [...holder.properties().keys()]
  if (names.length === 0) return fix
  const shown = names.length > 12 ? `${names.slice(0, 12).join(', ')}, ...` : names.join(', ')
  return `${fix}; there are: ${shown}`
}

/** Fields that every request of the kind must hold and that the attributes do not give, or need not. */
export const compareRequired = (
  fields: readonly Field[],
  schema: Schema,
  {
    kind,
    call,
    at,
    given = [],
  }: { readonly kind: BodyKind; readonly call: string; readonly at: Field['at']; readonly given?: readonly string[] },
): Comparison => {
  const demanded = [...schema.required].filter((name) => {
    const property = schema.properties().get(name)
    return !given.includes(name) && property?.readOnly !== true && property?.default === undefined
  })
  return together(
    demanded.map((name) => {
      const givers = fields.filter((field) => isSentOn(field, kind) && String(sentPlace(field)[0] ?? name) === name)
      const pointer = schema.properties().get(name)?.pointer ?? schema.pointer
      if (givers.length === 0) {
        return disagree(
          at,
          `${call} demands "${name}", which nothing here gives`,
          `add an attribute, or a constant to the body`,
          pointer,
        )
      }
      const sure = givers.some(({ entry }) => entry.required === true || entry.whenUndeclared === 'default')
      const [giver] = givers
      return sure || kind === 'update' || giver === undefined
        ? nothing
        : disagree(giver.at, `${call} demands "${name}", which may be left out here`, 'say required: true', pointer)
    }),
  )
}
