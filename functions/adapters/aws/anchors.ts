import { createHash, createPublicKey } from 'node:crypto'
import * as z from 'zod'
import { AppError, type LedgerAnchors } from '#core'
import { jsonIn } from '../json-in.ts'
import { type AskOptions, askAws, kmsRequest } from './ask-aws.ts'

export interface AnchorsOptions {
  readonly deployment: string
  /** ARN of a KMS key of the type ECC_NIST_P256, for signatures. */
  readonly keyId: string
  /** A bucket with object lock and a default retention, which holds for each object that is put. */
  readonly bucket: string
  readonly kms?: AskOptions
  readonly s3?: AskOptions
}

const signatureShape = z.object({ Signature: z.base64().min(1) })
const keyShape = z.object({ PublicKey: z.base64().min(1) })

const refused =
  (what: string) =>
  (detail: string): AppError =>
    new AppError('ANCHORS_UNAVAILABLE', { what, detail })

/** Signs with KMS and keeps in S3. Rejects with ANCHORS_UNAVAILABLE. */
export const createAnchors = ({ deployment, keyId, bucket, kms = {}, s3 = {} }: AnchorsOptions): LedgerAnchors => {
  const askKms = <Answer extends object>(action: string, content: object, shape: z.ZodType<Answer>): Promise<Answer> =>
    askAws<Answer>(
      kmsRequest(action, { KeyId: keyId, ...content }),
      (text) => shape.safeParse(jsonIn(text)).data ?? 'it is not what was asked for',
      refused(keyId),
      kms,
    )
  return {
    deployment,
    // https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
    sign: async (text) => {
      const Message = Buffer.from(text).toString('base64')
      const content = { Message, MessageType: 'RAW', SigningAlgorithm: 'ECDSA_SHA_256' }
      return (await askKms('Sign', content, signatureShape)).Signature
    },
    publicKey: async () => {
      const { PublicKey } = await askKms('GetPublicKey', {}, keyShape)
      const key = createPublicKey({ key: Buffer.from(PublicKey, 'base64'), format: 'der', type: 'spki' })
      return String(key.export({ type: 'spki', format: 'pem' }))
    },
    keep: async (name, text) => {
      // S3 takes an object with a retention only with a checksum.
      // https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
      const checksum = createHash('sha256').update(text).digest('base64')
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-amz-checksum-sha256': checksum }
      const request = { service: 's3', method: 'PUT', path: `/${bucket}/${name}`, headers, body: text } as const
      await askAws(request, () => ({}), refused(bucket), s3)
    },
  }
}
