import { setAt, valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Response } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { AbsentResult, PresentResult, ReadResult } from '../../../engine/schema/resource.ts'
import { cutListIn } from '../../../engine/transport/answer/graphql-answer.ts'
import { entriesOf } from '../document/attributes.ts'
import { isListed, readOp } from '../document/document.ts'
import { type BulkList, listsFor } from '../document/operation/bulk.ts'
import { onePage } from '../document/operation/pages.ts'
import { membersNamed } from '../document/references.ts'
import { fill, pathOf, type Scope, scopeOf } from '../document/shared/template.ts'
import { operationOf, type ReadContext, type Shown, type TypeContext } from '../request/context.ts'
import { rawValue } from '../request/raw-value.ts'
import { containersOf } from './containers.ts'
import { requestName } from './foresee-requests.ts'
import { type List, listItems, listOf } from './lists/list-items.ts'
import { sortedItems } from './lists/sorted-items.ts'

/**
 * A read whose answers come from lists of many objects, as far as these show them: enough to see that an object is as declared,
 * or is gone as it should be. `undefined` if not all of that is shown; then it is read by its own requests.
 */
export const readInBulk = async (
  context: ReadContext,
  target: Target,
  read: (context: ReadContext, target: Target) => Promise<ReadResult>,
): Promise<PresentResult | AbsentResult | undefined> => {
  const { worth } = context
  const own = hasLists(context)
  if (worth === undefined || target.coming || !(own || containersOf(context).some((each) => hasLists(each.context))))
    return undefined
  const { attributes, leaving, referredTo = [] } = target
  // What is only named is to be shown whole.
  const { keys } = context.resource.identity
  if (own && !leaving && Object.keys(attributes).every((name) => keys.includes(name))) return undefined
  const names = [...Object.keys(attributes), ...referredTo]
  const bulk: ReadContext['bulk'] = (asking, op, scope) =>
    answerFromLists({ ...asking, worth }, op, scope, asking.name === context.name ? names : [])
  const result = await read({ ...context, bulk }, target)
  return result.kind === (leaving ? 'absent' : 'present') ? { ...result, fromLists: true } : undefined
}

const hasLists = ({ resource }: TypeContext): boolean =>
  Object.values(resource.operations).some(({ bulk }) => bulk !== undefined)

type Lists = ReadContext & { readonly worth: NonNullable<ReadContext['worth']> }

/** The answer that an operation would have, or `undefined` if the lists do not show all of it that is declared. */
const answerFromLists = async (
  context: Lists,
  op: string,
  scope: Scope,
  names: readonly string[],
): Promise<Shown | undefined> => {
  const operation = operationOf(context, op)
  let found: Json | undefined
  for (const list of listsFor(operation, names)) {
    const item = await itemIn(context, list, scope)
    if (list.exists !== undefined) return saidBy(valueAt(item, pathOf(list.exists)))
    const shown = valueAt(item, pathOf(list.at))
    if (shown === undefined) return undefined
    found = isObject(found) && isObject(shown) ? { ...shown, ...found } : shown
  }
  if (found === undefined || !isWhole(context, op, found, names)) return undefined
  const body = setAt({}, pathOf(operation.answer ?? ''), found)
  return { kind: 'answer' as const, response: { status: 200, headers: {}, body } satisfies Response }
}

/** A default stands for what an answer does not have, and not for what a list does not show. */
const isWhole = (context: TypeContext, op: string, found: Json, names: readonly string[]): boolean => {
  const parts = context.resource.parts.filter((part) => readOp(part) === op && !isListed(context.resource, part))
  const members = parts.length === 0 || names.length === 0 ? [] : membersNamed(context)
  return (
    members.every((member) => valueAt(found, member) !== undefined) &&
    parts
      .flatMap((part) => Object.entries(entriesOf(part)))
      .filter(
        ([name, { in: where, writeOnly, createOnly }]) =>
          names.includes(name) && where !== 'path' && !writeOnly && !createOnly,
      )
      .every(([name, entry]) => rawValue(entry, name, found) !== undefined)
  )
}

/** Whether there is something, where the item says it by a boolean; anything else says nothing. */
const saidBy = (exists: Json | undefined): Shown | undefined => {
  if (exists === false) return { kind: 'absent' }
  return exists === true ? { kind: 'there', response: { status: 200, headers: {}, body: null } } : undefined
}

const itemIn = async (context: Lists, list: BulkList, scope: Scope): Promise<JsonObject | undefined> => {
  const whole = await wholeList(context, list)
  const values = Object.values(fill(list.match, scope) as JsonObject)
  const places = Object.keys(list.match)
  const textIn = (item: JsonObject) => textOf(places.map((place) => valueAt(item, pathOf(place)) ?? null))
  // What has no value is no match for what a list leaves out.
  if (values.some((value) => value === undefined || value === null)) return undefined
  const [item, ...others] =
    whole === undefined ? [] : (sortedItems(whole, textOf(places), (each) => [textIn(each)]).get(textOf(values)) ?? [])
  if (item === undefined || others.length > 0 || cutListIn(item, undefined) !== undefined) return undefined
  return item
}

/** A list that cannot be read, or takes too many requests, spares nothing; then each object tells why. */
const wholeList = async (context: Lists, { op, items }: BulkList): Promise<readonly JsonObject[] | undefined> => {
  const { worth, bulk: _, ...apart } = context
  const operation = operationOf(context, op)
  const spared = worth.get(requestName(operation, context.params, ''))
  if (spared === undefined) return undefined
  const usual = operation.pagination ?? context.settings.pagination ?? onePage
  const most = Math.max(1, Math.floor(spared / 2))
  const pagination = usual.style === 'none' ? usual : { ...usual, maxPages: Math.min(usual.maxPages, most) }
  const listing = { op, items, absent: [] }
  const list: List = { ...listOf(context, listing, undefined), operation: { ...operation, pagination }, mayBeCut: true }
  const found = await listItems(apart, list, scopeOf({ ...context.params, with: context.inputs }))
  return found.kind === 'items' ? found.items : undefined
}

/** Variables hold ids as text. */
const textOf = (values: readonly Json[]): string =>
  JSON.stringify(values.map((value) => (typeof value === 'number' ? String(value) : value)))
