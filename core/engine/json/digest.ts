import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from './canonical.ts'

/** `sha256:<hex>` over the canonical JSON of a value. */
export const digest = (value: unknown): string => digestOfText(canonicalJson(value))

/** `sha256:<hex>` over text as UTF-8. */
export const digestOfText = (text: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`

/** The name that Git gives to the bytes of a file: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
export const gitBlobName = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex')

/**
 * Whether `signature` is `sha256=<hex>`, the HMAC of the text with this key. The comparison takes constant time. With an empty
 * key everybody could sign, so nothing is signed with it.
 */
export const isSignature = (signature: string, text: string, key: string): boolean => {
  const right = Buffer.from(`sha256=${createHmac('sha256', key).update(text).digest('hex')}`)
  const given = Buffer.from(signature)
  return key !== '' && given.byteLength === right.byteLength && timingSafeEqual(given, right)
}
