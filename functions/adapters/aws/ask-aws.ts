import * as z from 'zod'
import { type AwsSigning, defined } from '#core'
import { jsonIn } from '../json-in.ts'
import { type Patience, usual } from './patience.ts'

interface SdkConfiguration {
  readonly region: () => Promise<string>
  readonly credentials: () => Promise<Omit<AwsSigning, 'region' | 'service'>>
}

export interface AskOptions {
  readonly surroundings?: () => Promise<SdkConfiguration>
  /** The endpoint of the region when absent. */
  readonly endpoint?: string
  /** Four attempts with the usual limits when absent; `connectMs` is part of `answerMs`. */
  readonly patience?: Patience
  readonly pause?: (milliseconds: number) => Promise<void>
}

interface AwsQuestion {
  readonly service: 'kms' | 's3'
  readonly method: string
  /** Relative to the endpoint. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const errorShape = z.object({ __type: z.string() })

const ofSdk = async (): Promise<SdkConfiguration> => new (await import('@aws-sdk/client-ssm')).SSMClient().config

const endpointOf = (service: string, region: string): string =>
  `https://${service}.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}/`

/** Returns the error name of the service, or the status; nothing else of the answer. */
const wordsOf = async (response: Response): Promise<string> => {
  const found = errorShape.safeParse(jsonIn(await response.text()))
  return found.success ? found.data.__type.replace(/^.*#/, '') : `status ${response.status}`
}

const passes = /Throttling|Timeout|Unavailable|KMSInternal|status (429|5\d\d)|^network/

/**
 * Sends one signed request, again while that may help. `read` returns the answer, or words for why it is none. Rejects with what
 * `refused` makes of the words.
 */
export const askAws = async <Answer extends object>(
  { service, method, path, headers, body }: AwsQuestion,
  read: (text: string) => Answer | string,
  refused: (detail: string) => Error,
  options: AskOptions,
): Promise<Answer> => {
  const {
    surroundings = ofSdk,
    endpoint,
    patience: { attempts, answerMs } = { ...usual, attempts: 4 },
    pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  } = options
  // These load with the first request, because most functions never send one.
  const [around, { signAws }] = await Promise.all([surroundings(), import('../transport/http/sign-aws.ts')])
  const ask = async (): Promise<Answer | string> => {
    const [region, { accessKeyId, secretAccessKey, sessionToken }] = await Promise.all([
      around.region(),
      around.credentials(),
    ])
    const url = new URL(path, endpoint ?? endpointOf(service, region))
    const signing = { region, service, accessKeyId, secretAccessKey, ...defined({ sessionToken }) }
    const signed = await signAws(signing, { method, url, headers: new Headers(headers), body }, new Date())
    const response = await fetch(url, { method, headers: signed, body, signal: AbortSignal.timeout(answerMs) })
    return response.ok ? read(await response.text()) : wordsOf(response)
  }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask().catch(async (error: unknown) => `network: ${await failureWords(error)}`)
    if (typeof answer !== 'string') return answer
    if (attempt === attempts || !passes.test(answer)) throw refused(answer)
    await pause(100 * 2 ** attempt)
  }
}

/** https://docs.aws.amazon.com/kms/latest/APIReference/Welcome.html */
export const kmsRequest = (action: string, content: object): AwsQuestion => ({
  service: 'kms',
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` },
  body: JSON.stringify(content),
})

/** Loaded with the first failure, which most starts never meet. */
const failureWords = async (error: unknown): Promise<string> =>
  (await import('../transport/http/network-words.ts')).networkWords(error)
