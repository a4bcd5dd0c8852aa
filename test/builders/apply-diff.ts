import { elementFacts, memberFacts, plainAny, rootOf } from '../../core/diff/facts.ts'
import { byKey, formText, sortSet } from '../../core/diff/keys.ts'
import type { Attribute, ObjectSchema } from '../../core/schema/attribute.ts'
import type { Diff } from '../../core/schema/diff.ts'
import type { Json, JsonObject } from '../../core/schema/json.ts'
import { isArray, isObject } from '../../core/schema/json.ts'

/** The after side of a diff, made from the before side; `undefined` where nothing is left. */
export const applyDiff = (schema: ObjectSchema, before: JsonObject | null, diff: Diff): Json | undefined =>
  applyTo(rootOf(schema), before ?? undefined, diff)

const applyTo = (facts: Attribute, before: Json | undefined, diff: Diff): Json | undefined => {
  if (diff.action === 'same') return before
  if (diff.action === 'delete') return undefined
  switch (diff.kind) {
    case 'value':
      return diff.after
    case 'text':
      return diff.lines
        .filter(({ action }) => action !== 'delete')
        .map(({ text }) => text)
        .join('\n')
    case 'json':
    case 'yaml':
      return JSON.stringify(applyTo(plainAny, JSON.parse(before as string) as Json, diff.inner))
    case 'list':
    case 'tuple':
      return diff.elements.flatMap(({ before: place, diff: inner }) => {
        const was = place === undefined ? undefined : (before as readonly Json[])[place]
        const next = applyTo(elementFacts(facts), was, inner)
        return next === undefined ? [] : [next]
      })
    case 'set':
      return applySet(facts, isArray(before) ? before : [], diff.elements)
    default:
      return applyMembers(facts, isObject(before) ? before : {}, diff.members)
  }
}

const applyMembers = (facts: Attribute, before: JsonObject, members: Readonly<Record<string, Diff>>): Json =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, inner]) => {
      const was = Object.hasOwn(before, name) ? before[name] : undefined
      const next = applyTo(memberFacts(facts, name) ?? plainAny, was, inner)
      return next === undefined ? [] : [[name, next]]
    }),
  )

const applySet = (
  facts: Attribute,
  before: readonly Json[],
  elements: readonly { readonly key?: string; readonly diff: Diff }[],
): Json => {
  const inner = elementFacts(facts)
  const keyed = byKey(facts, sortSet(facts, before))
  const rest = [...before]
  const take = (diff: Diff): Json | undefined => {
    if (diff.action === 'create') return undefined
    const wanted = formText(inner, beforeOf(diff))
    const place = rest.findIndex((element) => formText(inner, element) === wanted)
    return rest.splice(place, 1)[0]
  }
  return elements.flatMap(({ key, diff }) => {
    const next = applyTo(inner, key === undefined ? take(diff) : keyed.get(key), diff)
    return next === undefined ? [] : [next]
  })
}

/** The whole value that a `same` or `delete` node stands for. */
const beforeOf = (diff: Diff): Json => {
  switch (diff.kind) {
    case 'value':
      return diff.before!
    case 'text':
      return diff.lines.map(({ text }) => text).join('\n')
    case 'json':
    case 'yaml':
      return JSON.stringify(beforeOf(diff.inner))
    case 'object':
    case 'map':
      return Object.fromEntries(Object.entries(diff.members).map(([name, inner]) => [name, beforeOf(inner)]))
    default:
      return diff.elements.map((element) => beforeOf(element.diff))
  }
}
