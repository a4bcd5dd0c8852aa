import type { CommandDraft, Request } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { type Entries, entriesOf } from './attributes.ts'
import { buildBody, holdsSealed, within } from './build-body.ts'
import type { Part } from './document.ts'
import { type Building, draftOf, inverseOf, operationOf, writeRequest } from './draft.ts'
import { encodeAll } from './encode.ts'
import type { Scope } from './template.ts'

export interface PartWrite {
  readonly before: JsonObject
  readonly after: JsonObject
  /** The attributes that differ. */
  readonly names: readonly string[]
  readonly scope: Scope
}

/** The write of a part's attributes; none where the document gives the part no write. */
export const partCommand = (building: Building, part: Part, write: PartWrite): readonly CommandDraft[] => {
  const operation = part.write && operationOf(building, part.write.op)
  if (part.write === undefined || operation === undefined) return []
  const { before, after, names, scope } = write
  const entries = entriesOf(part)
  const request = (values: JsonObject): Request => {
    const chosen = valuesToSend(part, entries, values, names)
    const inner = within(scope, { desired: values })
    return writeRequest(
      building,
      operation,
      inner,
      buildBody(operation, part.write?.body, encodeAll(entries, chosen, 'update'), inner),
    )
  }
  const isKnown = names.every((name) => {
    const value = before[name]
    return !entries[name]?.writeOnly && value !== undefined && !holdsSealed(value)
  })
  const inverse = isKnown ? inverseOf(() => request(before)) : undefined
  return [
    draftOf({
      action: 'update',
      description: `set ${names.join(', ')}`,
      operation,
      request: request(after),
      grade: inverse === undefined ? 'lossy' : 'reversible',
      inverse,
    }),
  ]
}

/** `changed`: what differs. `full`: everything, because what is left out would be reset. */
const valuesToSend = (part: Part, entries: Entries, values: JsonObject, names: readonly string[]): JsonObject => {
  const sent = Object.keys(entries).filter((name) => {
    if (names.includes(name)) return true
    return part.write?.send === 'full' && name !== part.collection?.field && !entries[name]?.writeOnly
  })
  return Object.fromEntries(
    sent.flatMap((name): [string, Json][] => {
      const value = values[name] ?? (names.includes(name) ? null : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** What nobody can read stands in the configuration alone. */
export const writeOnlyValues = (entries: Entries, desired: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = desired[name]
      return entries[name]?.writeOnly && value !== undefined ? [[name, value]] : []
    }),
  )
