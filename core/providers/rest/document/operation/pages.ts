import * as z from 'zod'
import { chapter, described, optional } from '../../../../engine/schema/described.ts'
import { absences } from '../shared/answers.ts'
import { answerPlace, count, place, scalar } from '../shared/words.ts'

/** How a list is divided into pages. */

const despite = optional(
  z.array(z.string().min(1)).min(1),
  'Names of members that sound as if the list went on, and say something else: the next run of a job, that an object is partial.',
  ['next'],
)

const common = {
  query: optional(z.record(z.string(), scalar), 'Query parameters of each page.', { sort: 'id' }),
  size: optional(
    z.strictObject({
      param: described(z.string().min(1), 'The parameter.', 'per_page'),
      value: described(count, 'The number of items.', 100),
    }),
    'How many items one page requests.',
  ),
  in: described(
    z.enum(['query', 'body']).default('query'),
    'Where the request for a page has its parameters. With `body`, for a POST list, each `param` is a place in the body.',
  ),
  maxPages: described(count.default(100), 'After so many pages the list is unknown.'),
  despite,
}

const uncounted = z.literal(false)

/* How counted pages end. */
const ends = {
  total: optional(
    z.union([answerPlace, uncounted]),
    'Where the answer has the total number of items. `false`: what it calls its total counts something else.',
    { header: 'X-Total-Count' },
  ),
  shortEnds: described(z.boolean().default(false), 'A page with fewer items than `size` is the last one.'),
  end: described(
    absences.default([]),
    'Statuses that mean that the page does not exist and the list has ended, in the same form as `absent`.',
    [404],
  ),
}

const none = z.strictObject({ style: described(z.literal('none'), 'A list is one answer.'), despite })

const link = z.strictObject({
  style: described(z.literal('link'), 'Follows `Link: <...>; rel="next"` on the same host.'),
  query: common.query,
  size: common.size,
  total: optional(uncounted, 'What an answer calls its total counts something else, so a list may end before it.'),
  shortEnds: optional(
    z.boolean(),
    'A page with fewer items than `size` is the last one. With `reads.conditional` such a page is believed to be the last one still; any other last page is requested as a whole, because its links are not part of its ETag.',
  ),
  maxPages: common.maxPages,
  despite,
})

const page = z.strictObject({
  style: described(
    z.literal('page'),
    'Counts pages, until `pages` or `total` is reached, a page is empty, or a status of `end`.',
  ),
  param: described(z.string().min(1), 'The parameter for the number of the page.', 'page'),
  first: described(z.number().int().nonnegative().default(1), 'The number of the first page.'),
  ...common,
  pages: optional(answerPlace, 'Where the answer has the number of pages.', 'meta.last_page'),
  ...ends,
})

const offset = z.strictObject({
  style: described(
    z.literal('offset'),
    'Counts items, until `total` is reached, a page is empty, or a status of `end`.',
  ),
  param: described(z.string().min(1), 'The parameter for the number of items before the page.', 'offset'),
  first: described(z.number().int().nonnegative().default(0), 'The number of the first item.'),
  ...common,
  ...ends,
})

const cursor = z.strictObject({
  style: described(z.literal('cursor'), 'Each answer has the cursor of the next page.'),
  next: optional(
    answerPlace,
    'Where the answer has the cursor. If it is missing, null or empty, there are no more pages.',
    'meta.next_cursor',
  ),
  last: optional(
    place.min(1),
    'Instead of `next`: the place of the cursor in the last item of the page. The list ends with an empty page, or by `more`.',
    'id',
  ),
  more: optional(answerPlace, 'Where the answer says whether there is another page.', 'has_more'),
  param: optional(
    z.string().min(1),
    'The parameter for the cursor. Without it, the cursor is the whole URL of the next page, on the same host.',
    'cursor',
  ),
  total: optional(uncounted, 'What an answer calls its total counts something else, so a list may end before it.'),
  ...common,
})

export const pagination = chapter(
  'pagination',
  'Pages of lists',
  'How a list is split into pages. A list that may be incomplete is unknown: after `maxPages`, if the number of pages or items changes between pages, if a page or a cursor is repeated, if one of several counted pages is empty, or if the items end before the total, also one that only the answer names.',
  z.union([none, link, page, offset, cursor]),
)
export type Pagination = z.infer<typeof pagination>
/** A style that asks for its next page by a value of its own. */
export type AskedPages = Extract<Pagination, { readonly style: 'page' | 'offset' | 'cursor' }>

/** How a list is asked for where a document says nothing of pages. */
export const onePage: Pagination = { style: 'none' }
