import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { applyMessage, checkMessage } from '../adapters/aws/sqs.ts'
import { type Local, recordsOf } from '../cli/backend/backend.ts'
import { type Warn, warningText } from '../cli/terminal/error-text.ts'
import type { Handle } from './queues/lane.ts'
import type { Subscriber } from './queues/subscribers.ts'
import type { DevView } from './view.ts'

export interface Reporter {
  readonly local: Local
  readonly view: DevView
  readonly say: (text: string) => void
}

const endedAt = (event: SQSEvent, { batchItemFailures }: SQSBatchResponse): readonly SQSRecord[] => {
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
  return event.Records.filter(({ messageId }) => !failed.has(messageId))
}

/** Prints the result of a check if it differs from the previous check. Calls `ended` with the duration of the batch. */
export const reportingChecks = (handle: Handle, reporter: Reporter, ended: (tookMs: number) => void): Handle => {
  const last = new Map<string, string>()
  return async (event) => {
    const began = Date.now()
    const answer = await handle(event).finally(() => ended(Date.now() - began))
    for (const workspace of new Set(
      endedAt(event, answer).map(({ body }) => checkMessage.parse(JSON.parse(body)).workspace),
    )) {
      const records = await recordsOf(workspace, reporter.local)
      const [run] = (await records.runs({ limit: 1 })).items
      if (run === undefined) continue
      const finding = [run.status, run.digests?.plan, run.digests?.commands, run.error?.message].join(' ')
      if (last.get(workspace) === finding) continue
      last.set(workspace, finding)
      reporter.say(await reporter.view.checked(run, await records.plan(run.id)))
    }
    return answer
  }
}

export const reportingApplies =
  (handle: Handle, { local, view, say }: Reporter): Handle =>
  async (event) => {
    const answer = await handle(event)
    for (const { body } of endedAt(event, answer)) {
      const { workspace, applyId } = applyMessage.parse(JSON.parse(body))
      say(view.applied(await (await recordsOf(workspace, local)).apply(applyId)))
    }
    return answer
  }

export const showAlerts =
  ({ view, say }: Pick<Reporter, 'view' | 'say'>): Subscriber =>
  async (published) =>
    say(view.alerted(published.Subject ?? ''))

/** Prints each warning once, although the schedule repeats the failed work every few seconds. */
export const warnOnce = (say: (text: string) => void): Warn => {
  const said = new Set<string>()
  return (warning) => {
    const text = warningText(warning)
    if (!said.has(text)) say(text)
    said.add(text)
  }
}
