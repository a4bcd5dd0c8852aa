import type { Problem } from '../../../engine/schema/issue.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { globPattern } from '../../../engine/values/texts/glob.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { allEntries, type Entries, sameValue } from '../document/attributes.ts'
import { spell, variablesOf } from '../document/shared/template.ts'
import type { TypeContext } from '../request/context.ts'
import { callsFor } from './ordered-writes.ts'
import { refusals } from './words.ts'

/** Rules that a schema cannot express: values that the server would accept and misread, names that break a URL. */
export const validateAttributes = (context: TypeContext, attributes: JsonObject): readonly Problem[] => {
  const entries = allEntries(context.resource)
  const values = Object.entries(attributes).flatMap(([name, value]) => checkValue(own(entries, name), value, [name]))
  return [...values, ...checkPathNames(context, attributes), ...checkCalls(context, attributes)]
}

/** A value that only calls can set, without a call for it. */
const checkCalls = ({ resource }: TypeContext, attributes: JsonObject): readonly Problem[] =>
  resource.parts
    .filter(({ write }) => write === undefined)
    .flatMap((part) => Object.keys(part.attributes ?? {}))
    .flatMap((name) => {
      const calls = Object.values(resource.actions ?? {}).filter(({ on, alongside }) => on.includes(name) && !alongside)
      const value = attributes[name]
      if (value === undefined || isMark(value) || calls.length === 0) return []
      if (callsFor(resource, [name], attributes).length > 0) return []
      const values = calls.flatMap(({ when }) => when?.[name] ?? [])
      return [{ path: [name], ...refusals.noCall(name, spell(value), values.map(spell)) }]
    })

/** A document may name an attribute `constructor`. */
const own = (entries: Entries, name: string): AttributeEntry | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined

const checkValue = (entry: AttributeEntry | undefined, value: Json, path: Path): readonly Problem[] => {
  if (entry === undefined || value === null || isMark(value)) return []
  const { values, element, attributes } = entry
  const where = path.join('.')
  if (values !== undefined && !values.some((allowed) => sameValue(entry, allowed, value))) {
    return [{ path, ...refusals.otherValue(where, spell(value), values.map(spell)) }]
  }
  if (entry.as === 'json' && holdsMark(value)) return [{ path, ...refusals.markInText(where) }]
  if (isArray(value))
    return value.flatMap((child, index) => [
      ...(entry.as === 'comma' ? checkInCommas(child, [...path, index]) : []),
      ...checkShown(element, child, [...path, index]),
      ...checkValue(element, child, [...path, index]),
    ])
  if (!isObject(value)) return []
  const ignored = Object.keys(value).filter((name) => entry.ignoreKeys?.some((pattern) => globPattern(pattern)(name)))
  if (ignored.length > 0) return ignored.map((name) => ({ path: [...path, name], ...refusals.ignoredKey(where, name) }))
  const foreign = Object.keys(value).filter((name) => entry.omit?.includes(name))
  if (foreign.length > 0) return foreign.map((name) => ({ path: [...path, name], ...refusals.omittedKey(where, name) }))
  return Object.entries(value).flatMap(([name, child]) =>
    checkValue(own(attributes ?? {}, name) ?? element, child, [...path, name]),
  )
}

/** An answer with such an element would not be read: it could be one of another kind. */
const checkShown = (element: AttributeEntry | undefined, value: Json, path: Path): readonly Problem[] => {
  const shown = Object.entries(element?.attributes ?? {}).filter(([, { writeOnly }]) => writeOnly !== true)
  if (shown.length === 0 || !isObject(value) || isMark(value)) return []
  const hasOne = shown.some(([name, entry]) => (value[name] ?? entry.default ?? null) !== null)
  return hasOne
    ? []
    : [
        {
          path,
          ...refusals.bareElement(
            path.join('.'),
            shown.map(([name]) => name),
          ),
        },
      ]
}

const checkInCommas = (value: Json, path: Path): readonly Problem[] =>
  typeof value === 'string' && (value === '' || value.includes(',') || value !== value.trim())
    ? [{ path, ...refusals.notInCommas(path.join('.')) }]
    : []

const holdsMark = (value: Json): boolean =>
  isMark(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsMark))

/** A path segment that is empty or only dots would name another object. */
const checkPathNames = ({ resource }: TypeContext, attributes: JsonObject): readonly Problem[] => {
  const variables = Object.values(resource.operations).flatMap((operation) => variablesOf(operation.path))
  const names = new Set(variables.map(([first]) => String(first)))
  return [...names].flatMap((name) => {
    const value = attributes[name]
    if (typeof value !== 'string' || !['', '.', '..'].includes(value)) return []
    return [{ path: [name], ...refusals.lostInUrl(name, value) }]
  })
}
