import { createHmac } from 'node:crypto'
import { canonicalJson, type Seal } from '#core'

/** Returns the name of a key in its seals: it distinguishes keys and reveals nothing about them. */
const nameOf = (key: string | Uint8Array): string =>
  createHmac('sha256', key).update('plumbline: the name of this key').digest('hex').slice(0, 8)

/**
 * Seals with HMAC-SHA-256: a plain digest of a password could be found by trying values; this needs the key. A seal
 * names its key, so that the seal of another key never looks like a changed value.
 */
export const createSeal = (key: string | Uint8Array): Seal => {
  const head = `hmac-sha256:${nameOf(key)}`
  return (value) => `${head}:${createHmac('sha256', key).update(canonicalJson(value)).digest('hex')}`
}
