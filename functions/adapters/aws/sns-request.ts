import type { MessageAttributeValue, PublishCommandInput } from '@aws-sdk/client-sns'
import { type Alert, defined, mapMembers, renderAlert, shorten } from '#core'

/**
 * SNS takes 262,144 bytes with the attributes; the rest is for what SNS adds itself.
 * https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
 */
export const maxBytes = 250_000
const maxSubject = 100

/**
 * Makes a subject that SNS takes: printable ASCII on one line, beginning with a letter, digit or punctuation mark, at
 * most 100 characters.
 */
export const asciiSubject = (text: string): string => {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/gu, '?')
    .trim()
  return shorten(line, maxSubject)
}

const attributes = ({ workspace, kind, about, severity, version }: Alert): Record<string, MessageAttributeValue> =>
  mapMembers({ workspace, kind, about, severity, version }, (value) => ({ DataType: 'String', StringValue: value }))

/** `default` is the JSON that every machine protocol receives: sqs, lambda, http(s), email-json. */
const message = (alert: Alert): string =>
  JSON.stringify({
    default: JSON.stringify(alert),
    email: renderAlert(alert, { form: 'text' }),
    sms: renderAlert(alert, { form: 'sms' }),
  })

const withFindings = (alert: Alert, kept: number): Alert => ({
  ...alert,
  findings: alert.findings.slice(0, kept),
  findingsLeftOut: alert.findingsLeftOut + alert.findings.length - kept,
})

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8')

const messageWithin = (alert: Alert, room: number): string => {
  const whole = message(alert)
  if (bytes(whole) <= room) return whole
  let fits = 0
  let tooMany = alert.findings.length
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (bytes(message(withFindings(alert, middle))) <= room) fits = middle
    else tooMany = middle
  }
  return message(withFindings(alert, fits))
}

/** Where a deployment is reached. */
export interface Reached {
  /** For the commands in the text. */
  readonly endpoint?: string | undefined
  /** The address of its web page; absent: it has none. */
  readonly page?: string | undefined
}

const viewOf = ({ workspace, runId }: Alert, page: string): string =>
  `${page}/#/w/${encodeURIComponent(workspace)}/runs/${encodeURIComponent(runId)}`

/** The alert with the places where its reader finds more. */
export const reachedAlert = (alert: Alert, { endpoint, page }: Reached): Alert => ({
  ...alert,
  ...defined({ endpoint, page: page && viewOf(alert, page) }),
})

export const alertRequest = (given: Alert, topicArn: string, reached: Reached = {}): PublishCommandInput => {
  const alert = reachedAlert(given, reached)
  const Subject = asciiSubject(renderAlert(alert, { form: 'subject' }))
  const MessageAttributes = attributes(alert)
  const room = maxBytes - bytes(Subject) - bytes(JSON.stringify(MessageAttributes))
  return {
    TopicArn: topicArn,
    Subject,
    MessageAttributes,
    MessageStructure: 'json',
    Message: messageWithin(alert, room),
  }
}
