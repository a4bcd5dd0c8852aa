import { setAt, valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Response } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { PresentResult, ReadResult } from '../../../engine/schema/resource.ts'
import { cutListIn } from '../../../engine/transport/answer/graphql-answer.ts'
import { entriesOf } from '../document/attributes.ts'
import { isListed, readOp } from '../document/document.ts'
import { type BulkList, listsFor } from '../document/operation/bulk.ts'
import { onePage } from '../document/operation/pages.ts'
import { membersNamed } from '../document/references.ts'
import { fill, pathOf, type Scope, scopeOf } from '../document/shared/template.ts'
import { operationOf, type ReadContext, type TypeContext } from '../request/context.ts'
import { rawValue } from '../request/raw-value.ts'
import { containersOf } from './containers.ts'
import { requestName } from './foresee-requests.ts'
import { type List, listItems, listOf } from './lists/list-items.ts'
import { sortedItems } from './lists/sorted-items.ts'

/**
 * A read whose answers come from lists of many objects, as far as these show them: enough to see that an object is as declared.
 * `undefined` if it is not there, or not all of it is shown; then it is read by its own requests.
 */
export const readInBulk = async (
  context: ReadContext,
  target: Target,
  read: (context: ReadContext, target: Target) => Promise<ReadResult>,
): Promise<PresentResult | undefined> => {
  const { worth } = context
  if (worth === undefined || target.leaving || target.coming || !hasLists(context)) return undefined
  const { attributes, referredTo = [] } = target
  // What is only named is to be shown whole.
  if (Object.keys(attributes).every((name) => context.resource.identity.keys.includes(name))) return undefined
  const names = [...Object.keys(attributes), ...referredTo]
  const bulk: ReadContext['bulk'] = (asking, op, scope) =>
    answerFromLists({ ...asking, worth }, op, scope, asking.name === context.name ? names : [])
  const result = await read({ ...context, bulk }, target)
  return result.kind === 'present' ? { ...result, fromLists: true } : undefined
}

const hasLists = (context: TypeContext): boolean =>
  [context, ...containersOf(context).map((container) => container.context)].some(({ resource }) =>
    Object.values(resource.operations).some(({ bulk }) => bulk !== undefined),
  )

type Lists = ReadContext & { readonly worth: NonNullable<ReadContext['worth']> }

/** The answer that an operation would have, or `undefined` if the lists do not show all of it that is declared. */
const answerFromLists = async (context: Lists, op: string, scope: Scope, names: readonly string[]) => {
  const operation = operationOf(context, op)
  let found: Json | undefined
  for (const list of listsFor(operation, names)) {
    const shown = await shownIn(context, list, scope)
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

const shownIn = async (context: Lists, list: BulkList, scope: Scope): Promise<Json | undefined> => {
  const whole = await wholeList(context, list)
  const values = Object.values(fill(list.match, scope) as JsonObject)
  const places = Object.keys(list.match)
  const textIn = (item: JsonObject) => textOf(places.map((place) => valueAt(item, pathOf(place)) ?? null))
  // What has no value is no match for what a list leaves out.
  if (values.some((value) => value === undefined || value === null)) return undefined
  const [item, ...others] =
    whole === undefined ? [] : (sortedItems(whole, textOf(places), (each) => [textIn(each)]).get(textOf(values)) ?? [])
  if (item === undefined || others.length > 0 || cutListIn(item, undefined) !== undefined) return undefined
  return valueAt(item, pathOf(list.at))
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
