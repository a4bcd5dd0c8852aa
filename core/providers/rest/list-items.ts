import type { Request, Response } from '../../schema/command.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject, valueAt } from '../../schema/json.ts'
import type { ReadDeps } from '../provider.ts'
import { type Answer, ask, badBody, kindOf, type Unknown, unresolved } from './ask.ts'
import { buildRequest, type Context } from './context.ts'
import type { Listing, Operation, Pagination } from './document.ts'
import { placeOf, type Scope } from './template.ts'

export type Items =
  | { readonly kind: 'items'; readonly items: readonly JsonObject[] }
  | { readonly kind: 'absent' }
  | Unknown

/** The request for a page, or why there is no more. */
type Next = { readonly kind: 'page'; readonly request: Request } | { readonly kind: 'end' } | Unknown

interface Page {
  readonly number: number
  readonly request: Request
  readonly response: Response
  readonly items: readonly JsonObject[]
}

/** All items of a list, over all pages; a list that may not be whole is unknown. */
export const listItems = async (
  context: Context,
  listing: Listing,
  operation: Operation,
  scope: Scope,
  deps: ReadDeps,
): Promise<Items> => {
  const pagination = operation.pagination ?? context.settings.pagination
  const first = buildRequest(context, operation, scope, { query: { ...listing.query, ...firstPageQuery(pagination) } })
  if (!first.ok) return unresolved(first)
  const items: JsonObject[] = []
  let request = first.request
  let before: Page | undefined
  for (let number = 1; ; number += 1) {
    const answer = await ask(context, operation, request, number === 1 ? listing.absent : endOf(pagination), deps)
    if (answer.kind === 'absent') return number === 1 ? answer : { kind: 'items', items }
    const page = readPage(listing, number, request, answer)
    if (page.kind === 'unknown') return page
    const doubt = before && doubtAbout(pagination, before, page)
    if (doubt !== undefined) return badBody(request, doubt)
    before = page
    items.push(...page.items)
    const next = nextPage(context, pagination, page)
    if (next.kind === 'end') return { kind: 'items', items }
    if (next.kind === 'unknown') return next
    request = next.request
  }
}

const endOf = (pagination: Pagination): readonly number[] => (pagination.style === 'page' ? pagination.end : [])

const firstPageQuery = (pagination: Pagination): Readonly<Record<string, Json>> => {
  if (pagination.style === 'none') return {}
  return pagination.style === 'link'
    ? { ...pagination.query }
    : { ...pagination.query, [pagination.param]: pagination.first }
}

const readPage = (
  listing: Listing,
  number: number,
  request: Request,
  answer: Exclude<Answer, { kind: 'absent' }>,
): ({ readonly kind: 'page' } & Page) | Unknown => {
  if (answer.kind === 'unknown') return answer
  const answered = valueAt(answer.response.body, placeOf(listing.items))
  const found = answered === null && listing.absent.includes(null) ? [] : answered
  if (!isArray(found)) return badBody(request, `${kindOf(found)} where a list was expected`)
  if (!found.every(isObject)) return badBody(request, 'a list whose elements are not all objects')
  return { kind: 'page', number, request, response: answer.response, items: found }
}

/** Why two pages in a row are not parts of one list: then an object may stand on neither. */
const doubtAbout = (pagination: Pagination, before: Page, page: Page): string | undefined => {
  if (page.items.length > 0 && JSON.stringify(page.items) === JSON.stringify(before.items)) {
    return 'the same items as the page before it'
  }
  if (pagination.style !== 'page' || pagination.pages === undefined) return undefined
  const place = placeOf(pagination.pages)
  const [was, is] = [before, page].map(({ response }) => valueAt(response.body, place))
  return is === was ? undefined : `another number of pages than the page before it, which was ${was}`
}

const nextPage = (context: Context, pagination: Pagination, page: Page): Next => {
  if (pagination.style === 'none') return { kind: 'end' }
  const next = pagination.style === 'link' ? linkedPage(context, page) : numberedPage(pagination, page)
  if (next.kind !== 'page' || page.number < pagination.maxPages) return next
  return { kind: 'unknown', reason: 'page_limit', detail: `the list has more than ${pagination.maxPages} pages` }
}

/** RFC 8288: `<url>; rel="next"`. */
const linkedPage = (context: Context, { request, response }: Page): Next => {
  const target = /<([^>]*)>[^,]*;\s*rel="?next"?/i.exec(response.headers['link'] ?? '')?.[1]
  if (target === undefined) return { kind: 'end' }
  const url = URL.parse(target, request.url)
  // Credentials go to the configured host and to no other, whatever the answer says.
  if (url === null || url.origin !== new URL(context.baseUrl).origin) {
    return badBody(request, `a link to a next page on another host: ${target}`)
  }
  const next = withoutPlaceholders(url.href)
  return next === request.url
    ? badBody(request, 'a link to itself as the next page')
    : { kind: 'page', request: { ...request, url: next } }
}

/** A server must not make us fill in `{after:...}`, which could be the secret of another one. */
const withoutPlaceholders = (url: string): string => url.replaceAll('{', '%7B').replaceAll('}', '%7D')

const numberedPage = (pagination: Extract<Pagination, { style: 'page' }>, page: Page): Next => {
  if (pagination.pages === undefined) {
    if (page.items.length === 0) return { kind: 'end' }
  } else {
    const pages = valueAt(page.response.body, placeOf(pagination.pages))
    if (typeof pages !== 'number') return badBody(page.request, `no number of pages at ${pagination.pages}`)
    if (page.number >= pages) return { kind: 'end' }
  }
  const url = new URL(page.request.url)
  url.searchParams.set(pagination.param, String(pagination.first + page.number))
  return { kind: 'page', request: { ...page.request, url: url.href } }
}
