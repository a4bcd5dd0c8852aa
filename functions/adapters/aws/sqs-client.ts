import type { SQSClientConfig } from '@aws-sdk/client-sqs'
import { AppError, foreignWords } from '#core'
import { type Patience, waiting } from './patience.ts'

export type SqsConfig = Pick<SQSClientConfig, 'endpoint' | 'region' | 'credentials'>

/** The client loads with the first message: most invocations send none. */
const openClient = async (config: SqsConfig, patience: Patience) => {
  const sdk = await import('@aws-sdk/client-sqs')
  return { sdk, client: new sdk.SQSClient({ ...waiting(patience), ...config }) }
}
type SqsClient = Awaited<ReturnType<typeof openClient>>

/** Every failure is QUEUE_UNAVAILABLE, with the name of the queue. */
export const sqsClient = (config: SqsConfig, patience: Patience) => {
  let opened: Promise<SqsClient> | undefined
  return async <Result>(name: string, send: (opened: SqsClient) => Promise<Result>): Promise<Result> => {
    opened ??= openClient(config, patience)
    try {
      return await send(await opened)
    } catch (error) {
      throw new AppError('QUEUE_UNAVAILABLE', { queue: name, detail: foreignWords(error) }, { cause: error })
    }
  }
}
