import { defined } from '../../values/defined.ts'
import { itemBytes } from './limits.ts'
import type { Item, Page } from './store.ts'

/** A page of DynamoDB ends after 1 MB; a caller that ignores further pages must fail with every store. */
const pageBytes = 1024 * 1024

/** `items` must be live and in order. Reads one more item than it returns. */
export const takePage = (items: Iterable<Item>, limit: number | undefined): Page => {
  const page: Item[] = []
  let bytes = 0
  for (const item of items) {
    if (limit === undefined) bytes += itemBytes(item)
    const full = limit === undefined ? page.length > 0 && bytes > pageBytes : page.length >= limit
    if (full) return { items: page, ...defined({ next: page.at(-1)?.sk }) }
    page.push(item)
  }
  return { items: page }
}
