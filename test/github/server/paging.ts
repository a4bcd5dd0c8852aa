import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Route } from '../description/routes.ts'
import type { Listed } from './call.ts'

/** One page of a list, and the `Link` header that leads to the others. */

export interface Page {
  readonly body: Json
  readonly headers: Readonly<Record<string, string>>
}

/** GitHub shows no more on a page, whatever was asked for; variables come in smaller pages. */
const mostOf = ({ operation: { operationId } }: Route): number => (operationId.endsWith('-variables') ? 30 : 100)

/** Some lists have cursors instead of numbers. */
const hasCursor = ({ parameters }: Route): boolean =>
  parameters.some(({ name }) => name === 'after') && !parameters.some(({ name }) => name === 'page')

const cursorOf = (start: number): string => Buffer.from(`from:${start}`).toString('base64url')
const startOf = (cursor: Json | undefined): number =>
  Number(
    Buffer.from(String(cursor ?? ''), 'base64url')
      .toString()
      .replace('from:', ''),
  )

const isPaged = ({ parameters }: Route): boolean => parameters.some(({ name }) => name === 'per_page')

const linksOf = (url: URL, page: number, last: number): string => {
  const to = (rel: string, number: number): string => {
    const there = new URL(url)
    there.searchParams.set('page', String(number))
    return `<${there.href}>; rel="${rel}"`
  }
  const before = page > 1 ? [to('prev', page - 1)] : []
  const after = page < last ? [to('next', page + 1), to('last', last)] : []
  return [...before, ...after, ...(page > 1 ? [to('first', 1)] : [])].join(', ')
}

const bodyOf = ({ items, under, beside }: Listed, views: readonly Json[]): Json =>
  under === undefined ? views : { total_count: items.length, ...beside, [under]: views }

const cursorPage = (list: Listed, show: (item: unknown) => Json, query: JsonObject, url: URL): Page => {
  const size = Math.min(Math.max(Number(query['per_page'] ?? 30), 1), 100)
  const start = startOf(query['after'])
  const next = new URL(url)
  next.searchParams.set('after', cursorOf(start + size))
  return {
    body: bodyOf(list, list.items.slice(start, start + size).map(show)),
    headers: start + size < list.items.length ? { link: `<${next.href}>; rel="next"` } : {},
  }
}

export const pageOf = (route: Route, list: Listed, query: JsonObject, url: URL, isShort = false): Page => {
  const { items, view } = list
  const show = view as (item: unknown) => Json
  if (hasCursor(route)) return cursorPage(list, show, query, url)
  const size = isPaged(route) ? Math.min(Math.max(Number(query['per_page'] ?? 30), 1), mostOf(route)) : items.length
  const page = Math.max(Number(query['page'] ?? 1), 1)
  const shown = isPaged(route) ? items.slice((page - 1) * size, page * size) : items
  const link = linksOf(url, page, isPaged(route) ? Math.ceil(items.length / size) : 1)
  const views = (isShort ? shown.slice(0, -1) : shown).map(show)
  return { body: bodyOf(list, views), headers: link === '' ? {} : { link } }
}
