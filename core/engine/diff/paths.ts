import { memberOf } from '../json/pointer.ts'
import type { Attribute, ObjectSchema } from '../schema/attribute.ts'
import type { Diff } from '../schema/diff.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonList,
  type JsonObject,
  type MaybeJson,
  type Path,
  type Step,
} from '../schema/json.ts'
import { elementFacts, memberFacts, plainAny, rootOf } from './matching/facts.ts'
import { byKey, formText, isKeyed, sortSet } from './matching/keys.ts'
import { bothByKey } from './matching/namesakes.ts'
import { withMember } from './matching/rebuild.ts'

/*
 * A path consists of members, map keys and key texts of set elements: steps that stay valid when something is inserted.
 * Therefore a path ends at a list or at a set without a key.
 */

export const markReplacement = (diff: Diff, paths: readonly Path[]): Diff => {
  if (paths.length === 0) return diff
  if (paths.some((path) => path.length === 0)) return { ...diff, forcesReplacement: true }
  const below = (step: Step): readonly Path[] => paths.flatMap(([first, ...rest]) => (first === step ? [rest] : []))
  if (diff.kind === 'object' || diff.kind === 'map') {
    const members = Object.entries(diff.members).map(([name, inner]) => [name, markReplacement(inner, below(name))])
    return { ...diff, members: Object.fromEntries(members) as Readonly<Record<string, Diff>> }
  }
  if (diff.kind !== 'set') return diff
  const elements = diff.elements.map((element) =>
    element.key === undefined ? element : { ...element, diff: markReplacement(element.diff, below(element.key)) },
  )
  return { ...diff, elements }
}

/** The value at a path, with elements of keyed sets by key text and others by index. */
export const valueAtPath = (schema: ObjectSchema, value: JsonObject | null | undefined, path: Path): MaybeJson => {
  let inner: MaybeJson = value ?? undefined
  let attribute = rootOf(schema)
  for (const step of path) {
    const next = insideOf(attribute, inner, step)
    inner = next.value
    attribute = next.attribute
  }
  return inner
}

const insideOf = (attribute: Attribute, value: MaybeJson, step: Step) => {
  if (isArray(value)) {
    const facts = elementFacts(attribute)
    return {
      attribute: facts,
      value: isKeyed(attribute) ? byKey(attribute, value).get(String(step)) : value[Number(step)],
    }
  }
  const facts = memberFacts(attribute, String(step)) ?? plainAny
  return { attribute: facts, value: memberOf(value, String(step)) }
}

/** Replaces the part at a path, or removes it for `undefined`. A path without a value changes nothing. */
export const withValueAt = (schema: ObjectSchema, value: JsonObject, path: Path, replacement: MaybeJson): JsonObject =>
  replaceAt(rootOf(schema), value, path, replacement) as JsonObject

/** Takes the parts at paths of another object from that, or removes them if it has none there. */
export const withValuesOf = (
  schema: ObjectSchema,
  value: JsonObject,
  paths: readonly Path[],
  other: JsonObject,
): JsonObject =>
  // From last to first: what is removed renumbers the elements with its key that follow.
  paths.reduceRight(
    (made, path) => replaceAt(rootOf(schema), made, path, valueAtPath(schema, other, path), other) as JsonObject,
    value,
  )

/** `other`: what has the elements of sets under the texts of the path. */
const replaceAt = (
  attribute: Attribute,
  value: Json,
  path: Path,
  replacement: MaybeJson,
  other: MaybeJson = value,
): Json => {
  const [step, ...rest] = path
  if (step === undefined) return replacement ?? value
  if (isArray(value)) return replaceElement({ attribute, value, other }, step, rest, replacement)
  if (!isObject(value)) return value
  const inner = memberOf(value, String(step))
  if (rest.length === 0) return withMember(value, String(step), replacement)
  if (inner === undefined) return value
  const facts = memberFacts(attribute, String(step)) ?? plainAny
  return withMember(value, String(step), replaceAt(facts, inner, rest, replacement, memberOf(other, String(step))))
}

interface TwoLists {
  readonly attribute: Attribute
  readonly value: JsonList
  readonly other: MaybeJson
}

const replaceElement = (
  { attribute, value, other }: TwoLists,
  step: Step,
  rest: Path,
  replacement: MaybeJson,
): Json => {
  const facts = elementFacts(attribute)
  const isOne = (before: Json, after: Json): boolean => formText(facts, before) === formText(facts, after)
  const theirs =
    isArray(other) && isKeyed(attribute) ? bothByKey(attribute, { before: other, after: value }, isOne) : undefined
  const keyed = new Map<Step, Json>(theirs?.after ?? value.entries())
  const place = isKeyed(attribute) ? String(step) : Number(step)
  const inner = keyed.get(place)
  const there = theirs?.before.get(String(step))
  const next = rest.length === 0 ? replacement : inner && replaceAt(facts, inner, rest, replacement, there)
  if (next === undefined) keyed.delete(place)
  else keyed.set(place, next)
  const elements = [...keyed.values()]
  return attribute.type === 'set' ? sortSet(attribute, elements) : elements
}
