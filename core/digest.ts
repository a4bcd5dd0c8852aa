import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** RFC 8785: the one spelling of a JSON value. Members that are `undefined` are left out. */
export const canonicalJson = (value: unknown): string => canonicalize(value) ?? 'null'

/** `sha256:<hex>` over the canonical JSON of a value. */
export const digest = (value: unknown): string => digestOfText(canonicalJson(value))

/** `sha256:<hex>` over text as UTF-8. */
export const digestOfText = (text: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`
