import type { JsonObject } from '../../../engine/schema/json.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import { allEntries, entriesOf } from '../document/attributes.ts'
import { readOp } from '../document/document.ts'
import type { ResourcePart } from '../document/part.ts'
import { namedInRequests } from '../document/references.ts'
import { variablesOf } from '../document/shared/template.ts'
import type { TypeContext } from '../request/context.ts'

/**
 * Whether the read of a part is left out: nobody desires what it shows or what it is asked for, or what it is needed for is as
 * declared. `observed`: attributes of the parts before it; before a read they count as they are declared.
 */
export const isSpared = (
  context: TypeContext,
  part: ResourcePart,
  desired: JsonObject,
  observed?: JsonObject,
): boolean =>
  lacksDesired(context, part, desired) ||
  isAsDesired(part, desired, observed ?? desired) ||
  (part.ifDeclared === true && isOfOthers(context, part, desired))

/**
 * Whether a read about some attributes needs a part: it shows them, or what they, the requests of the type or the identity
 * depend on.
 */
export const isNeededFor = ({ resource }: TypeContext, part: ResourcePart, only: readonly string[]): boolean => {
  const entries = allEntries(resource)
  const shown = [...only, ...resource.identity.keys, ...namedInRequests(resource)]
  const conditions = shown.flatMap((name) => Object.keys(entries[name]?.appliesWhen ?? {}))
  const needed = new Set([...shown, ...conditions])
  return Object.entries(entriesOf(part)).some(([name, { in: where }]) => where !== 'path' && needed.has(name))
}

/** It asks for a value that nobody declares. */
const lacksDesired = ({ resource }: TypeContext, part: ResourcePart, desired: JsonObject): boolean =>
  variablesOf(resource.operations[readOp(part)]?.path ?? '').some(
    ([first, second]) => first === 'desired' && (desired[String(second)] ?? null) === null,
  )

const isAsDesired = ({ ifDiffers = [] }: ResourcePart, desired: JsonObject, observed: JsonObject): boolean =>
  ifDiffers.length > 0 && ifDiffers.every((name) => isSame(desired[name] ?? null, observed[name] ?? null))

/** A resource that declares nothing but its keys, as in an import, declares nothing of others either. */
const isOfOthers = ({ resource }: TypeContext, part: ResourcePart, desired: JsonObject): boolean => {
  const names = Object.keys(desired).filter((name) => !resource.identity.keys.includes(name))
  return names.length > 0 && !names.some((name) => Object.hasOwn(entriesOf(part), name))
}
