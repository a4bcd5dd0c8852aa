import { type Alert, type JsonObject, renderAlert } from '#core'
import type { OpenedRoute, RouteRequest } from './route-request.ts'

/** Teams takes 28 KB, of which it needs some itself: https://learn.microsoft.com/microsoftteams/limits-specifications-teams */
const maxCard = 20_000

/** A rich text shows what it holds, whereas a plain text block reads it as Markdown. One for each line, as line feeds are not kept. */
const lineBlock = (text: string, isFirst: boolean): JsonObject => ({
  type: 'RichTextBlock',
  spacing: isFirst ? 'Medium' : 'None',
  inlines: [{ type: 'TextRun', text, fontType: 'Monospace', size: 'Small' }],
})

const linesOf = (text: string): readonly JsonObject[] => {
  const lines = text.trimEnd().split('\n')
  const shown: JsonObject[] = []
  let bytes = 0
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const block = lineBlock(line, lines[index - 1] === '')
    bytes += Buffer.byteLength(JSON.stringify(block)) + 1
    if (bytes > maxCard) return [...shown, lineBlock('...', false)]
    shown.push(block)
  }
  return shown
}

/** An Adaptive Card for a webhook of Workflows: https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook */
export const teamsRequest = (alert: Alert, { url = '' }: OpenedRoute): RouteRequest => {
  const title = { type: 'TextRun', text: renderAlert(alert, { form: 'subject' }), weight: 'Bolder', size: 'Medium' }
  const actions = alert.page === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'Open the check', url: alert.page }]
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [{ type: 'RichTextBlock', inlines: [title] }, ...linesOf(renderAlert(alert, { form: 'text' }))],
    actions,
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { url, body: { type: 'message', attachments: [attachment] } }
}
