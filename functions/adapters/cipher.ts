import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Cipher, Seal } from '#core'

const algorithm = 'aes-256-gcm'
/**
 * Random nonces are safe for fewer than 2^32 texts:
 * https://nvlpubs.nist.gov/nistpubs/Legacy/SP/nistspecialpublication800-38d.pdf, 8.2.2.
 */
const nonceBytes = 12
const tagBytes = 16

/** The key is a seal of a fixed text, so no further secret is needed: docs/decisions/0009-seal-key.md. */
export const createCipher = (seal: Seal): Cipher => {
  let made: Uint8Array | undefined
  const key = (): Uint8Array => {
    made ??= Buffer.from(seal('plumbline: the key of kept answers').split(':').at(-1) ?? '', 'hex')
    return made
  }
  return {
    seal: (bytes, context) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key(), nonce).setAAD(Buffer.from(context))
      const sealed = [cipher.update(bytes), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
    },
    open: (bytes, context) => {
      if (bytes.byteLength < nonceBytes + tagBytes) return undefined
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
      const decipher = createDecipheriv(algorithm, key(), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
