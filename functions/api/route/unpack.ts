import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError } from '#core'
import type { BodyLimits } from './body-limits.ts'

const inflate = promisify(gunzip)

/**
 * Unpacks gzip, and stops at the limit. Rejects with BODY_TOO_LARGE, and with REQUEST_INVALID where the bytes are not
 * gzip: `problem` is its sentence.
 */
export const unpack = async (packed: Uint8Array, limits: BodyLimits, problem: string): Promise<Buffer> => {
  try {
    return await inflate(packed, { maxOutputLength: limits.unpacked })
  } catch (cause) {
    if (cause instanceof RangeError) throw new AppError('BODY_TOO_LARGE', limits, { cause })
    throw new AppError('REQUEST_INVALID', { problems: [problem] }, { cause })
  }
}
