import type { Json, JsonObject } from '../../../core/schema/json.ts'
import type { Route } from '../description/routes.ts'
import type { Reply } from './call.ts'

/** One page of a list, and the `Link` header that leads to the others. */

export interface Page {
  readonly body: Json
  readonly headers: Readonly<Record<string, string>>
}

/** GitHub shows no more on a page, whatever was asked for; variables come in smaller pages. */
const mostOf = ({ operation: { operationId } }: Route): number => (operationId.endsWith('-variables') ? 30 : 100)

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

export const pageOf = (route: Route, list: NonNullable<Reply['list']>, query: JsonObject, url: URL): Page => {
  const { items, view, under, beside } = list
  const show = view as (item: unknown) => Json
  const size = isPaged(route) ? Math.min(Math.max(Number(query['per_page'] ?? 30), 1), mostOf(route)) : items.length
  const page = Math.max(Number(query['page'] ?? 1), 1)
  const shown = isPaged(route) ? items.slice((page - 1) * size, page * size) : items
  const link = linksOf(url, page, isPaged(route) ? Math.ceil(items.length / size) : 1)
  const views = shown.map(show)
  return {
    body: under === undefined ? views : { total_count: items.length, ...beside, [under]: views },
    headers: link === '' ? {} : { link },
  }
}
