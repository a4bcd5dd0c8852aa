import { AppError } from '../../errors/errors.ts'
import type { Json } from '../../schema/json.ts'
import { defined, present } from '../../values/defined.ts'
import { type BlobRef, blobWrites, compressed, deleteBlob, expanded, readBlob } from './blobs.ts'
import { type Changes, soundItems } from './commit.ts'
import type { Condition, Damaged, Item, Key, Page, Paging, Query, Store, Write } from './store.ts'
import { damagedAt, isUnusable, verifyBody } from './verified.ts'
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
  const { body, packed } = item
  // The store has verified a readable body, and a second document of an item has its digest.
  if (blob === undefined && !(packed instanceof Uint8Array)) return body as Shape
  const read =
    blob === undefined ? await unpack(packed as Uint8Array, what) : await readBlob(store, item.pk, blob, what)
  if (member === 'blob') verifyBody(item, read)
  return read as Shape
}

const unpack = async (packed: Uint8Array, what: string): Promise<Json> => {
  const text = await expanded(packed).catch((cause: unknown) => {
    throw new AppError('STORE_CORRUPT', { what, detail: damages.compression }, { cause })
  })
  try {
    return JSON.parse(text.toString()) as Json
  } catch {
    // The error of the parser would quote the text.
    throw new AppError('STORE_CORRUPT', { what, detail: damages.unreadable })
  }
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
  if (item === undefined) return undefined
  const read = await readOrTell<Shape>(store, item, what)
  if (read !== undefined && 'error' in read) throw read.error
  return read?.body
}

interface ReadDocument<Shape> {
  readonly item: Item
  readonly body: Shape
}

/** Tells about a damaged document as a verified store does about a damaged item. */
const readOrTell = async <Shape>(
  store: Store,
  item: Item,
  what: string,
): Promise<ReadDocument<Shape> | Damaged | undefined> => {
  try {
    return await readItem<Shape>(store, item, what)
  } catch (error) {
    if (!isUnusable(error)) throw error
    const damaged = { ...damagedAt(item, ''), error }
    store.report?.(damaged)
    return damaged
  }
}

/** The documents of a page. Damaged ones are in `damaged`, in the order of the page. */
const readPage = async <Shape>(
  store: Store,
  { items, damaged = [], next }: Page,
  what: string,
): Promise<Page<ReadDocument<Shape>>> => {
  const read = present(...(await Promise.all(items.map((item) => readOrTell<Shape>(store, item, what)))))
  const flawed = [...damaged, ...read.filter((one) => 'error' in one)]
  return {
    items: read.filter((one) => 'body' in one),
    ...defined({ next, damaged: flawed.length === 0 ? undefined : flawed }),
  }
}

/** Every document of a query that is not damaged. */
export async function* soundDocuments<Shape>(
  store: Store,
  query: Query,
  what: string,
  tell?: (damaged: Damaged) => void,
): AsyncGenerator<ReadDocument<Shape>> {
  for await (const item of soundItems(store, query, tell)) {
    const read = await readOrTell<Shape>(store, item, what)
    if (read !== undefined && 'error' in read) tell?.(read)
    else if (read !== undefined) yield read
  }
}

/** Lists documents whose keys differ only in their id, highest id first; `next` is an id. */
export const listDocuments = async <Shape>(
  store: Store,
  keyOf: (id: string) => Key,
  { limit, after }: Paging,
  what: string,
): Promise<Page<Shape>> => {
  const { pk, sk: prefix } = keyOf('')
  const from = defined({ after: after === undefined ? undefined : keyOf(after).sk })
  const found = await store.query({ pk, prefix, reverse: true, limit, ...from })
  const { items, damaged } = await readPage<Shape>(store, found, what)
  return { items: items.map(({ body }) => body), ...defined({ next: found.next?.slice(prefix.length), damaged }) }
}
