import type { Page, Paging } from './backend.ts'

/** All items of a list, page by page. */
export async function* eachItem<Item>(
  list: (paging: Paging) => Promise<Page<Item>>,
  limit = 200,
): AsyncGenerator<Item, void, undefined> {
  for (let after: { readonly after?: string } = {}; ; ) {
    const { items, next } = await list({ limit, ...after })
    yield* items
    if (next === undefined) return
    after = { after: next }
  }
}
