import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'

/*
 * Opens and makes a sealed box of libsodium, in which GitHub wants secrets: https://doc.libsodium.org/public-key_cryptography/sealed_boxes
 * Other code on purpose than what the product seals with. It is slow, and for tests only: nothing in it is of constant time.
 */

/** https://www.rfc-editor.org/rfc/rfc7693: the start values, and an order of the sixteen words for each round. */
const start64 = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]
const orders = (
  '0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 905724afe1bc683d ' +
  '2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308c2d714a5 a2847615fb9e3cd0 ' +
  '0123456789abcdef ea489fd61c02b753'
)
  .split(' ')
  .map((line) => [...line].map((digit) => Number.parseInt(digit, 16)))

/** Four columns, then four diagonals. */
const quarters = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

const mask64 = (1n << 64n) - 1n
const turned64 = (value: bigint, by: bigint): bigint => ((value >> by) | (value << (64n - by))) & mask64

/** BLAKE2b of one block (128 bytes at most), without a key. Node has it with 64 bytes only, which is another function. */
export const blake2b = (input: Uint8Array, length: number): Uint8Array => {
  const block = Buffer.alloc(128)
  block.set(input)
  const words = Array.from({ length: 16 }, (_, at) => block.readBigUInt64LE(at * 8))
  const first = start64.map((value, at) => (at === 0 ? value ^ 0x01010000n ^ BigInt(length) : value))
  const v = [...first, ...start64]
  const at = (place: number): bigint => v[place] ?? 0n
  v[12] = at(12) ^ BigInt(input.byteLength)
  v[14] = at(14) ^ mask64
  for (const order of orders)
    quarters.forEach(([a, b, c, d], step) => {
      const word = (index: number): bigint => words[order[index] ?? 0] ?? 0n
      v[a] = (at(a) + at(b) + word(2 * step)) & mask64
      v[d] = turned64(at(d) ^ at(a), 32n)
      v[c] = (at(c) + at(d)) & mask64
      v[b] = turned64(at(b) ^ at(c), 24n)
      v[a] = (at(a) + at(b) + word(2 * step + 1)) & mask64
      v[d] = turned64(at(d) ^ at(a), 16n)
      v[c] = (at(c) + at(d)) & mask64
      v[b] = turned64(at(b) ^ at(c), 63n)
    })
  const out = Buffer.alloc(64)
  first.forEach((value, index) => {
    out.writeBigUInt64LE(value ^ at(index) ^ at(index + 8), index * 8)
  })
  return out.subarray(0, length)
}

/** https://cr.yp.to/snuffle/spec.pdf: four rows, then four columns. */
const salsaQuarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const

const wordsOf = (bytes: Uint8Array): number[] => {
  const buffer = Buffer.from(bytes)
  return Array.from({ length: bytes.byteLength / 4 }, (_, at) => buffer.readUInt32LE(at * 4))
}
const constants = wordsOf(Buffer.from('expand 32-byte k'))
const turned32 = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/** The sixteen words before and after twenty rounds. */
const salsa = (
  key: Uint8Array,
  input: Uint8Array,
): { readonly before: readonly number[]; readonly after: readonly number[] } => {
  const [c0 = 0, c1 = 0, c2 = 0, c3 = 0] = constants
  const k = wordsOf(key)
  const before = [c0, ...k.slice(0, 4), c1, ...wordsOf(input), c2, ...k.slice(4), c3]
  const x = [...before]
  const at = (place: number): number => x[place] ?? 0
  for (let round = 0; round < 10; round += 1)
    for (const [a, b, c, d] of salsaQuarters) {
      x[b] = at(b) ^ turned32((at(a) + at(d)) | 0, 7)
      x[c] = at(c) ^ turned32((at(b) + at(a)) | 0, 9)
      x[d] = at(d) ^ turned32((at(c) + at(b)) | 0, 13)
      x[a] = at(a) ^ turned32((at(d) + at(c)) | 0, 18)
    }
  return { before, after: x }
}

const bytesOf = (words: readonly number[]): Buffer => {
  const out = Buffer.alloc(words.length * 4)
  words.forEach((word, at) => {
    out.writeInt32LE(word | 0, at * 4)
  })
  return out
}

const hsalsa = (key: Uint8Array, input: Uint8Array): Uint8Array => {
  const { after } = salsa(key, input)
  return bytesOf([0, 5, 10, 15, 6, 7, 8, 9].map((place) => after[place] ?? 0))
}

const stream = (key: Uint8Array, nonce: Uint8Array, length: number): Uint8Array => {
  const own = hsalsa(key, nonce.subarray(0, 16))
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, at) => {
    const input = Buffer.concat([nonce.subarray(16), bytesOf([at, 0])])
    const { before, after } = salsa(own, input)
    return bytesOf(before.map((word, place) => (word + (after[place] ?? 0)) | 0))
  })
  return Buffer.concat(blocks).subarray(0, length)
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`)

/** https://www.rfc-editor.org/rfc/rfc8439#section-2.5 */
const poly1305 = (key: Uint8Array, message: Uint8Array): bigint => {
  const r = numberOf(key.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn
  const prime = (1n << 130n) - 5n
  let sum = 0n
  for (let from = 0; from < message.byteLength; from += 16) {
    const part = message.subarray(from, from + 16)
    sum = ((sum + numberOf(part) + (1n << BigInt(8 * part.byteLength))) * r) % prime
  }
  return (sum + numberOf(key.subarray(16))) & ((1n << 128n) - 1n)
}

const text64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const jwk = (publicKey: Uint8Array) => ({ kty: 'OKP', crv: 'X25519', x: text64(publicKey) })
const publicOf = (bytes: Uint8Array): KeyObject => createPublicKey({ key: jwk(bytes), format: 'jwk' })

/** The pad of a box: its first 32 bytes are for the tag, the others for the text. */
const padOf = (shared: Uint8Array, sender: Uint8Array, receiver: Uint8Array, length: number): Uint8Array =>
  stream(hsalsa(shared, new Uint8Array(16)), blake2b(Buffer.concat([sender, receiver]), 24), length + 32)

const xored = (bytes: Uint8Array, pad: Uint8Array): Buffer =>
  Buffer.from(bytes.map((byte, at) => byte ^ (pad[at + 32] ?? 0)))

/** What is in the box; `undefined` if it was not sealed for this key. */
export const openSealedBox = (box: Uint8Array, publicKey: Uint8Array, privateKey: Uint8Array): string | undefined => {
  if (box.byteLength < 48) return undefined
  const [sender, tag, sealed] = [box.subarray(0, 32), box.subarray(32, 48), box.subarray(48)]
  const own = createPrivateKey({ key: { ...jwk(publicKey), d: text64(privateKey) }, format: 'jwk' })
  const shared = diffieHellman({ privateKey: own, publicKey: publicOf(sender) })
  const pad = padOf(shared, sender, publicKey, sealed.byteLength)
  return poly1305(pad.subarray(0, 32), sealed) === numberOf(tag) ? xored(sealed, pad).toString() : undefined
}

/** In Base64, as a request carries it. */
export const sealBox = (text: string, publicKey: Uint8Array): string => {
  const { publicKey: own, privateKey } = generateKeyPairSync('x25519')
  const sender = Buffer.from(own.export({ format: 'jwk' }).x ?? '', 'base64url')
  const shared = diffieHellman({ privateKey, publicKey: publicOf(publicKey) })
  const pad = padOf(shared, sender, publicKey, Buffer.byteLength(text))
  const sealed = xored(Buffer.from(text), pad)
  const tag = Buffer.from(poly1305(pad.subarray(0, 32), sealed).toString(16).padStart(32, '0'), 'hex').reverse()
  return Buffer.concat([sender, tag, sealed]).toString('base64')
}
