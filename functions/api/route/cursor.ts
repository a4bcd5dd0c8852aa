import { AppError, defined, digest } from '#core'

/*
 * A cursor carries where a page ended, bound to the list and the filters it was made for. It opens nothing that the caller
 * may not read anyway, so the check sum has no key: it catches what was cut off, mixed up or made up.
 */

const sum = (list: unknown, after: string): string =>
  digest([list, after]).slice('sha256:'.length, 'sha256:'.length + 16)

/** `list` names the list with its filters, `after` where the page ended. */
export const writeCursor = (list: unknown, after: string): string =>
  Buffer.from(JSON.stringify([1, after, sum(list, after)])).toString('base64url')

const parse = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** The place that a cursor names; REQUEST_INVALID for anything that `writeCursor` did not make for this list. */
export const readCursor = (list: unknown, cursor: string | undefined): { after?: string } => {
  if (cursor === undefined) return {}
  const parts = parse(cursor)
  const after = Array.isArray(parts) ? (parts[1] as unknown) : undefined
  if (typeof after === 'string' && writeCursor(list, after) === cursor) return { after }
  throw new AppError('REQUEST_INVALID', {
    problems: ['query.cursor: is not one of this list; take `next` of the page before, with the same filters'],
  })
}

/** A page as it is answered. */
export const pageAnswer = <Item>(list: unknown, page: { readonly items: readonly Item[]; readonly next?: string }) => ({
  status: 200,
  body: { items: page.items, ...defined({ next: page.next === undefined ? undefined : writeCursor(list, page.next) }) },
})
