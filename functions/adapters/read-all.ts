/**
 * Reads a stream to its end; `undefined` if there are more than `limit` bytes. When reading stops early, the stream and
 * its connection are cancelled.
 */
export const readAll = async (chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | undefined> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of chunks) {
    size += part.byteLength
    if (size > limit) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}
