import type { AppError } from '../../errors/errors.ts'
import type { Json } from '../../schema/json.ts'

export interface Key {
  readonly pk: string
  readonly sk: string
}

/**
 * Attribute values are JSON or bytes and are returned as JSON keeps them (no `undefined`, no -0). `ttl` is in seconds
 * since 1970; readers never see an item past it.
 */
export interface Item extends Key {
  readonly ttl?: number
  readonly [attribute: string]: Json | Uint8Array | undefined
}

/** Evaluated on the item before the write; an expired item counts as absent. All conditions of a list must hold. */
export type Condition =
  | { readonly kind: 'absent' }
  | { readonly kind: 'exists' }
  | { readonly kind: 'equals'; readonly attribute: string; readonly value: string | number | boolean }
  /** The attribute is a text or number that is at most the value, or the item (or attribute) is absent. */
  | { readonly kind: 'absentOrAtMost'; readonly attribute: string; readonly value: string | number }

export type Write =
  | { readonly kind: 'put'; readonly item: Item; readonly if?: readonly Condition[] }
  | { readonly kind: 'delete'; readonly key: Key; readonly if?: readonly Condition[] }
  | { readonly kind: 'check'; readonly key: Key; readonly if: readonly Condition[] }

export type WriteResult =
  | { readonly ok: true }
  /** The first write whose condition failed, and the item that was found. */
  | { readonly ok: false; readonly index: number; readonly found?: Item }

export interface Query {
  readonly pk: string
  readonly prefix?: string
  /** Bounds of the sort key; both are included. */
  readonly from?: string
  readonly to?: string
  readonly reverse?: boolean
  /** Number of items. Without it a page ends before 1 MB. */
  readonly limit?: number
  readonly after?: string
}

export interface Paging {
  readonly limit: number
  /** `next` of the previous page. */
  readonly after?: string
}

/** An item that is stored and cannot be used: it is damaged, or its format is later than this code knows. */
export interface Damaged {
  readonly key: Key
  readonly kind: string
  /** Among the items of its kind. */
  readonly id: string
  readonly workspace: string
  /** STORE_CORRUPT, or STATE_NEWER if its format is later. It names the item and shows nothing of its content. */
  readonly error: AppError
}

export interface Page<One = Item> {
  readonly items: readonly One[]
  /** Items of this page that are damaged, in the same order; absent if there are none. */
  readonly damaged?: readonly Damaged[]
  /** Present if there are more items; without a limit, if there may be. */
  readonly next?: string
}

export const maxWrites = 100

/**
 * The port to the single table. Reads are strongly consistent. `write` is all or nothing, takes 1 to `maxWrites` writes
 * on distinct keys, at most 4 MB together, and repeats by itself after conflicts that are not about a condition.
 * Rejects with STORE_UNAVAILABLE. A request that a signal aborts is not repeated, but its write may have happened. `get`
 * rejects with STORE_CORRUPT for a damaged item, or STATE_NEWER for one of a later format, and a page names it: it is
 * never taken for absent. `write` rejects with STATE_NEWER where it meets a later format.
 */
export interface Store {
  get(key: Key, signal?: AbortSignal): Promise<Item | undefined>
  query(query: Query, signal?: AbortSignal): Promise<Page>
  write(writes: readonly Write[], signal?: AbortSignal): Promise<WriteResult>
  /** Makes damage visible that is found after the read of an item, as in a blob. */
  report?(damaged: Damaged): void
}
