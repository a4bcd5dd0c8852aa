import { AppError } from '../../errors/errors.ts'
import type { Json } from '../../schema/json.ts'
import { defined, present } from '../../values/defined.ts'
import { type BlobRef, blobWrites, compressed, deleteBlob, expanded, readBlob } from './blobs.ts'
import type { Changes } from './commit.ts'
import type { Condition, Item, Key, Page, Paging, Store, Write } from './store.ts'
import { damages } from './words.ts'

/** Longer texts are compressed, so that most items are within the kilobyte that the smallest write costs. */
const plainBytes = 800
/** Larger ones, compressed, are stored in a blob beside the item, so that no item reaches the size limit. */
const inlineBytes = 300_000

interface DocumentOptions {
  /** Further attributes, for conditions. */
  readonly attributes?: Readonly<Record<string, Json>>
  readonly if?: readonly Condition[]
  /** Seconds since 1970. */
  readonly ttl?: number
  /** False: legible in the table itself. */
  readonly compress?: false
  /** The blob of the version that this one replaces. */
  readonly replaces?: BlobRef | undefined
}

/** The blob references of a document; `member` for items with more than a document. */
export const blobOf = (item: Item | undefined, member = 'blob'): BlobRef | undefined =>
  item?.[member] as BlobRef | undefined

/** The write that deletes the replaced blob, unless `ref` is the same one. */
export const blobDeletes = (pk: string, old: BlobRef | undefined, ref?: BlobRef): readonly Write[] =>
  old === undefined || old.digest === ref?.digest ? [] : deleteBlob(pk, old)

/** A record as one item, compressed if it is long. What is not JSON (members that are `undefined`) does not survive. */
export const documentChanges = async (key: Key, body: unknown, options: DocumentOptions = {}): Promise<Changes> => {
  const text = JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  const packed = bytes > plainBytes && options.compress !== false ? await compressed(text) : undefined
  const isLarge = (packed?.byteLength ?? bytes) > inlineBytes
  const blob = isLarge ? await blobWrites(key.pk, text, options.ttl) : undefined
  const held = blob === undefined ? heldIn(text, packed) : { blob: blob.ref }
  const item: Item = { ...options.attributes, ...key, ...held, ...defined({ ttl: options.ttl }) }
  return {
    ahead: blob?.writes ?? [],
    final: [{ kind: 'put', item, ...defined({ if: options.if }) }],
    behind: blobDeletes(key.pk, options.replaces, blob?.ref),
  }
}

/** Compressed where that is shorter. */
const heldIn = (
  text: string,
  packed: Uint8Array | undefined,
): { readonly body: Json } | { readonly packed: Uint8Array } =>
  packed === undefined || packed.byteLength >= text.length
    ? { body: JSON.parse(text) as Json }
    : { packed: new Uint8Array(packed) }

const bodyOf = async <Shape>(store: Store, item: Item, what: string, member: string): Promise<Shape> => {
  const blob = blobOf(item, member)
  if (blob !== undefined) return (await readBlob(store, item.pk, blob, what)) as Shape
  const { body, packed } = item
  return (packed instanceof Uint8Array ? await unpack(packed, what) : body) as Shape
}

const unpack = async (packed: Uint8Array, what: string): Promise<Json> => {
  const text = await expanded(packed).catch((cause: unknown) => {
    throw new AppError('STORE_CORRUPT', { what, detail: damages.compression }, { cause })
  })
  return JSON.parse(text.toString()) as Json
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
