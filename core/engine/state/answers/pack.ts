import { compressed, expanded } from '../store/blobs.ts'

/** `at` is in milliseconds since 1970; the text is JSON. */
export interface PackedAnswer {
  readonly key: string
  readonly at: number
  readonly etag: string
  readonly text: string
}

export interface PackedPlace {
  readonly pack: string
  readonly key: string
  readonly at: number
  readonly etag: string
  /** Byte offset in the expanded texts. */
  readonly start: number
  readonly length: number
}

type IndexRow = readonly [key: string, at: number, etag: string, length: number]

/** Bytes before the index that contain its length. */
const headBytes = 4

/**
 * Encodes an index, which is read at once, and the texts. They are compressed together because they resemble each
 * other.
 */
export const packed = async (answers: readonly PackedAnswer[]): Promise<Uint8Array> => {
  const rows = answers.map(({ key, at, etag, text }): IndexRow => [key, at, etag, Buffer.byteLength(text)])
  const index = await compressed(JSON.stringify(rows))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(index.byteLength)
  return Buffer.concat([head, index, await compressed(answers.map(({ text }) => text).join(''))])
}

export interface Pack {
  readonly places: readonly PackedPlace[]
  readonly texts: () => Promise<Uint8Array>
}

/** Rejects if the bytes are not a pack. */
export const unpacked = async (pack: string, bytes: Uint8Array): Promise<Pack> => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = headBytes + whole.readUInt32BE(0)
  const rows = JSON.parse((await expanded(whole.subarray(headBytes, end))).toString()) as readonly IndexRow[]
  let start = 0
  const places = rows.map(([key, at, etag, length]) => {
    const place = { pack, key, at, etag, start, length }
    start += length
    return place
  })
  return { places, texts: () => expanded(whole.subarray(end)) }
}
