import { toPointer } from '../../json/pointer.ts'
import type { Json, Path } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { isLiteral, isMark, isReference } from '../../schema/value.ts'

export type Reached =
  | { readonly kind: 'found'; readonly value: Json }
  /** No such member. */
  | { readonly kind: 'missing' }
  /** A secret or a text of several parts: nobody may look inside. */
  | { readonly kind: 'opaque' }

/** One step into a list or mapping that is no mark. */
export const childOf = (value: Json, step: string | number): Json | undefined => {
  if (isArray(value)) return value[Number(step)]
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** The value at a path inside a resolved value. A path into a reference becomes a longer reference. */
export const reach = (value: Json, path: Path): Reached => {
  const [step, ...rest] = path
  if (step === undefined) return { kind: 'found', value }
  if (isReference(value)) return { kind: 'found', value: { ...value, pointer: value.pointer + toPointer(path) } }
  if (isLiteral(value)) return reach(value.$literal, path)
  if (isMark(value)) return { kind: 'opaque' }
  const child = childOf(value, step)
  return child === undefined ? { kind: 'missing' } : reach(child, rest)
}
