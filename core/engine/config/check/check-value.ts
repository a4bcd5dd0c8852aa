import type { Attribute } from '../../schema/attribute.ts'
import type { Problem } from '../../schema/issue.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import { shapeText } from '../../schema/shape-text.ts'
import { type EntriesMark, isConcat, isEntries, isLiteral, isMark, isSensitive } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { hasType } from '../../values/has-type.ts'
import { isLargeNumber } from '../../values/large-integer.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { kindOf } from '../../values/words.ts'
import { holdsPlain } from '../shared/holds-plain.ts'
import { instead, referencePath, say, shown, withoutCurly } from '../shared/words.ts'

export interface Misfit extends Problem {
  /** The problem is at the key, not at the value. */
  readonly atKey?: true
}

type AttributesByName = Readonly<Record<string, Attribute>>

interface ValueCheck {
  readonly path: Path
  /** The attribute, or one around it, is sensitive: the message shows no value. */
  readonly sensitive: boolean
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])

/** The form in which values are compared: the content of a literal, with normalisers applied. */
export const canonical = (value: Json, attribute: Attribute): Json =>
  applyNormalisers(isLiteral(value) ? value.$literal : value, attribute.normalise)

/** An attribute that the server or a default provides need not be written. */
const mustBeWritten = (attribute: Attribute): boolean =>
  attribute.default === undefined &&
  attribute.computed !== true &&
  attribute.generated !== true &&
  (attribute.required === true || attribute.identity === true)

/** Reports unknown and missing members of a spec or an object, and checks each existing one. */
export const checkMembers = (
  value: JsonObject,
  attributes: AttributesByName,
  { needs = mustBeWritten, ...check }: ValueCheck & { readonly needs?: (attribute: Attribute) => boolean },
): Misfit[] => {
  const { path } = check
  const missing = Object.entries(attributes)
    .filter(([name, attribute]) => needs(attribute) && !Object.hasOwn(value, name))
    .map(([name, attribute]) => ({
      path,
      ...say('missing', referencePath([...path, name]), attribute.type, shapeOf(attribute)),
    }))
  const there = Object.entries(value).flatMap(([name, child]): Misfit[] => {
    const at = [...path, name]
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (attribute !== undefined) return checkValue(child, attribute, { ...check, path: at })
    const fix = suggest(name, Object.keys(attributes), instead.remove)
    return [{ path: at, atKey: true, ...say('noAttribute', referencePath(at), fix) }]
  })
  return [...missing, ...there]
}

const checkNull = ({ required, identity, type, nullMeans }: Attribute, path: Path): Misfit[] => {
  const where = referencePath(path)
  if (required === true || identity === true) return [{ path, ...say('notNull', where, type) }]
  return nullMeans === 'reject' ? [{ path, ...say('notCleared', where) }] : []
}

const keyText = (element: Json, key: readonly string[], attribute: Attribute): string | undefined => {
  if (!isObject(element)) return undefined
  const values = key.map((name) => {
    const member = attribute.attributes?.[name]
    const value = element[name] ?? member?.default ?? null
    const plain = member === undefined ? value : applyNormalisers(canonical(value, member), member.compareAs)
    return isMark(plain) && !isLargeNumber(plain) ? undefined : plain
  })
  return values.includes(undefined) ? undefined : JSON.stringify(values)
}

/** Reports elements of a keyed set that have the key of an earlier element. */
const duplicates = (elements: readonly Json[], attribute: Attribute, { path }: ValueCheck): Misfit[] => {
  const { key, element } = attribute
  if (attribute.type !== 'set' || key === undefined || element === undefined) return []
  const seen = new Map<string, number>()
  return elements.flatMap((each, index): Misfit[] => {
    const text = keyText(isLiteral(each) ? each.$literal : each, key, element)
    const first = text === undefined ? undefined : seen.get(text)
    if (text !== undefined && first === undefined) seen.set(text, index)
    if (first === undefined) return []
    const at = [...path, index]
    return [{ path: at, ...say('sameKey', referencePath(at), key, referencePath([...path, first])) }]
  })
}

/** Null clears an attribute; in a list it would be sent. */
const checkElement = (value: Json, element: Attribute, check: ValueCheck): Misfit[] =>
  value === null && element.type !== 'any'
    ? [{ path: check.path, ...say('notNull', referencePath(check.path), element.type) }]
    : checkValue(value, element, check)

const checkInside = (value: Json, attribute: Attribute, check: ValueCheck): Misfit[] => {
  const { element } = attribute
  if (isArray(value)) {
    const inner =
      element === undefined
        ? []
        : value.flatMap((each, index) => checkElement(each, element, { ...check, path: [...check.path, index] }))
    return [...inner, ...duplicates(value, attribute, check)]
  }
  if (!isObject(value)) return []
  if (attribute.type === 'object') return checkMembers(value, attribute.attributes ?? {}, check)
  return element === undefined
    ? []
    : Object.entries(value).flatMap(([name, child]) =>
        checkValue(child, element, { ...check, path: [...check.path, name] }),
      )
}

const checkMark = (value: Json, { type, normalise }: Attribute, { path }: ValueCheck): Misfit[] =>
  (isConcat(value) || isSensitive(value)) && type !== 'string' && type !== 'any' && normalise === undefined
    ? [{ path, ...say('wrongType', referencePath(path), type, kindOf('')) }]
    : []

const checkEntries = ({ $entries }: EntriesMark, { type, element }: Attribute, check: ValueCheck): Misfit[] => {
  if (type !== 'map' && type !== 'any')
    return [{ path: check.path, ...say('laterMembers', referencePath(check.path), type) }]
  return element === undefined ? [] : $entries.flatMap(([, value]) => checkValue(value, element, check))
}

/** How an object or a list of objects is written: the members that it must have, or some that it may have. */
const shapeOf = ({ type, attributes = {}, element }: Attribute): string | undefined => {
  if (type === 'list' || type === 'set') return `[${(element && shapeOf(element)) ?? '...'}]`
  if (type === 'map') return '{ <name>: ... }'
  if (type !== 'object') return undefined
  const all = Object.entries(attributes).filter(([, { computed }]) => computed !== true)
  const needed = all.filter(([, attribute]) => mustBeWritten(attribute))
  return shapeText((needed.length > 0 ? needed : all).map(([name]) => name))
}

/** Typographic quotes, which a word processor makes, are a part of a text. */
const unquoted = (value: Json): string | undefined => {
  const [, inner] = (typeof value === 'string' && /^[“”„‘’](.+)[“”‘’]$/.exec(value)) || []
  return inner === undefined ? undefined : withoutCurly(inner)
}

const checkValue = (written: Json, attribute: Attribute, outer: ValueCheck): Misfit[] => {
  const check = { ...outer, sensitive: outer.sensitive || attribute.sensitive === true }
  const { path } = check
  const { type } = attribute
  const where = referencePath(path)
  if (attribute.computed === true) return [{ path, ...say('computed', where) }]
  if (written === null) return checkNull(attribute, path)
  if (check.sensitive && holdsPlain(written)) {
    return [{ path, ...say('plainSecret', where, type === 'string' && isObject(written)) }]
  }
  if (isEntries(written)) return checkEntries(written, attribute, check)
  if (isMark(written) && !isLiteral(written) && !isLargeNumber(written)) return checkMark(written, attribute, check)
  const value = canonical(written, attribute)
  if (hasType(value, type)) return checkInside(value, attribute, check)
  const isQuotable = type === 'string' && (typeof value !== 'object' || isLargeNumber(value))
  const found = isQuotable
    ? say('unquoted', where, kindOf(value))
    : say('wrongType', where, type, kindOf(value), unquoted(value) ?? shapeOf(attribute))
  // A text in the place of a collection is not shown: it may be a secret that belongs inside the collection.
  return [
    { path, ...found, ...defined({ value: check.sensitive || !scalarTypes.has(type) ? undefined : shown(value) }) },
  ]
}
