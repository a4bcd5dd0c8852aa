import type { BoxSealer } from '#core'

/**
 * Uses libsodium, which is loaded when the first value is sealed. It refuses a key that gives everybody the same
 * secret.
 */
export const sealBox: BoxSealer = async (text, publicKey) => {
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  if (publicKey.byteLength !== sodium.crypto_box_PUBLICKEYBYTES) return undefined
  try {
    return sodium.crypto_box_seal(text, publicKey)
  } catch {
    return undefined
  }
}
