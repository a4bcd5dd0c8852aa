import { setAt, valueAt } from '../../../../engine/json/pointer.ts'
import type { Request, Response } from '../../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import { answerUrl } from '../../../../engine/transport/answer/answer-url.ts'
import type { AskedPages, Pagination } from '../../document/operation/pages.ts'
import { pathOf } from '../../document/shared/template.ts'
import type { AnswerPlace } from '../../document/shared/words.ts'
import { badBody } from '../../request/ask.ts'
import { answers } from '../../request/words.ts'
import { listFaults, unknowns } from '../shared/words.ts'
import { parseLinks } from './link-header.ts'

export interface Page {
  /** From 1. */
  readonly number: number
  readonly request: Request
  readonly response: Response
  readonly items: readonly JsonObject[]
  /** Items of this page and all before it. */
  readonly collected: number
}

/** The request for a page, or the reason why there is none. */
export type Next = { readonly kind: 'page'; readonly request: Request } | { readonly kind: 'end' } | UnknownResult

const end: Next = { kind: 'end' }

/** The first request of a list, as its pages are asked for. */
export const firstPage = (pagination: Pagination, request: Request): Request => {
  if (pagination.style === 'none') return request
  const { size } = pagination
  const where = 'in' in pagination ? pagination.in : 'query'
  const sized = size === undefined ? request : put(where, request, size.param, size.value)
  return pagination.style === 'page' || pagination.style === 'offset'
    ? put(where, sized, pagination.param, pagination.first)
    : sized
}

/** A parameter set to a value: in the query, where all else keeps its spelling, or at a place of the body. */
const put = (where: AskedPages['in'], request: Request, param: string, value: Json): Request => {
  if (where === 'body') return { ...request, body: setAt(request.body ?? {}, pathOf(param), value) }
  const [path = '', query = ''] = request.url.split('?')
  const name = encodeURIComponent(param)
  const pair = `${name}=${encodeURIComponent(String(value))}`
  const pairs = query === '' ? [] : query.split('&')
  const isThere = pairs.some((each) => each.split('=')[0] === name)
  const all = isThere ? pairs.map((each) => (each.split('=')[0] === name ? pair : each)) : [...pairs, pair]
  return { ...request, url: `${path}?${all.join('&')}` }
}

/** Why two consecutive pages are not parts of one list: an object may then be on neither of them. */
export const doubtAbout = (pagination: Pagination, before: Page, page: Page): string | undefined => {
  if (page.items.length > 0 && JSON.stringify(page.items) === JSON.stringify(before.items)) {
    return listFaults.samePage
  }
  const place = countedAt(pagination)
  if (place === undefined) return undefined
  const [was, is] = [before, page].map(({ response }) => observedAt(place, response))
  const word = 'pages' in pagination && pagination.pages !== undefined ? 'pages' : 'items'
  return is === was ? undefined : listFaults.otherCount(word, was)
}

const countedAt = (pagination: Pagination): AnswerPlace | undefined =>
  ('pages' in pagination ? pagination.pages : undefined) ?? totalAt(pagination)

const totalAt = (pagination: Pagination): AnswerPlace | undefined =>
  'total' in pagination && pagination.total !== false ? pagination.total : undefined

const observedAt = (place: AnswerPlace, { headers, body }: Response): Json | undefined =>
  typeof place === 'string' ? valueAt(body, pathOf(place)) : headers[place.header.toLowerCase()]

/** Headers are text. */
const numberAt = (place: AnswerPlace, response: Response): number | undefined => {
  const value = observedAt(place, response)
  if (typeof place !== 'string' && typeof value === 'string' && /^\s*\d+\s*$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}

const placeText = (place: AnswerPlace): string => (typeof place === 'string' ? place : `the header ${place.header}`)

/** `seen` holds the cursors of this list so far. */
export const nextPage = (pagination: Pagination, page: Page, seen: Set<string>): Next => {
  const next = following(pagination, page, seen)
  if (next.kind !== 'page' || pagination.style === 'none' || page.number < pagination.maxPages) return next
  return unknowns.tooManyPages(pagination.maxPages)
}

/**
 * Whether the body of a page shows that it is the last one. A server makes the ETag of a page from its body, so after a 304 the
 * link to a new next page, or a new total in a header, may be missing.
 */
export const endsByBody = (pagination: Pagination, { items }: Pick<Page, 'items'>): boolean => {
  if (pagination.style === 'none') return true
  const isShort = 'shortEnds' in pagination && pagination.shortEnds === true && pagination.size !== undefined
  if (isShort && items.length < (pagination.size?.value ?? 0)) return true
  switch (pagination.style) {
    case 'link':
      return false
    case 'page':
    case 'offset':
      return typeof (countedAt(pagination) ?? '') === 'string'
    case 'cursor':
      return [pagination.next, pagination.more].every((place) => typeof (place ?? '') === 'string')
  }
}

const following = (pagination: Pagination, page: Page, seen: Set<string>): Next => {
  switch (pagination.style) {
    case 'none':
      return end
    case 'link':
      return linkedPage(page)
    case 'page':
    case 'offset':
      return numberedPage(pagination, page)
    case 'cursor':
      return cursorPage(pagination, page, seen)
  }
}

/** A link with another context than this page is not followed. */
const linkedPage = ({ request, response }: Page): Next => {
  const links = parseLinks(response.headers['link'] ?? '')
  if (links === undefined) return badBody(request, listFaults.badLinks)
  const isHere = (anchor: string | undefined): boolean =>
    anchor === undefined || URL.parse(anchor, request.url)?.href === URL.parse(request.url)?.href
  const next = links.filter(({ relations, anchor }) => relations.includes('next') && isHere(anchor))
  const [target, ...others] = new Set(next.map((link) => link.target))
  if (target === undefined) return end
  return others.length === 0 ? pageAt(request, target) : badBody(request, listFaults.severalNext)
}

/** The page at a URL that the answer names. */
const pageAt = (request: Request, target: string): Next => {
  const next = answerUrl(target, request.url)
  if (!next.ok) return badBody(request, listFaults.badNext(next.detail, target))
  return next.url === request.url
    ? badBody(request, listFaults.linkToItself)
    : { kind: 'page', request: { ...request, url: next.url } }
}

const numberedPage = (pagination: Extract<Pagination, { style: 'page' | 'offset' }>, page: Page): Next => {
  const { first, param } = pagination
  const place = 'pages' in pagination ? pagination.pages : undefined
  // Servers give fewer items than they were asked for: what was given counts, and a short page ends nothing by itself.
  const passed = pagination.style === 'page' ? page.number : page.collected
  const next: Next = { kind: 'page', request: put(pagination.in, page.request, param, first + passed) }
  if (place === undefined) return byItems(pagination, page, next)
  const pages = numberAt(place, page.response)
  if (pages === undefined) return badBody(page.request, listFaults.noPageCount(placeText(place)))
  if (page.items.length === 0 && pages > 1) return badBody(page.request, listFaults.emptyPage(page.number, pages))
  return page.number >= pages ? end : next
}

/** Whether the items so far are all: by their number, by an empty page, or a short one where the document says so. */
const byItems = (pagination: Extract<Pagination, { style: 'page' | 'offset' }>, page: Page, next: Next): Next => {
  const { shortEnds, size } = pagination
  const place = totalAt(pagination)
  const given = page.items.length
  if (place === undefined) return given === 0 || (shortEnds && size !== undefined && given < size.value) ? end : next
  const total = numberAt(place, page.response)
  if (total === undefined) return badBody(page.request, listFaults.noTotal(placeText(place)))
  if (page.collected >= total) return end
  return given === 0 ? badBody(page.request, listFaults.endedEarly(page.collected, total)) : next
}

const cursorPage = (pagination: Extract<Pagination, { style: 'cursor' }>, page: Page, seen: Set<string>): Next => {
  const { next, last, more: morePlace, param } = pagination
  const { request, response, items } = page
  const more = morePlace === undefined ? undefined : truthAt(morePlace, response)
  if (morePlace !== undefined && more === undefined) {
    return badBody(request, listFaults.noTruth(placeText(morePlace)))
  }
  if (more === false || (next === undefined && items.length === 0)) return end
  const cursor = next === undefined ? valueAt(items.at(-1), pathOf(last ?? '')) : observedAt(next, response)
  if (cursor === undefined || cursor === null || cursor === '') {
    // Without more to say an answer without a cursor is the last one; an item without one breaks the chain.
    return more === undefined && next !== undefined ? end : badBody(request, listFaults.noCursor)
  }
  if (typeof cursor !== 'string' && typeof cursor !== 'number') {
    return badBody(request, answers.otherKind(cursor, 'a cursor'))
  }
  if (seen.has(String(cursor))) return badBody(request, listFaults.repeatedCursor)
  seen.add(String(cursor))
  if (param === undefined) return pageAt(request, String(cursor))
  return { kind: 'page', request: put(pagination.in, request, param, cursor) }
}

const truthAt = (place: AnswerPlace, response: Response): boolean | undefined => {
  const value = observedAt(place, response)
  if (typeof value === 'boolean') return value
  return typeof place !== 'string' && (value === 'true' || value === 'false') ? value === 'true' : undefined
}
