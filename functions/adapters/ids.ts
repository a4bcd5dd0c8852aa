import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Ids } from '#core'

/** Crockford's base 32: https://github.com/ulid/spec */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const encode = (value: bigint, length: number): string =>
  [...value.toString(32).padStart(length, '0')].map((digit) => alphabet[Number.parseInt(digit, 32)]).join('')

const randomPart = (random: (bytes: number) => Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(random(10)).toString('hex')}`)

/**
 * ULIDs rise strictly: within a millisecond, or when the clock goes back, the random part of the last one is
 * incremented, and after its 80 bits the next millisecond is used.
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
