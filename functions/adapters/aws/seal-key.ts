import * as z from 'zod'
import { AppError } from '#core'
import { jsonIn } from '../json-in.ts'
import { type AskOptions, askAws, kmsRequest } from './ask-aws.ts'

/** This text must never change: the key of all seals is derived from it. Reasons: docs/decisions/0009-seal-key.md. */
const message = Buffer.from('plumbline: key of the seals, 1').toString('base64')

export interface SealKeyOptions extends AskOptions {
  /** ARN of a KMS key of the type HMAC_256. */
  readonly keyId: string
}

const answerShape = z.object({ Mac: z.base64() })

/**
 * Derives the key of the seals with one GenerateMac of a key that never leaves KMS, and that no configuration can name.
 * The result for a key never changes. Rejects with SECRET_UNRESOLVED.
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html
 */
export const readSealKey = ({ keyId, ...options }: SealKeyOptions): Promise<Uint8Array> =>
  askAws<Uint8Array>(
    kmsRequest('GenerateMac', { KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: message }),
    (text) => {
      const mac = Buffer.from(answerShape.safeParse(jsonIn(text)).data?.Mac ?? '', 'base64')
      return mac.length === 32 ? mac : 'it is no HMAC-SHA-256'
    },
    (detail) => new AppError('SECRET_UNRESOLVED', { source: keyId, detail }),
    options,
  )
