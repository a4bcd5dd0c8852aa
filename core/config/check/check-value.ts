import type { Attribute } from '../../schema/attribute.ts'
import type { Json, JsonObject, Path } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { isConcat, isLiteral, isMark, isSensitive, isUnknown } from '../../schema/value.ts'
import { defined } from '../../values/defined.ts'
import { suggest } from '../../values/nearest-word.ts'
import { applyNormalisers } from '../../values/normalise/normalisers.ts'
import { kindOf, pathText, shown } from '../value-text.ts'

/** A value that does not fit its attribute, at its path within the spec. */
export interface Misfit {
  readonly path: Path
  /** The key is what is wrong, not the value. */
  readonly atKey?: true
  readonly message: string
  readonly fix: string
  readonly value?: string
}

type Attributes = Readonly<Record<string, Attribute>>

interface Check {
  readonly path: Path
  /** Whether the attribute, or one around it, is sensitive: then no value is shown. */
  readonly sensitive: boolean
}

const wanted: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'a mapping',
  map: 'a mapping',
  list: 'a list',
  set: 'a list',
}

const scalarTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean'])

const hasType = (value: Json, type: Attribute['type']): boolean => {
  if (type === 'any') return true
  if (type === 'list' || type === 'set') return isArray(value)
  if (type === 'object' || type === 'map') return isObject(value)
  return typeof value === type
}

/** What an attribute means to a comparison: a literal opened, and in its canonical form. */
export const canonical = (value: Json, attribute: Attribute): Json =>
  applyNormalisers(isLiteral(value) ? value.$literal : value, attribute.normalise)

/** Whether something must be written: what the server or a default provides need not be. */
const mustBeWritten = (attribute: Attribute): boolean =>
  attribute.default === undefined &&
  attribute.computed !== true &&
  attribute.generated !== true &&
  (attribute.required === true || attribute.identity === true)

/** Members of a spec or an object: unknown ones, missing ones, and each that is there. */
export const checkMembers = (
  value: JsonObject,
  attributes: Attributes,
  check: Check & { readonly needs?: (attribute: Attribute) => boolean },
): Misfit[] => {
  const needs = check.needs ?? mustBeWritten
  const missing = Object.entries(attributes).flatMap(([name, attribute]): Misfit[] =>
    needs(attribute) && !Object.hasOwn(value, name)
      ? [
          {
            path: check.path,
            message: `${pathText([...check.path, name])} is missing`,
            fix: `write ${wanted[attribute.type] ?? 'a value'}`,
          },
        ]
      : [],
  )
  const present = Object.entries(value).flatMap(([name, child]): Misfit[] => {
    const path = [...check.path, name]
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (attribute !== undefined) return checkValue(child, attribute, { ...check, path })
    return [
      {
        path,
        atKey: true,
        message: `there is no attribute ${pathText(path)}`,
        fix: suggest(name, Object.keys(attributes), 'remove it'),
      },
    ]
  })
  return [...missing, ...present]
}

const checkNull = (attribute: Attribute, path: Path): Misfit[] => {
  const where = pathText(path)
  if (attribute.required === true || attribute.identity === true) {
    return [{ path, message: `${where} cannot be null`, fix: `write ${wanted[attribute.type] ?? 'a value'}` }]
  }
  return attribute.nullMeans === 'reject'
    ? [{ path, message: `${where} cannot be cleared`, fix: 'remove the line to leave it alone, or write a value' }]
    : []
}

const keyText = (element: Json, key: readonly string[], attribute: Attribute): string | undefined => {
  if (!isObject(element)) return undefined
  const values = key.map((name) => {
    const member = attribute.attributes?.[name]
    const value = element[name] ?? member?.default ?? null
    const plain = member === undefined ? value : applyNormalisers(canonical(value, member), member.compareAs)
    return isMark(plain) ? undefined : plain
  })
  return values.includes(undefined) ? undefined : JSON.stringify(values)
}

/** Two elements of a keyed set that mean the same object: only one of them could be had. */
const duplicates = (elements: readonly Json[], attribute: Attribute, { path }: Check): Misfit[] => {
  const { key, element } = attribute
  if (attribute.type !== 'set' || key === undefined || element === undefined) return []
  const seen = new Map<string, number>()
  return elements.flatMap((each, index): Misfit[] => {
    const text = keyText(isLiteral(each) ? each.$literal : each, key, element)
    const first = text === undefined ? undefined : seen.get(text)
    if (text !== undefined && first === undefined) seen.set(text, index)
    if (first === undefined) return []
    const message = `${pathText([...path, index])} has the same ${key.join(' and ')} as ${pathText([...path, first])}`
    return [
      {
        path: [...path, index],
        message,
        fix: 'join the two, or change one',
      },
    ]
  })
}

const checkInside = (value: Json, attribute: Attribute, check: Check): Misfit[] => {
  const { element } = attribute
  if (isArray(value)) {
    const inner =
      element === undefined
        ? []
        : value.flatMap((each, index) => checkValue(each, element, { ...check, path: [...check.path, index] }))
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

const isEmpty = (value: Json): boolean => (isArray(value) || isObject(value)) && Object.keys(value).length === 0

/** Whether any part is written out although the whole must not be shown. */
const holdsPlain = (value: Json): boolean => {
  if (isSensitive(value) || isUnknown(value) || value === null || isEmpty(value)) return false
  if (isArray(value) || (isObject(value) && !isMark(value)))
    return Object.values(value).some((child: Json) => holdsPlain(child))
  return true
}

const checkMark = (value: Json, attribute: Attribute, { path }: Check): Misfit[] =>
  (isConcat(value) || isSensitive(value)) &&
  !['string', 'any'].includes(attribute.type) &&
  attribute.normalise === undefined
    ? [
        {
          path,
          message: `${pathText(path)} must be ${wanted[attribute.type]}, not text`,
          fix: `write ${wanted[attribute.type]}`,
        },
      ]
    : []

const checkValue = (written: Json, attribute: Attribute, outer: Check): Misfit[] => {
  const check = { ...outer, sensitive: outer.sensitive || attribute.sensitive === true }
  const { path } = check
  const where = pathText(path)
  if (attribute.computed === true) {
    return [
      { path, message: `${where} is set by the server`, fix: 'remove it; refer to it from elsewhere if you need it' },
    ]
  }
  if (written === null) return checkNull(attribute, path)
  if (check.sensitive && holdsPlain(written)) {
    return [
      {
        path,
        message: `${where} is sensitive and must be a secret reference`,
        fix: 'write { secret: "env:NAME" }, or file:, ssm:, secretsmanager:',
      },
    ]
  }
  if (isMark(written) && !isLiteral(written)) return checkMark(written, attribute, check)
  const value = canonical(written, attribute)
  if (hasType(value, attribute.type)) return checkInside(value, attribute, check)
  const kind = wanted[attribute.type] ?? attribute.type
  const quoted = attribute.type === 'string' && typeof value !== 'object'
  return [
    {
      path,
      message: `${where} must be ${kind}, not ${kindOf(value)}`,
      // A text where a collection belongs may be a secret that belongs inside it.
      ...defined({ value: check.sensitive || !scalarTypes.has(attribute.type) ? undefined : shown(value) }),
      fix: quoted ? 'put it in quotes' : `write ${kind}`,
    },
  ]
}
