import { isArray, isObject, type Json, type Path } from '../../../schema/json.ts'
import { isMark, isSensitive } from '../../../schema/value.ts'
import { defined } from '../../../values/defined.ts'

/**
 * What the configuration says about a path: a secret, members, or one common shape for all elements, because elements
 * cannot be matched yet.
 */
export interface DeclaredShape {
  readonly isSecret?: boolean
  /** Declared as a list, which is compared as a whole. */
  readonly isList?: boolean
  /** Read by a reference. */
  readonly isNamed?: boolean
  readonly members?: ReadonlyMap<string, DeclaredShape>
  readonly element?: DeclaredShape
}

export const shapeOf = (value: Json): DeclaredShape => {
  if (isSensitive(value)) return { isSecret: true }
  if (isMark(value)) return {}
  if (isArray(value)) return { isList: true, element: value.map(shapeOf).reduce(mergeShapes, {}) }
  if (!isObject(value)) return {}
  return { members: new Map(Object.entries(value).map(([member, inner]) => [member, shapeOf(inner)])) }
}

/** A step may be the index of an element or the name of a member. */
export const shapeAlong = ([step, ...rest]: Path): DeclaredShape => {
  if (step === undefined) return { isNamed: true }
  const inner = shapeAlong(rest)
  return { members: new Map([[String(step), inner]]), element: inner }
}

export const mergeShapes = (left: DeclaredShape, right: DeclaredShape): DeclaredShape => {
  const members = new Map(left.members)
  for (const [member, shape] of right.members ?? []) members.set(member, mergeShapes(members.get(member) ?? {}, shape))
  return defined({
    isSecret: left.isSecret || right.isSecret,
    isList: left.isList || right.isList,
    isNamed: left.isNamed || right.isNamed,
    members: members.size === 0 ? undefined : members,
    element: left.element && right.element ? mergeShapes(left.element, right.element) : (left.element ?? right.element),
  })
}

/** A reference to a whole object names none of its members: the object is passed on as one value. */
export const isForeign = (value: Json, shape: DeclaredShape | undefined): boolean =>
  shape === undefined || (isNamedAlone(shape) && holdsObject(value))

export const isNamedAlone = (shape: DeclaredShape | undefined): boolean =>
  shape?.isNamed === true && !shape.isList && shape.members === undefined

const holdsObject = (value: Json): boolean => (isArray(value) ? value.some(holdsObject) : isObject(value))

export const hasSecret = (shape: DeclaredShape | undefined): boolean =>
  shape !== undefined &&
  (shape.isSecret === true || hasSecret(shape.element) || [...(shape.members?.values() ?? [])].some(hasSecret))
