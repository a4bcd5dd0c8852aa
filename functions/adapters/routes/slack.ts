import { type Alert, renderAlert, shorten } from '#core'
import type { OpenedRoute, RouteRequest } from './route-request.ts'

/** A text of a section has at most 3,000 characters; escapes and fences need some. https://docs.slack.dev/reference/block-kit/blocks/section-block */
const maxText = 3_000

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** So that a text holds no link and mentions nobody: https://docs.slack.dev/messaging/formatting-message-text */
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '')

/** As much of a text as fits when it is escaped, so that no escape is cut in two. */
const fitting = (text: string, most: number): string => {
  let length = text.length
  while (escaped(shorten(text, length)).length > most) length = Math.floor(length * 0.9)
  return escaped(shorten(text, length))
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } })

/** For an incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slackRequest = (alert: Alert, { url = '' }: OpenedRoute): RouteRequest => {
  const subject = renderAlert(alert, { form: 'subject' })
  // Three backticks in the text would end the block of code.
  const text = renderAlert(alert, { form: 'text' }).trimEnd().replaceAll('```', "'''")
  const page = alert.page === undefined ? [] : [section(`<${alert.page}|Open the check>`)]
  return {
    url,
    body: {
      // For notifications, which show no blocks.
      text: escaped(subject),
      blocks: [section(`*${escaped(subject)}*`), section(`\`\`\`${fitting(text, maxText - 6)}\`\`\``), ...page],
    },
  }
}
