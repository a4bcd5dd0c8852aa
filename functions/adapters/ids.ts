import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Ids } from '#core'

/** Crockford's base 32: https://github.com/ulid/spec */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const encode = (value: bigint, length: number): string => {
  let rest = value
  let text = ''
  for (let n = 0; n < length; n += 1) {
    text = alphabet.charAt(Number(rest & 31n)) + text
    rest >>= 5n
  }
  return text
}

const randomPart = (random: (bytes: number) => Uint8Array): bigint =>
  random(10).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

/**
 * Ids of this process. ULIDs rise strictly: within a millisecond, or when the clock goes back, the random part of the last
 * one is counted up, and past its 80 bits the next millisecond is used.
 */
export const createIds = (clock: Pick<Clock, 'now'>, random: (bytes: number) => Uint8Array = randomBytes): Ids => {
  let time = -1
  let part = 0n
  return {
    ulid: () => {
      const now = clock.now().getTime()
      if (now > time) {
        time = now
        part = randomPart(random)
      } else {
        part += 1n
        if (part >> 80n > 0n) {
          time += 1
          part = randomPart(random)
        }
      }
      return encode(BigInt(time), 10) + encode(part, 16)
    },
    uuid: randomUUID,
    random: Math.random,
  }
}
