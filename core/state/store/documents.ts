import type { Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { type BlobRef, blobWrites, deleteBlob, readBlob } from './blobs.ts'
import type { Changes } from './commit.ts'
import type { Condition, Item, Key, Store, Write } from './store.ts'

/** Larger ones move into a blob beside the item, so that no item comes near the limit whatever it holds. */
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

export const blobOf = (item: Item | undefined): BlobRef | undefined => item?.['blob'] as BlobRef | undefined

const deletions = (pk: string, old: BlobRef | undefined, ref: BlobRef | undefined): readonly Write[] =>
  old === undefined || old.digest === ref?.digest ? [] : deleteBlob(pk, old)

/** A record as one item. What is not JSON (members that are `undefined`) does not survive. */
export const documentChanges = async (key: Key, body: unknown, options: DocumentOptions = {}): Promise<Changes> => {
  const text = JSON.stringify(body)
  const large = Buffer.byteLength(text) > inlineBytes
  const blob = large ? await blobWrites(key.pk, text, options.ttl) : undefined
  const item: Item = {
    ...options.attributes,
    ...key,
    ...(blob === undefined ? { body: JSON.parse(text) } : { blob: blob.ref }),
    ...defined({ ttl: options.ttl }),
  }
  return {
    ahead: blob?.writes ?? [],
    final: [{ kind: 'put', item, ...defined({ if: options.if }) }],
    behind: deletions(key.pk, options.replaces, blob?.ref),
  }
}

/** The caller knows the shape, because only this folder writes it. Throws STORE_CORRUPT. */
export const readDocument = async <Shape>(store: Store, item: Item, what: string): Promise<Shape> => {
  const blob = blobOf(item)
  return (blob === undefined ? item['body'] : await readBlob(store, item.pk, blob, what)) as Shape
}

/** Reads again where the item was replaced, and its blob removed, between two reads. */
export const getDocument = async <Shape>(store: Store, key: Key, what: string): Promise<Shape | undefined> => {
  const item = await store.get(key)
  if (item === undefined) return undefined
  return readDocument<Shape>(store, item, what).catch(async (error) => {
    const again = await store.get(key)
    if (again === undefined || blobOf(again)?.digest === blobOf(item)?.digest) throw error
    return readDocument<Shape>(store, again, what)
  })
}
