import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { SignJwt } from '#core'

/**
 * Uses jose, which is loaded when the first token is signed. WebCrypto reads PKCS#8 only, and GitHub hands out PKCS#1:
 * so Node reads the key.
 */
export const signJwt: SignJwt = async (header, claims, key) => {
  const { SignJWT } = await import('jose')
  const read = readKey(key)
  if (read === undefined) return undefined
  // jose's error tells nothing about the key, except that it does not fit.
  return new SignJWT({ ...claims })
    .setProtectedHeader({ typ: 'JWT', ...header })
    .sign(read)
    .catch(() => undefined)
}

/** A variable or a JSON secret often has the two characters `\\n` in place of each line break. */
const readKey = (text: string): KeyObject | undefined => {
  try {
    return createPrivateKey(text.includes('\n') ? text : text.replaceAll('\\n', '\n'))
  } catch {
    return undefined
  }
}
