import { gunzipSync } from 'node:zlib'

/** What is compressed, as the text that it stands for: nothing may hide in it from a test that searches what was stored. */
export const readable = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return expandedText(value)
  if (Array.isArray(value)) return value.map(readable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readable(inner)]))
}

const expandedText = (bytes: Uint8Array): string => {
  try {
    return gunzipSync(bytes).toString()
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}
