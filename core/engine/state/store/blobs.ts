import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { AppError } from '../../errors/errors.ts'
import { digestOfText } from '../../json/digest.ts'
import type { Json } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import type { Store, Write } from './store.ts'
import { damages } from './words.ts'

export const compressed = promisify<string, Buffer>(gzip)
export const expanded = promisify<Uint8Array, Buffer>(gunzip)

/** Compressed bytes of a chunk; DynamoDB allows 400 KB for an item with its names and overhead. */
const chunkBytes = 350_000

/** A reference to JSON of any size in a partition. `digest` is that of its text. */
export type BlobRef = { readonly digest: string; readonly chunks: number }

const chunkKey = (pk: string, { digest }: BlobRef, index: number) => ({
  pk,
  sk: `BLOB#${digest.slice('sha256:'.length)}#${String(index + 1).padStart(5, '0')}`,
})

const blobKeys = (pk: string, ref: BlobRef) =>
  Array.from({ length: ref.chunks }, (_, index) => chunkKey(pk, ref, index))

export const deleteBlob = (pk: string, ref: BlobRef): readonly Write[] =>
  blobKeys(pk, ref).map((key): Write => ({ kind: 'delete', key }))

/**
 * Keys are derived from the content, so a second attempt writes the same chunks. `ttl` removes chunks that no item
 * references.
 */
export const blobWrites = async (
  pk: string,
  text: string,
  ttl?: number,
): Promise<{ readonly ref: BlobRef; readonly writes: readonly Write[] }> => {
  const bytes = await compressed(text)
  const ref = { digest: digestOfText(text), chunks: Math.ceil(bytes.byteLength / chunkBytes) }
  const writes = blobKeys(pk, ref).map((key, index): Write => {
    const part = new Uint8Array(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes))
    return { kind: 'put', item: { ...key, bytes: part, ...defined({ ttl }) } }
  })
  return { ref, writes }
}

const corrupt = (what: string, detail: string, cause?: unknown): AppError =>
  new AppError('STORE_CORRUPT', { what, detail }, { cause })

/** Throws STORE_CORRUPT if a chunk is missing or the digest of the whole does not match. */
export const readBlob = async (store: Store, pk: string, ref: BlobRef, what: string): Promise<Json> => {
  const chunks = await Promise.all(blobKeys(pk, ref).map((key) => store.get(key)))
  const parts = chunks.map((chunk) => chunk?.['bytes'])
  const present = parts.filter((part): part is Uint8Array => part instanceof Uint8Array)
  if (present.length !== ref.chunks) throw corrupt(what, damages.missing(ref.chunks - present.length, ref.chunks))
  const text = await expanded(Buffer.concat(present)).catch((cause) => {
    throw corrupt(what, damages.compression, cause)
  })
  if (digestOfText(text) !== ref.digest) throw corrupt(what, damages.digest(ref.digest))
  return JSON.parse(text.toString())
}
