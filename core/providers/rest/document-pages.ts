import * as z from 'zod'
import { count, place, scalar, spot, status } from './document-words.ts'

/* How a list comes in parts. */

const common = {
  /** Goes along with each page. */
  query: z.record(z.string(), scalar).exactOptional(),
  /** How many items a page shall have. */
  size: z.strictObject({ param: z.string().min(1), value: count }).exactOptional(),
  /** Of a POST list: what asks for a page stands in the body, at places. */
  in: z.enum(['query', 'body']).default('query'),
  maxPages: count.default(100),
}

const none = z.strictObject({ style: z.literal('none') })

const link = z.strictObject({
  style: z.literal('link'),
  query: common.query,
  size: common.size,
  maxPages: common.maxPages,
})

const page = z.strictObject({
  style: z.literal('page'),
  param: z.string().min(1),
  first: z.number().int().nonnegative().default(1),
  ...common,
  /** The number of pages. Without it the list ends with an empty page or one of `end`. */
  pages: spot.exactOptional(),
  end: z.array(status).default([]),
})

const offset = z.strictObject({
  style: z.literal('offset'),
  /** How many items come before the page. */
  param: z.string().min(1),
  /** Of the first item. */
  first: z.number().int().nonnegative().default(0),
  ...common,
  /** The number of all items. Without it the list ends with an empty page or one of `end`. */
  total: spot.exactOptional(),
  /** A page with fewer items than `size` is the last one. */
  shortEnds: z.boolean().default(false),
  end: z.array(status).default([]),
})

const cursor = z.strictObject({
  style: z.literal('cursor'),
  /** Where an answer tells what the next page is asked for with. Missing, null or empty: there is none. */
  next: spot.exactOptional(),
  /** Instead: the place of it in the last item of the page. The list ends with an empty page, or by `more`. */
  last: place.min(1).exactOptional(),
  /** The place of a boolean: whether there is another page. */
  more: spot.exactOptional(),
  /** What takes it; without, it is the whole URL of the next page. */
  param: z.string().min(1).exactOptional(),
  ...common,
})

export const pagination = z.union([none, link, page, offset, cursor])
export type Pagination = z.infer<typeof pagination>
/** A style that asks for its next page by a value of its own. */
export type AskedPages = Extract<Pagination, { readonly style: 'page' | 'offset' | 'cursor' }>
