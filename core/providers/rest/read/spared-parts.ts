import type { JsonObject } from '../../../engine/schema/json.ts'
import { isSame } from '../../../engine/transport/answer/answer-errors.ts'
import { entriesOf } from '../document/attributes.ts'
import { readOp } from '../document/document.ts'
import type { ResourcePart } from '../document/part.ts'
import { variablesOf } from '../document/template.ts'
import type { TypeContext } from '../request/context.ts'

/**
 * Whether the read of a part is left out: nobody declares what it shows, or what it is asked for, or what it is needed for is as
 * declared. `seen`: attributes of the parts before it; before a read they count as they are declared.
 */
export const isSpared = (context: TypeContext, part: ResourcePart, declared: JsonObject, seen?: JsonObject): boolean =>
  lacksDesired(context, part, declared) ||
  isAsDeclared(part, declared, seen ?? declared) ||
  (part.ifDeclared === true && isOfOthers(context, part, declared))

/** It asks for a value that nobody declares. */
const lacksDesired = ({ resource }: TypeContext, part: ResourcePart, declared: JsonObject): boolean =>
  variablesOf(resource.operations[readOp(part)]?.path ?? '').some(
    ([first, second]) => first === 'desired' && (declared[String(second)] ?? null) === null,
  )

const isAsDeclared = ({ ifDiffers = [] }: ResourcePart, declared: JsonObject, seen: JsonObject): boolean =>
  ifDiffers.length > 0 && ifDiffers.every((name) => isSame(declared[name] ?? null, seen[name] ?? null))

/** A resource that declares nothing but its keys, as in an import, declares nothing of others either. */
const isOfOthers = ({ resource }: TypeContext, part: ResourcePart, declared: JsonObject): boolean => {
  const names = Object.keys(declared).filter((name) => !resource.identity.keys.includes(name))
  return names.length > 0 && !names.some((name) => Object.hasOwn(entriesOf(part), name))
}
