import { AppError } from '../../errors/errors.ts'
import type { Json } from '../../schema/json.ts'
import { defined, present } from '../../values/defined.ts'
import { type BlobRef, blobWrites, compressed, deleteBlob, expanded, readBlob } from './blobs.ts'
import type { Changes } from './commit.ts'
import type { Condition, Item, Key, Page, Paging, Store, Write } from './store.ts'
import { damages } from './words.ts'

/** Bytes. Longer texts are compressed, so that most items fit into 1 KB, the unit of the cost of a write. */
const plainBytes = 800
/** Compressed bytes. A larger text is stored in a blob beside the item, because of the size limit of an item. */
const inlineBytes = 300_000

interface DocumentOptions {
  readonly attributes?: Readonly<Record<string, Json>>
  readonly if?: readonly Condition[]
  /** Seconds since 1970. */
  readonly ttl?: number
  /** False keeps the text readable in the table. */
  readonly compress?: false
  readonly replaces?: BlobRef | undefined
}

/** `member` is for items with several documents. */
export const blobOf = (item: Item | undefined, member = 'blob'): BlobRef | undefined =>
  item?.[member] as BlobRef | undefined

/** Empty if `ref` is the same blob. */
export const blobDeletes = (pk: string, old: BlobRef | undefined, ref?: BlobRef): readonly Write[] =>
  old === undefined || old.digest === ref?.digest ? [] : deleteBlob(pk, old)

/**
 * Stores a record as one item, compressed if it is long. Members that are `undefined` are lost, because they are not
 * JSON.
 */
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

/** Reads the item again if it was replaced meanwhile; `undefined` if it was deleted. Throws STORE_CORRUPT. */
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

/** `undefined` if the item does not exist. Throws STORE_CORRUPT. */
export const getDocument = async <Shape>(store: Store, key: Key, what: string): Promise<Shape | undefined> => {
  const item = await store.get(key)
  return item && (await readItem<Shape>(store, item, what))?.body
}

/** Lists documents whose keys differ only in their id, highest id first; `next` is an id. Throws STORE_CORRUPT. */
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
