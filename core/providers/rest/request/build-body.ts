import { mapValue, toPointer } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { isConcat, isMark, isSealed } from '../../../engine/schema/value.ts'
import { isSealedAsRead } from '../../../engine/transport/secrets/sealed-as-read.ts'
import { partsOf } from '../../../engine/values/marks/marks.ts'
import type { Operation } from '../document/operation/operation.ts'
import { fillWhole, type Scope, scopeOf } from '../document/shared/template.ts'

/** The body of a write: the template of the document, with `{fields}` for the attributes, or only the attributes. */
export const buildBody = (
  operation: Operation,
  template: Json | undefined,
  fields: Json,
  scope: Scope,
): Json | undefined => {
  const chosen = template ?? operation.body
  if (chosen === undefined) return fields
  return chosen === 'none' ? undefined : fillWhole(chosen, within(scope, { fields }), operation.escape)
}

/** For a write without attributes: the body of the operation, if it has one. */
export const plainBody = (operation: Operation, scope: Scope): Json | undefined =>
  operation.body === undefined ? undefined : buildBody(operation, undefined, {}, scope)

/** A scope with more variables in front. */
export const within = (outer: Scope, more: JsonObject): Scope => {
  const inner = scopeOf(more)
  return (path, isWhole) => (Object.hasOwn(more, path[0] ?? '') ? inner(path) : outer(path, isWhole))
}

export const holdsSealed = (value: Json): boolean => partsOf(value).some(isSealed)

/**
 * Sensitive values that must be sent again although they do not change: references to the read right before the write, with
 * the digest that it must still have.
 */
export const withLiveSecrets = (value: Json, before: JsonObject, address: string): Json =>
  mapValue(value, (inner) => {
    if (isConcat(inner))
      return { ...inner, $concat: inner.$concat.map((part) => withLiveSecrets(part, before, address)) }
    if (!isSealed(inner)) return isMark(inner) ? inner : undefined
    if (isSealedAsRead(inner)) return { $secret: `live:${address}#${inner.asRead.at}`, digest: inner.asRead.digest }
    const path = pathOfSealed(before, inner.$sealed, [])
    return path === undefined ? inner : { $secret: `live:${address}#${toPointer(path)}`, digest: inner.$sealed }
  })

const pathOfSealed = (value: Json, sealed: string, path: Path): Path | undefined => {
  if (isSealed(value)) return value.$sealed === sealed ? path : undefined
  if (isMark(value) || (!isArray(value) && !isObject(value))) return undefined
  const steps: [string | number, Json][] = isArray(value) ? [...value.entries()] : Object.entries(value)
  for (const [step, child] of steps) {
    const found = pathOfSealed(child, sealed, [...path, step])
    if (found !== undefined) return found
  }
  return undefined
}
