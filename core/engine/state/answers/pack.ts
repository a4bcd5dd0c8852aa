import { compressed, expanded } from '../store/blobs.ts'

/** An answer in a pack: its key, when it was fetched (milliseconds since 1970), its ETag, and its JSON text. */
export interface PackedAnswer {
  readonly key: string
  readonly at: number
  readonly etag: string
  readonly text: string
}

/** Where an answer is in its pack. */
export interface PackedPlace {
  readonly pack: string
  readonly key: string
  readonly at: number
  readonly etag: string
  /** Bytes of the expanded texts. */
  readonly start: number
  readonly length: number
}

type IndexRow = readonly [key: string, at: number, etag: string, length: number]

/** Of the length of the index, in front of it. */
const headBytes = 4

/** Answers as bytes: an index, which is read at once, and the texts, compressed together because they resemble each other. */
export const packed = async (answers: readonly PackedAnswer[]): Promise<Uint8Array> => {
  const rows = answers.map(({ key, at, etag, text }): IndexRow => [key, at, etag, Buffer.byteLength(text)])
  const index = await compressed(JSON.stringify(rows))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(index.byteLength)
  return Buffer.concat([head, index, await compressed(answers.map(({ text }) => text).join(''))])
}

export interface Pack {
  readonly places: readonly PackedPlace[]
  /** All texts, in order. */
  readonly texts: () => Promise<Uint8Array>
}

/** Rejects where the bytes are no pack. */
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
