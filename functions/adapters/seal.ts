import { createHmac } from 'node:crypto'
import type { Seal } from '#core'
import { canonicalJson } from '#core'

/** HMAC-SHA-256: without the key nobody can try values until the digest fits, as a plain digest of a password would allow. */
export const createSeal =
  (key: string | Uint8Array): Seal =>
  (value) =>
    `hmac-sha256:${createHmac('sha256', key).update(canonicalJson(value)).digest('hex')}`
