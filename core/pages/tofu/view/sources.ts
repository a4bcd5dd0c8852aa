import { isArray, isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import { isMark, isReference, isSensitive } from '../../../engine/schema/value.ts'
import { mapMembers } from '../../../engine/values/members.ts'
import { elementsOf, isList, isMap, memberOf, textOf, type Value } from '../read/value.ts'

export interface ValueSource {
  readonly path: Path
  readonly references: readonly string[]
}

interface Explained {
  readonly value: Json | undefined
  readonly sources: readonly ValueSource[]
}

/** The value; each unknown mark names its source, as far as the configuration shows it. */
export const explainUnknown = (value: Json | undefined, expressions: Value | undefined): Explained => {
  if (value === undefined || expressions === undefined) return { value, sources: [] }
  const sources: ValueSource[] = []
  const walk = (inner: Json, path: Path): Json => {
    if (isSensitive(inner)) return inner
    if (isReference(inner)) {
      const references = referencesAt(expressions, path)
      const [first] = references
      if (first === undefined) return inner
      sources.push({ path, references })
      return { ...inner, $ref: first }
    }
    if (isArray(inner)) return inner.map((element, index) => walk(element, [...path, index]))
    if (!isObject(inner) || isMark(inner)) return inner
    return mapMembers(inner, (member, name) => walk(member, [...path, name]))
  }
  return { value: walk(value, []), sources }
}

/**
 * What the configuration refers to at a path, the most exact of each only. Blocks are lists of expressions there; one
 * that a rule writes many times stands once.
 */
const referencesAt = (expressions: Value | undefined, path: Path): readonly string[] => {
  let found = [expressions]
  for (const step of path) {
    if (found.some(isExpression)) break
    found = found.flatMap((inner) => stepInto(inner, step))
  }
  const references = new Set(found.flatMap((inner) => elementsOf(memberOf(inner, 'references')).flatMap(textsOf)))
  return [...references].filter((name) => ![...references].some((other) => isPart(name, other)))
}

const textsOf = (value: Value): readonly string[] => {
  const text = textOf(value)
  return text === undefined ? [] : [text]
}

const isExpression = (value: Value | undefined): boolean => isList(memberOf(value, 'references'))

const stepInto = (value: Value | undefined, step: string | number): readonly (Value | undefined)[] => {
  if (isList(value)) return typeof step === 'number' && step < value.length ? [value[step]] : value
  return isMap(value) && typeof step === 'string' ? [value.get(step)] : []
}

/** `a.b.c` already includes `a.b`. */
const isPart = (name: string, other: string): boolean =>
  other.length > name.length && other.startsWith(name) && /^[.[]/.test(other.slice(name.length))
