import { AppError, defined, digest, namesOf, type Page, type Paging } from '#core'
import { jsonIn } from '../../adapters/json-in.ts'
import { type Answer, ok } from './route.ts'

/**
 * A cursor contains the position where a page ended, bound to the list and its filters. It gives no access to anything,
 * so the checksum has no key: it detects a cursor that was cut, changed or used for another list.
 */

const sum = (list: unknown, after: string): string =>
  digest([list, after]).slice('sha256:'.length, 'sha256:'.length + 16)

/** `list` names the list with its filters, `after` is the position where the page ended. */
export const writeCursor = (list: unknown, after: string): string =>
  Buffer.from(JSON.stringify([1, after, sum(list, after)])).toString('base64url')

/** Returns the position in a cursor; throws REQUEST_INVALID if `writeCursor` did not make the cursor for this list. */
export const readCursor = (list: unknown, cursor: string | undefined): { after?: string } => {
  if (cursor === undefined) return {}
  const parts = jsonIn(Buffer.from(cursor, 'base64url').toString('utf8'))
  const after = Array.isArray(parts) ? (parts[1] as unknown) : undefined
  if (typeof after === 'string' && writeCursor(list, after) === cursor) return { after }
  throw new AppError('REQUEST_INVALID', {
    problems: ['query.cursor: is not one of this list; take `next` of the page before, with the same filters'],
  })
}

export const answerPage = async <Item>(
  list: unknown,
  { cursor, limit }: { readonly cursor?: string; readonly limit: number },
  load: (paging: Paging) => Promise<Page<Item>>,
): Promise<Answer> => {
  const { items, next, damaged } = await load({ limit, ...readCursor(list, cursor) })
  const cursorOfNext = next === undefined ? undefined : writeCursor(list, next)
  return ok({ items, ...defined({ next: cursorOfNext, damaged: namesOf(damaged) }) })
}
