import { valueAt } from '../../../../engine/json/pointer.ts'
import type { Request } from '../../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import { holdsRule } from '../../../../engine/transport/answer/answer-errors.ts'
import { defined } from '../../../../engine/values/defined.ts'
import type { Beside, Listing, Operation } from '../../document/operation/operation.ts'
import { onePage, type Pagination } from '../../document/operation/pages.ts'
import type { Absences } from '../../document/shared/answers.ts'
import { pathOf, ruleOf, type Scope } from '../../document/shared/template.ts'
import { type AskResult, ask, badBody, buildRead, unresolved } from '../../request/ask.ts'
import { operationOf, type ReadContext, type TypeContext } from '../../request/context.ts'
import { answers } from '../../request/words.ts'
import type { ItemIdentity } from '../shared/item-identity.ts'
import { learnItems } from '../shared/spelled-numbers.ts'
import { listFaults, unknowns } from '../shared/words.ts'
import { doubtAbout, endsByBody, firstPage, nextPage, type Page } from './pages.ts'
import { faultBySigns } from './signs-of-more.ts'

export type Items =
  | {
      readonly kind: 'items'
      readonly items: readonly JsonObject[]
      readonly pages: number
      /** For a list of several pages: reads it again, without cached answers. */
      readonly again?: () => Promise<Items>
    }
  | { readonly kind: 'absent' }
  | UnknownResult

/** A list of the API. */
export interface List {
  readonly operation: Operation
  readonly listing: Listing
  /** Absent where nothing tells its items apart. */
  readonly identity?: ItemIdentity
  /** Each item, of whatever kind, is this member of an object. */
  readonly boxed?: string
  /** Each item may have lists of its own that are not whole. */
  readonly mayBeCut?: true
}

/** A list of a type. */
export const listOf = (context: TypeContext, listing: Listing, identity: ItemIdentity | undefined): List => ({
  operation: operationOf(context, listing.op),
  listing,
  ...defined({ identity }),
})

/** How its pages are asked for. */
interface PagedList extends List {
  readonly pagination: Pagination
  /** The document says how this list is divided, or that it is not. */
  readonly isDescribed: boolean
  readonly absent: Absences
  readonly first: Request
}

/**
 * All items of a list and of the lists beside it, over all pages; a list that may not be whole is unknown. If answers are cached,
 * equal requests get the same array.
 */
export const listItems = async (context: ReadContext, list: List, scope: Scope): Promise<Items> => {
  const { also = [] } = list.listing
  if (also.length === 0) return listAlone(context, list, scope)
  const built = [list.operation, ...also.map(({ op }) => operationOf(context, op))].map((operation) =>
    buildRead(context, operation, scope, operation === list.operation ? list.listing.query : {}),
  )
  const requests = built.map((one) => (one.ok ? one.request : undefined))
  const key = JSON.stringify([requests, list.listing, list.identity?.label, list.boxed])
  const read = (transport: ReadContext['transport']) => {
    const make = () => listWithBeside({ ...context, transport }, list, scope)
    return transport.remember?.(key, make) ?? make()
  }
  const found = await read(context.transport)
  const isOnePage = found.kind !== 'items' || found.pages === 1
  return isOnePage ? found : { ...found, again: () => read(context.transport.afresh ?? context.transport) }
}

/** What is beside the list comes into it with time, and is read first: so it is in one of the answers, whenever that happens. */
const listWithBeside = async (context: ReadContext, list: List, scope: Scope): Promise<Items> => {
  const { listing, identity, boxed } = list
  const others: JsonObject[] = []
  const missing: string[] = []
  let pages = 1
  for (const beside of listing.also ?? []) {
    const { op, items } = beside
    const found = await listAlone(context, listOf(context, { op, items, absent: listing.absent }, undefined), scope)
    if (found.kind === 'unknown') return found
    if (found.kind === 'absent') {
      missing.push(op)
      continue
    }
    pages = Math.max(pages, found.pages)
    for (const item of found.items) {
      const shaped = shapedAs(beside, item)
      if (shaped === undefined) return unknowns.strangeItem(op)
      others.push(...shaped.map((each) => (boxed === undefined ? each : { [boxed]: each })))
    }
  }
  const own = await listAlone(context, list, scope)
  if (own.kind !== 'items') return own
  if (missing.length > 0) return unknowns.missingBeside(missing.join(', '))
  const known = new Set(own.items.map((item) => identity?.same(item)))
  const more = others.filter((item) => {
    const text = identity?.same(item)
    return text === undefined || !known.has(text)
  })
  return { kind: 'items', items: [...own.items, ...more], pages: Math.max(pages, own.pages) }
}

/** In the form of the list that it counts for; none for nobody that is known, `undefined` if the item lacks a member. */
const shapedAs = ({ as, set }: Beside, item: JsonObject): readonly JsonObject[] | undefined => {
  const values = Object.entries(as).map(([name, place]) => [name, valueAt(item, pathOf(place))] as const)
  if (values.some(([, value]) => value === undefined)) return undefined
  return values.some(([, value]) => value === null) ? [] : [{ ...(Object.fromEntries(values) as JsonObject), ...set }]
}

/** A list by itself. */
const listAlone = async (context: ReadContext, list: List, scope: Scope): Promise<Items> => {
  const { operation, listing, identity, boxed } = list
  const described = operation.pagination ?? context.settings.pagination
  const pagination = described ?? onePage
  const absent = operation.absent ?? listing.absent
  const pageQuery = 'query' in pagination ? pagination.query : {}
  const built = buildRead(context, operation, scope, { ...listing.query, ...pageQuery })
  if (!built.ok) return unresolved(built)
  const first = firstPage(pagination, built.request)
  const key = JSON.stringify([
    first,
    listing,
    operation.answer,
    absent,
    pagination,
    identity?.label,
    boxed,
    list.mayBeCut,
  ])
  const paged: PagedList = { ...list, pagination, isDescribed: described !== undefined, absent, first }
  const shown = await context.bulk?.(context, listing.op, scope)
  const items = shown && itemsOf(paged, shown)
  if (isArray(items)) return { kind: 'items', items, pages: 1 }
  const read = (transport: ReadContext['transport']) => {
    const allowed = () => transport.within?.('a list', context.settings.reads.list) ?? transport
    const make = () => readWhole({ ...context, transport: allowed() }, paged)
    return transport.remember?.(key, make) ?? make()
  }
  const found = await read(context.transport)
  const isOnePage = found.kind !== 'items' || found.pages === 1
  return isOnePage ? found : { ...found, again: () => read(context.transport.afresh ?? context.transport) }
}

/**
 * The matching items. If a list of several pages has none, it is read a second time: an object that is created or deleted
 * between two pages can move an item to a page that was already read.
 */
export const itemsAmong = async (
  listed: Items,
  select: (items: readonly JsonObject[]) => readonly JsonObject[],
): Promise<Items> => {
  if (listed.kind !== 'items') return listed
  const items = select(listed.items)
  if (items.length > 0 || listed.again === undefined) return { ...listed, items }
  const again = await listed.again()
  return again.kind === 'items' ? { ...again, items: select(again.items) } : again
}

/** Kept pages that do not fit together are requested again as a whole: their headers may be older than their bodies. */
const readWhole = async (context: ReadContext, list: PagedList): Promise<Items> => {
  const used = { kept: false }
  const found = await readPages(context, list, used)
  return found.kind === 'items' || !used.kept
    ? found
    : readPages(context, { ...list, first: unconditional(list.first) }, used)
}

const unconditional = ({ conditional: _, ...request }: Request): Request => request

const readPages = async (context: ReadContext, list: PagedList, used: { kept: boolean }): Promise<Items> => {
  const { pagination, first } = list
  const items: JsonObject[] = []
  const cursors = new Set<string>()
  const doubtful = doubtsOf(list)
  let request = first
  let before: Page | undefined
  for (let number = 1; ; number += 1) {
    const answer = await askPage(context, list, { number, request, before: items.length })
    if (answer.kind === 'absent') return number === 1 ? answer : { kind: 'items', items, pages: number }
    if (answer.kind === 'unknown') return answer
    if (answer.response.kept === true) used.kept = true
    const found = itemsOf(list, answer)
    if (!isArray(found)) return badBody(request, found.wrong)
    learnNumbers(list, answer, found)
    for (const item of found) items.push(item)
    const page = { number, request, response: answer.response, items: found, collected: items.length }
    const doubt = (before && doubtAbout(pagination, before, page)) ?? doubtful(found)
    if (doubt !== undefined) return badBody(request, doubt)
    before = page
    const next = nextPage(pagination, page, cursors)
    if (next.kind === 'end') return endedAt(list, page) ?? { kind: 'items', items, pages: number }
    if (next.kind === 'unknown') return next
    request = next.request
  }
}

/** Why a list is not whole although the document has it end here: its last answer says that more is to come. */
const endedAt = (list: PagedList, page: Page): UnknownResult | undefined => {
  const { operation, listing, boxed, pagination, isDescribed } = list
  if (operation.graphql === true) return undefined
  const place = [...pathOf(operation.answer ?? ''), ...pathOf(listing.items)]
  const fault = faultBySigns(page, { place, isInObject: boxed !== undefined, pagination, isDescribed })
  return fault === undefined ? undefined : badBody(page.request, fault)
}

/** One page. A kept one that ends the list must show it in its body, else it is requested as a whole. */
const askPage = async (
  context: ReadContext,
  list: PagedList,
  { number, request, before }: { readonly number: number; readonly request: Request; readonly before: number },
): Promise<AskResult> => {
  const { operation, pagination, mayBeCut } = list
  const absent = number === 1 ? list.absent : endOf(pagination)
  const asked = { operation, request, absent, paged: pagination.style !== 'none', ...defined({ mayBeCut }) }
  const answer = await ask(context, asked)
  if (answer.kind !== 'answer' || answer.response.kept !== true) return answer
  const items = itemsOf(list, answer)
  if (!isArray(items)) return answer
  const page = { number, request, response: answer.response, items, collected: before + items.length }
  const isLast = nextPage(pagination, page, new Set()).kind === 'end'
  return isLast && !endsByBody(pagination, page) ? ask(context, { ...asked, request: unconditional(request) }) : answer
}

/** Answers that end a list on a later page. */
const endOf = (pagination: Pagination): Absences => ('end' in pagination ? pagination.end : [])

/** Why the items of one more page cannot belong to a list that shows each object once, with the identity of each item. */
const doubtsOf = ({ identity }: List): ((items: readonly JsonObject[]) => string | undefined) => {
  const earlier = new Set<string>()
  return (items) => {
    if (identity === undefined) return undefined
    const lack = items.map(identity.lacks).find((each) => each !== undefined)
    if (lack !== undefined) return listFaults.unidentified(lack)
    const texts = items.map(identity.same).filter((text) => text !== undefined)
    if (texts.some((text) => earlier.has(text))) return listFaults.repeatedObject
    for (const text of texts) earlier.add(text)
    return undefined
  }
}

const itemsOf = (
  { operation: { answer = '', emptyWhen }, listing: { items, keyed, plain }, absent, boxed }: PagedList,
  { response }: Extract<AskResult, { readonly kind: 'answer' }>,
): readonly JsonObject[] | { readonly wrong: string } => {
  const answered = valueAt(response.body, [...pathOf(answer), ...pathOf(items)])
  if (answered === null && absent.includes(null)) return []
  // Some leave an empty list out; only the rest of such an answer distinguishes that from a failure.
  if (answered === undefined && emptyWhen?.every((rule) => holdsRule(ruleOf(rule), response.body))) return []
  const found = keyed === undefined ? answered : membersOf(answered, keyed)
  if (!isArray(found)) return { wrong: answers.otherKind(answered, keyed === undefined ? 'a list' : 'an object') }
  if (boxed !== undefined) return found.map((item) => ({ [boxed]: item }))
  if (plain !== undefined)
    return found.every(isText) ? found.map((item) => ({ [plain]: item })) : { wrong: listFaults.notTexts }
  return found.every(isObject) ? found : { wrong: listFaults.notObjects }
}

const learnNumbers = (
  { operation: { answer = '' }, listing, boxed }: PagedList,
  { response }: Extract<AskResult, { readonly kind: 'answer' }>,
  items: readonly JsonObject[],
): void => {
  if (response.numbers === undefined) return
  const { keyed } = listing
  const byName = new Map(keyed === undefined ? [] : items.map((item) => [item[keyed], item] as const))
  const itemAt = (step: string) => (keyed === undefined ? items[Number(step)] : byName.get(step))
  learnItems(response.numbers, [...pathOf(answer), ...pathOf(listing.items)], itemAt, boxed)
}

const isText = (item: Json): boolean => typeof item === 'string' || typeof item === 'number'

/** A member that is no object stays what it is, for the caller to refuse. */
const membersOf = (answered: Json | undefined, keyed: string): Json | undefined =>
  isObject(answered)
    ? Object.entries(answered).map(([name, item]) => (isObject(item) ? { ...item, [keyed]: name } : item))
    : undefined
