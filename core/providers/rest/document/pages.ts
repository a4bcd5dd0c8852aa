import * as z from 'zod'
import { chapter, described, optional } from '../../../schema/described.ts'
import { absences } from './answers.ts'
import { answerPlace, count, place, scalar } from './words.ts'

/* How a list comes in parts. */

const common = {
  query: optional(z.record(z.string(), scalar), 'Goes along with each page.', { sort: 'id' }),
  size: optional(
    z.strictObject({
      param: described(z.string().min(1), 'The parameter.', 'per_page'),
      value: described(count, 'The number of items.', 100),
    }),
    'How many items are asked for in one page.',
  ),
  in: described(
    z.enum(['query', 'body']).default('query'),
    'Where what asks for a page stands; with `body`, of a POST list, each `param` is a place of the body.',
  ),
  maxPages: described(count.default(100), 'After so many pages the list is unknown.'),
}

/* How counted pages end. */
const ends = {
  total: optional(answerPlace, 'Where the answer tells the number of all items.', { header: 'X-Total-Count' }),
  shortEnds: described(z.boolean().default(false), 'A page with fewer items than `size` is the last one.'),
  end: described(
    absences.default([]),
    'What says that there is no such page, and that the list has ended: statuses, as under `absent`.',
    [404],
  ),
}

const none = z.strictObject({ style: described(z.literal('none'), 'Lists come whole.') })

const link = z.strictObject({
  style: described(z.literal('link'), 'Follows `Link: <...>; rel="next"` on the same host.'),
  query: common.query,
  size: common.size,
  maxPages: common.maxPages,
})

const page = z.strictObject({
  style: described(
    z.literal('page'),
    'Counts pages until there are no more of them, an empty page, or a status of `end`.',
  ),
  param: described(z.string().min(1), 'The parameter that takes the number of the page.', 'page'),
  first: described(z.number().int().nonnegative().default(1), 'The number of the first page.'),
  ...common,
  pages: optional(answerPlace, 'Where the answer tells the number of pages.', 'meta.last_page'),
  ...ends,
})

const offset = z.strictObject({
  style: described(
    z.literal('offset'),
    'Counts items until there are no more of them, an empty page, or a status of `end`.',
  ),
  param: described(z.string().min(1), 'The parameter that takes how many items come before the page.', 'offset'),
  first: described(z.number().int().nonnegative().default(0), 'The number of the first item.'),
  ...common,
  ...ends,
})

const cursor = z.strictObject({
  style: described(z.literal('cursor'), 'Each answer tells what the next page is asked for with.'),
  next: optional(
    answerPlace,
    'Where it tells that. Missing, null or empty: there is no further page.',
    'meta.next_cursor',
  ),
  last: optional(
    place.min(1),
    'Instead: its place in the last item of the page. The list ends with an empty page, or by `more`.',
    'id',
  ),
  more: optional(answerPlace, 'Where the answer says whether there is another page.', 'has_more'),
  param: optional(
    z.string().min(1),
    'The parameter that takes it; without, it is the whole URL of the next page, on the same host.',
    'cursor',
  ),
  ...common,
})

export const pagination = chapter(
  'pagination',
  'Pages of lists',
  'How a list comes in parts. It is unknown, never short: after `maxPages`, where a number of pages or items changes on the way, where a page or a cursor comes again, where one of several counted pages is empty, and where the items end before the total.',
  z.union([none, link, page, offset, cursor]),
)
export type Pagination = z.infer<typeof pagination>
/** A style that asks for its next page by a value of its own. */
export type AskedPages = Extract<Pagination, { readonly style: 'page' | 'offset' | 'cursor' }>
