import { pathText } from '../../../engine/json/pointer.ts'
import type { AnswerErrors } from '../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import { failureWords, type Judged } from '../../../engine/transport/answer/answer-errors.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { type Entries, entriesOf } from '../document/attributes.ts'
import { isFromList, lookupOp, type RestResource, readOp, shownIds } from '../document/document.ts'
import { isRead, type Operation } from '../document/operation/operation.ts'
import { pointerOf, ruleOf, type Scope, variablesOf } from '../document/shared/template.ts'
import { idsAt } from './decode.ts'
import { permissionHeaders, permissionText } from './permission.ts'
import { isUnclear, rawValue } from './raw-value.ts'
import { lackOf } from './words.ts'

/**
 * Whether an answer is about an object: it contains everything that the document promises for each answer. An answer that
 * lacks some of it is an error page, a partial object or something else, and a missing member in it means nothing.
 */

/** Interim answers, promises, parts, differences and "as before" are never whole, even if a document calls them a success. */
const never = (status: number): boolean => status < 200 || [202, 206, 226, 304].includes(status)

/**
 * Statuses whose answers are whole without being named: not an answer that a proxy changed (203), and not several answers in
 * one (207).
 */
const usual = [200, 201, 204, 205]

/** Whether a successful answer is complete. A page of a list may be partial (206) if the document allows it. */
export const isWholeStatus = ({ success }: Operation, status: number, paged: boolean): boolean => {
  if (status === 206 && paged) return success?.includes(206) === true
  return !never(status) && (usual.includes(status) || success?.includes(status) === true)
}

/** What a single answered object lacks, or which of its values belong to another object; `undefined`: nothing. */
export const lackInAnswer = (
  resource: RestResource,
  op: string,
  object: JsonObject,
  scope: Scope,
): string | undefined => {
  const entries = shownBy(resource, op)
  return lackIn(resource, entries, object, resource.operations[op]) ?? lackOfIds(resource, op, object, scope)
}

/** What an object lacks of some attributes of its type. */
export const lackIn = (
  { identity }: RestResource,
  entries: Entries,
  object: JsonObject,
  operation: Operation | undefined,
): string | undefined => {
  const missing = missingIn(entries, object, (name) => identity.keys.includes(name))
  if (missing !== undefined) return lackOf.member(missing)
  const shown = Object.entries(entries).filter(([, entry]) => entry.writeOnly !== true)
  if (shown.length === 0 || shown.some(([name, entry]) => rawValue(entry, name, object) !== undefined)) {
    return undefined
  }
  const mayBeEmpty = shown.every(([, entry]) => entry.in === 'path' || entry.leftOut === true)
  const says = operation === undefined ? undefined : failureWords(successRule(operation).errors, object)
  return mayBeEmpty && says === undefined ? undefined : lackOf.all(shown.map(([name]) => name))
}

/** The attributes that the answer of an operation holds. */
const shownBy = ({ parts }: RestResource, op: string): Entries => {
  const reading = parts.filter((part) => !isFromList(part) && readOp(part) === op)
  return Object.assign({}, ...reading.map(entriesOf)) as Entries
}

/** Whether each answer that holds an attribute shows it. */
const isAlwaysShown = (entry: AttributeEntry, isKey: boolean): boolean =>
  (isKey || entry.required === true) &&
  entry.leftOut !== true &&
  entry.shownWith === undefined &&
  entry.writeOnly !== true &&
  entry.in !== 'path' &&
  entry.default === undefined

const missingIn = (
  entries: Entries,
  object: JsonObject,
  isKey: (name: string) => boolean = () => false,
  path: readonly string[] = [],
): string | undefined => {
  for (const [name, entry] of Object.entries(entries)) {
    const raw = rawValue(entry, name, object)
    const here = [...path, name]
    if (isUnclear(entry, name, object)) return pathText(here)
    if (isAlwaysShown(entry, isKey(name)) && (raw === undefined || (raw === null && isKey(name)))) return pathText(here)
    const inner = raw === undefined || entry.writeOnly ? undefined : missingInside(entry, raw, here)
    if (inner !== undefined) return inner
  }
  return undefined
}

const missingInside = (entry: AttributeEntry, raw: Json, path: readonly string[]): string | undefined => {
  const { attributes, element, ref } = entry
  if (ref !== undefined) return undefined
  if (attributes !== undefined) return isObject(raw) ? missingIn(attributes, raw, undefined, path) : undefined
  if (element === undefined) return undefined
  const children = isArray(raw) ? raw : isObject(raw) ? Object.values(raw) : []
  for (const child of children) {
    if (isArray(raw) && showsNothing(element, child)) return pathText([...path, 'element'])
    const found = missingInside(element, child, path)
    if (found !== undefined) return found
  }
  return undefined
}

/** An element of which an answer shows nothing is of another kind: written back, it would be lost. */
const showsNothing = ({ attributes = {} }: AttributeEntry, child: Json): boolean => {
  const shown = Object.entries(attributes).filter(([, { writeOnly }]) => writeOnly !== true)
  return (
    shown.length > 0 &&
    isObject(child) &&
    shown.every(([name, entry]) => (rawValue(entry, name, child) ?? null) === null)
  )
}

/** Operations that answer the object itself, under its ids or keys. */
const answersItself = (resource: RestResource, op: string): boolean =>
  op === 'retrieve' || ('list' in resource.lookup ? resource.lookup.follow : lookupOp(resource)) === op

/** The server's ids, and that they are those that were asked for. */
const lackOfIds = (resource: RestResource, op: string, object: JsonObject, scope: Scope): string | undefined => {
  if (!answersItself(resource, op)) return undefined
  const asked = variablesOf(resource.operations[op]?.path ?? '').map(([first]) => String(first))
  const ids = idsAt(shownIds(resource), object)
  for (const name of Object.keys(shownIds(resource))) {
    const id = ids[name]
    if (id === undefined) return lackOf.member(name)
    const own = asked.includes(name) ? scope([name]) : undefined
    if (own !== undefined && typeof own !== 'object' && String(own) !== id) return lackOf.requestedId(name)
  }
  return undefined
}

/** How success and failure are distinguished in the answers of an operation. */
export const successRule = (operation: Operation): Judged => {
  const { success, errors } = operation
  if (operation.graphql === true) return defined({ success, errors: graphqlErrors(operation) })
  const messages = errors?.message === undefined ? [] : [errors.message].flat()
  const when = errors?.when?.map((rule) => ({
    ...ruleOf(rule),
    ...defined({ and: rule.and?.map((each) => ruleOf(each)) }),
    means: rule.means,
    ...defined({ status: rule.status }),
  }))
  const permission = permissionRule(operation)
  const isKnown = errors !== undefined || permission !== undefined
  return defined({
    success,
    errors: isKnown
      ? { message: messages.map((place) => pointerOf(place)), ...defined({ when, permission }) }
      : undefined,
  })
}

/** Of a write; the answer to a read is judged where it is read. */
const permissionRule = (operation: Operation): AnswerErrors['permission'] => {
  const headers = permissionHeaders(operation)
  const stated = permissionText(operation.permissions)
  if (isRead(operation) || (headers.length === 0 && stated === undefined)) return undefined
  return { headers, ...defined({ stated }) }
}

/** A mutation that answers nothing at its place, and no failure either, cannot be taken for done. */
const graphqlErrors = (operation: Operation): AnswerErrors => {
  const pointer = pointerOf(operation.answer ?? '')
  const isDone = { pointer, exists: false, means: 502 }
  return {
    graphql: pointer,
    ...defined({ when: isRead(operation) ? undefined : [isDone], permission: permissionRule(operation) }),
  }
}
