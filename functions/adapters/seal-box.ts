import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { BoxSealer } from '#core'

/**
 * X25519 is Node's, which refuses a key that leads to no secret. XSalsa20-Poly1305, and BLAKE2b of 24 bytes, are not in Node: they
 * come from the noble libraries, which are loaded when the first value is sealed.
 */
export const sealBox: BoxSealer = async (text, publicKey) => {
  if (publicKey.byteLength !== 32) return undefined
  const { privateKey, publicKey: own } = generateKeyPairSync('x25519')
  const shared = agree(privateKey, publicKey)
  if (shared === undefined) return undefined
  const [{ hsalsa, xsalsa20poly1305 }, { blake2b }] = await Promise.all([
    import('@noble/ciphers/salsa.js'),
    import('@noble/hashes/blake2.js'),
  ])
  const sender = Buffer.from(own.export({ format: 'jwk' }).x ?? '', 'base64url')
  const nonce = blake2b(Buffer.concat([sender, publicKey]), { dkLen: 24 })
  const key = new Uint32Array(8)
  hsalsa(wordsOf(Buffer.from('expand 32-byte k')), wordsOf(shared), new Uint32Array(4), key)
  const sealed = xsalsa20poly1305(bytesOf(key), nonce).encrypt(new TextEncoder().encode(text))
  return Buffer.concat([sender, sealed])
}

/** `undefined`: the other key is one of the few that give everybody the same secret. */
const agree = (privateKey: KeyObject, other: Uint8Array): Uint8Array | undefined => {
  const jwk = { kty: 'OKP', crv: 'X25519', x: Buffer.from(other).toString('base64url') }
  try {
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
  } catch {
    return undefined
  }
}

/** Salsa20 counts in words of four bytes, the lowest first: https://cr.yp.to/snuffle/spec.pdf */
const wordsOf = (bytes: Uint8Array): Uint32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: bytes.byteLength / 4 }, (_, at) => view.getUint32(at * 4, true))
}

const bytesOf = (words: Uint32Array): Uint8Array => {
  const view = new DataView(new ArrayBuffer(words.length * 4))
  words.forEach((word, at) => {
    view.setUint32(at * 4, word, true)
  })
  return new Uint8Array(view.buffer)
}
