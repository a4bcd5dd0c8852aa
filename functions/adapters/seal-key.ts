import * as z from 'zod'
import { AppError, type AwsSigning, defined } from '#core'
import { jsonIn } from './json-in.ts'
import { type Patience, usual } from './patience.ts'
import { networkWords } from './transport/http/network-words.ts'

/** This text must never change: the key of all seals is derived from it. Reasons: docs/decisions/0009-seal-key.md. */
const message = Buffer.from('plumbline: key of the seals, 1').toString('base64')

interface SdkConfiguration {
  readonly region: () => Promise<string>
  readonly credentials: () => Promise<Omit<AwsSigning, 'region' | 'service'>>
}

export interface SealKeyOptions {
  /** ARN of a KMS key of the type HMAC_256. */
  readonly keyId: string
  readonly surroundings?: () => Promise<SdkConfiguration>
  /** The endpoint of the region when absent. */
  readonly endpoint?: string
  /** Four attempts with the usual limits when absent; `connectMs` is part of `answerMs`. */
  readonly patience?: Patience
  readonly pause?: (milliseconds: number) => Promise<void>
}

const answerShape = z.object({ Mac: z.base64() })
const errorShape = z.object({ __type: z.string() })

const ofSdk = async (): Promise<SdkConfiguration> => new (await import('@aws-sdk/client-ssm')).SSMClient().config

const endpointIn = (region: string): string =>
  `https://kms.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}/`

/** Returns the error name of the service, or the status; nothing else of the answer. */
const wordsOf = async (response: Response): Promise<string> => {
  const found = errorShape.safeParse(jsonIn(await response.text()))
  return found.success ? found.data.__type.replace(/^.*#/, '') : `status ${response.status}`
}

const passes = /Throttling|Timeout|Unavailable|KMSInternal|status (429|5\d\d)|^network/

/**
 * Derives the key of the seals with one GenerateMac of a key that never leaves KMS, and that no configuration can name.
 * The result for a key never changes. Rejects with SECRET_UNRESOLVED.
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateMac.html
 */
export const readSealKey = async ({
  keyId,
  surroundings = ofSdk,
  endpoint,
  patience: { attempts, answerMs } = { ...usual, attempts: 4 },
  pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}: SealKeyOptions): Promise<Uint8Array> => {
  // These load with the first key, because most functions never need one.
  const [around, { signAws }] = await Promise.all([surroundings(), import('./transport/http/sign-aws.ts')])
  const ask = async (): Promise<Uint8Array | string> => {
    const [region, { accessKeyId, secretAccessKey, sessionToken }] = await Promise.all([
      around.region(),
      around.credentials(),
    ])
    const url = new URL(endpoint ?? endpointIn(region))
    const body = JSON.stringify({ KeyId: keyId, MacAlgorithm: 'HMAC_SHA_256', Message: message })
    const plain = new Headers({
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'TrentService.GenerateMac',
    })
    const token = defined({ sessionToken })
    const signing = { region, service: 'kms', accessKeyId, secretAccessKey, ...token }
    const headers = await signAws(signing, { method: 'POST', url, headers: plain, body }, new Date())
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(answerMs) })
    if (!response.ok) return wordsOf(response)
    const answer = answerShape.safeParse(jsonIn(await response.text()))
    const mac = Buffer.from(answer.data?.Mac ?? '', 'base64')
    return mac.length === 32 ? mac : 'it is no HMAC-SHA-256'
  }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask().catch((error: unknown) => `network: ${networkWords(error)}`)
    if (typeof answer !== 'string') return answer
    if (attempt === attempts || !passes.test(answer))
      throw new AppError('SECRET_UNRESOLVED', { source: keyId, detail: answer })
    await pause(100 * 2 ** attempt)
  }
}
