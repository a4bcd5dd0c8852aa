import type { SNSClientConfig } from '@aws-sdk/client-sns'
import { type Alert, type AlertSink, AppError, foreignWords } from '#core'
import { endingWith, type Patience, usual, waiting } from './patience.ts'
import type { Reached } from './sns-request.ts'

/** The client loads with the first alert, together with the alert texts: most checks have no alert. */
const openClient = async (config: SNSClientConfig, patience: Patience) => {
  const [{ PublishCommand, SNSClient }, { alertRequest }] = await Promise.all([
    import('@aws-sdk/client-sns'),
    import('./sns-request.ts'),
  ])
  const client = new SNSClient({ ...waiting(patience), ...config })
  return (alert: Alert, topicArn: string, reached: Reached) => {
    const request = new PublishCommand(alertRequest(alert, topicArn, reached))
    return (signal: AbortSignal | undefined) => client.send(request, endingWith(signal))
  }
}

interface Publishing extends Reached {
  readonly client?: SNSClientConfig
  readonly patience?: Patience
}

/** Publishes to a topic. Its ARN is read with the first alert. Rejects with ALERT_REFUSED. */
export const createAlertSink = (
  topicArn: () => string,
  { client = {}, patience = usual, ...reached }: Publishing = {},
): AlertSink => {
  let opened: ReturnType<typeof openClient> | undefined
  return {
    publish: async (alert, signal) => {
      const topic = topicArn()
      opened ??= openClient(client, patience)
      const send = (await opened)(alert, topic, reached)
      try {
        await send(signal)
      } catch (error) {
        throw new AppError('ALERT_REFUSED', { detail: foreignWords(error) }, { cause: error })
      }
    },
  }
}
