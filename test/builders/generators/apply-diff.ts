import { elementFacts, memberFacts, plainAny, rootOf } from '../../../core/engine/diff/matching/facts.ts'
import { byKey, formText, sortSet } from '../../../core/engine/diff/matching/keys.ts'
import { yamlInText } from '../../../core/engine/diff/texts/yaml-in-text.ts'
import { mapValue } from '../../../core/engine/json/pointer.ts'
import type { Attribute, ObjectSchema } from '../../../core/engine/schema/attribute.ts'
import type { Diff } from '../../../core/engine/schema/diff.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { isArray, isObject } from '../../../core/engine/schema/json.ts'
import { isLiteral, isNumberMark } from '../../../core/engine/schema/value.ts'
import { jsonInText } from '../../../core/engine/values/texts/json-in-text.ts'

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
      return spellOut(applyTo(plainAny, heldIn(before as string), diff.inner) as Json)
    case 'list':
    case 'tuple':
      return diff.elements.flatMap(({ before: place, after, diff: inner }) => {
        const was = place === undefined ? undefined : (before as readonly Json[])[place]
        const next = applyTo(elementFacts(facts, after ?? place), was, inner)
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
    const wanted = spelledForm(inner, beforeOf(diff))
    const place = rest.findIndex((element) => spelledForm(inner, element) === wanted)
    return rest.splice(place, 1)[0]
  }
  return elements.flatMap(({ key, diff }) => {
    const next = applyTo(inner, key === undefined ? take(diff) : keyed.get(key), diff)
    return next === undefined ? [] : [next]
  })
}

const spelledForm = (facts: Attribute, value: Json): string => formText(facts, spelledAlike(value))

/** The before side, as far as the diff itself tells it. */
const beforeOf = (diff: Diff): Json => {
  switch (diff.kind) {
    case 'value':
      return diff.before!
    case 'text':
      return diff.lines.flatMap(({ action, text }) => (action === 'create' ? [] : [text])).join('\n')
    case 'json':
    case 'yaml':
      return spellOut(beforeOf(diff.inner))
    case 'object':
    case 'map':
      return Object.fromEntries(
        Object.entries(diff.members).flatMap(([name, inner]) =>
          inner.action === 'create' ? [] : [[name, beforeOf(inner)]],
        ),
      )
    default:
      return diff.elements.flatMap(({ diff: inner }) => (inner.action === 'create' ? [] : [beforeOf(inner)]))
  }
}

const heldIn = (text: string): Json | undefined => jsonInText(text) ?? yamlInText(text)?.value

/** As JSON, each number as its source spells it. */
const spellOut = (value: Json): string => {
  if (isNumberMark(value)) return value.$number
  if (isArray(value)) return `[${value.map(spellOut).join()}]`
  const inner = isLiteral(value) ? value.$literal : value
  if (!isObject(inner)) return JSON.stringify(inner)
  const names = Object.keys(inner).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${spellOut(inner[name] as Json)}`).join()}}`
}

/** A value in which texts that hold JSON or YAML are written in one way, for they are compared by what they hold. */
export const spelledAlike = (value: Json): Json =>
  mapValue(value, (inner) => {
    const held = typeof inner === 'string' ? heldIn(inner) : undefined
    return held === undefined ? undefined : spellOut(held)
  })
