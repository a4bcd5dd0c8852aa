import type { Json } from '../../schema/json.ts'
import { defined, present } from '../../values/defined.ts'
import { type BlobRef, blobWrites, deleteBlob, readBlob } from './blobs.ts'
import type { Changes } from './commit.ts'
import type { Condition, Item, Key, Page, Paging, Store, Write } from './store.ts'

/** Larger documents are stored in a blob beside the item, so that no item reaches the size limit. */
const inlineBytes = 300_000

interface DocumentOptions {
  /** Further attributes, for conditions. */
  readonly attributes?: Readonly<Record<string, Json>>
  readonly if?: readonly Condition[]
  /** Seconds since 1970. */
  readonly ttl?: number
  /** The blob of the version that this one replaces. */
  readonly replaces?: BlobRef | undefined
}

/** The blob references of a document; `member` for items with more than a document. */
export const blobOf = (item: Item | undefined, member = 'blob'): BlobRef | undefined =>
  item?.[member] as BlobRef | undefined

/** The write that deletes the replaced blob, unless `ref` is the same one. */
export const blobDeletes = (pk: string, old: BlobRef | undefined, ref?: BlobRef): readonly Write[] =>
  old === undefined || old.digest === ref?.digest ? [] : deleteBlob(pk, old)

/** A record as one item. What is not JSON (members that are `undefined`) does not survive. */
export const documentChanges = async (key: Key, body: unknown, options: DocumentOptions = {}): Promise<Changes> => {
  const text = JSON.stringify(body)
  const large = Buffer.byteLength(text) > inlineBytes
  const blob = large ? await blobWrites(key.pk, text, options.ttl) : undefined
  const held: Item = blob === undefined ? { ...key, body: JSON.parse(text) } : { ...key, blob: blob.ref }
  const item: Item = { ...options.attributes, ...held, ...defined({ ttl: options.ttl }) }
  return {
    ahead: blob?.writes ?? [],
    final: [{ kind: 'put', item, ...defined({ if: options.if }) }],
    behind: blobDeletes(key.pk, options.replaces, blob?.ref),
  }
}

const bodyOf = async <Shape>(store: Store, item: Item, what: string, member: string): Promise<Shape> => {
  const blob = blobOf(item, member)
  return (blob === undefined ? item['body'] : await readBlob(store, item.pk, blob, what)) as Shape
}

/** Reads an item again if it was replaced in the meantime; `undefined` if it was deleted. Throws STORE_CORRUPT. */
export const readItem = async <Shape>(
  store: Store,
  item: Item,
  what: string,
  member = 'blob',
): Promise<{ readonly item: Item; readonly body: Shape } | undefined> => {
  try {
    return { item, body: await bodyOf<Shape>(store, item, what, member) }
  } catch (error) {
    const again = await store.get({ pk: item.pk, sk: item.sk })
    if (again === undefined) return undefined
    if (blobOf(again, member)?.digest === blobOf(item, member)?.digest) throw error
    return { item: again, body: await bodyOf<Shape>(store, again, what, member) }
  }
}

/** `undefined` where there is none. Throws STORE_CORRUPT. */
export const getDocument = async <Shape>(store: Store, key: Key, what: string): Promise<Shape | undefined> => {
  const item = await store.get(key)
  return item && (await readItem<Shape>(store, item, what))?.body
}

/** Those whose keys differ in their id, the last ids first; `next` is an id. Throws STORE_CORRUPT. */
export const listDocuments = async <Shape>(
  store: Store,
  keyOf: (id: string) => Key,
  { limit, after }: Paging,
  what: string,
): Promise<Page<Shape>> => {
  const { pk, sk: prefix } = keyOf('')
  const from = defined({ after: after === undefined ? undefined : keyOf(after).sk })
  const { items, next } = await store.query({ pk, prefix, reverse: true, limit, ...from })
  const found = await Promise.all(items.map(async (item) => (await readItem<Shape>(store, item, what))?.body))
  return { items: present(...found), ...defined({ next: next?.slice(prefix.length) }) }
}
