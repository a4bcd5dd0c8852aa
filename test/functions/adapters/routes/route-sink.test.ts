import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AlertRoute, RouteKind } from '../../../../core/engine/schema/alert-route.ts'
import type { Alert } from '../../../../core/engine/schema/stored/findings.ts'
import { sendToRoute } from '../../../../functions/adapters/routes/route-sink.ts'
import { signWebhook } from '../../../../functions/adapters/routes/webhook.ts'
import { createTransport } from '../../../../functions/adapters/transport/index.ts'
import { anAlert } from '../../../builders/values/records.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

/* A receiver on loopback takes what is sent, and the facts that each receiver publishes about its format judge it. */

const heard: { readonly headers: IncomingHttpHeaders; readonly text: string }[] = []
let answer = { status: 202, type: 'text/plain', text: '' }
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  heard.push({ headers: request.headers, text: Buffer.concat(chunks).toString('utf8') })
  response.writeHead(answer.status, { 'content-type': answer.type, location: '/elsewhere' }).end(answer.text)
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  heard.length = 0
  answer = { status: 202, type: 'text/plain', text: '' }
})

const canary = 'T0CANARY'
const addressOf = (): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/${canary}?sig=${canary}`
const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const send = (route: AlertRoute, alert: Alert, url = addressOf(), signsWith = key): Promise<void> => {
  const values: Readonly<Record<string, string>> = { 'env:URL': url, 'env:KEY': signsWith }
  return sendToRoute(route, alert, {
    transport: createTransport({}),
    clock: movableClock(),
    secrets: { resolve: async (source) => values[source] ?? '' },
    page: 'https://plumbline.acme.example',
  })
}

const [url, signed] = [{ secret: 'env:URL' }, { secret: 'env:KEY' }]
const routes: Readonly<Record<RouteKind, AlertRoute>> = {
  webhook: { kind: 'webhook', url, key: signed },
  slack: { kind: 'slack', url },
  teams: { kind: 'teams', url },
  pagerduty: { kind: 'pagerduty', url, key: signed },
}

/** https://docs.slack.dev/reference/block-kit/blocks and .../messaging/sending-messages-using-incoming-webhooks */
const slackMessage = z.strictObject({
  text: z.string().min(1).max(4_000),
  blocks: z
    .array(
      z.strictObject({
        type: z.literal('section'),
        text: z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3_000) }),
      }),
    )
    .max(50),
})

/** https://adaptivecards.io/explorer, https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook */
const textRun = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string(),
  fontType: z.enum(['Default', 'Monospace']).optional(),
  size: z.enum(['Default', 'Small', 'Medium', 'Large', 'ExtraLarge']).optional(),
  weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
})
const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: z.literal('AdaptiveCard'),
        version: z.enum(['1.2', '1.3', '1.4', '1.5']),
        msteams: z.strictObject({ width: z.literal('Full') }),
        body: z.array(
          z.strictObject({
            type: z.literal('RichTextBlock'),
            spacing: z.enum(['Default', 'None', 'Small', 'Medium']).optional(),
            inlines: z.array(textRun).min(1),
          }),
        ),
        actions: z.array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() })).max(6),
      }),
    }),
  ]),
})

/** PagerDuty/api-schema, reference/events-v2/openapiv3.json; the lengths are those of its guide. */
const pagerDutyEvent = z.discriminatedUnion('event_action', [
  z.strictObject({
    event_action: z.literal('trigger'),
    routing_key: z.string(),
    dedup_key: z.string().max(255),
    client: z.string(),
    client_url: z.url().optional(),
    links: z.array(z.strictObject({ href: z.url(), text: z.string() })).optional(),
    payload: z.strictObject({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime(),
      class: z.string(),
      custom_details: z.record(z.string(), z.unknown()),
    }),
  }),
  z.strictObject({ event_action: z.literal('resolve'), routing_key: z.string(), dedup_key: z.string().max(255) }),
])

const formats: Readonly<Record<RouteKind, z.ZodType>> = {
  webhook: z.looseObject({ version: z.literal('2'), id: z.string(), episodeId: z.string() }),
  slack: slackMessage,
  teams: teamsMessage,
  pagerduty: pagerDutyEvent,
}

const finding = (n: number) => ({
  kind: 'update' as const,
  address: `pdns_zone.zone${n}["<!channel> \`\`\` <https://evil.example|x> **b** & €${'x'.repeat(n % 40)}"]`,
  summary: `differs in *rrsets* <@U1> ${'ü'.repeat(60)}`,
  digest: `sha256:${'0'.repeat(64)}`,
  severity: 'high' as const,
})
const large = (kind: Alert['kind']): Alert =>
  anAlert(1, { kind, severity: 'high', findings: Array.from({ length: 50 }, (_, n) => finding(n)), findingsLeftOut: 9 })

const kinds = Object.keys(routes) as readonly RouteKind[]
const each = kinds.flatMap((kind) =>
  (['opened', 'changed', 'reminder', 'resolved'] as const).map((about) => [kind, about] as const),
)

describe('an alert for a route', () => {
  it.each(each)('has the published format of its receiver: %s, %s', async (kind, about) => {
    for (const alert of [anAlert(1, { kind: about }), large(about)]) await send(routes[kind], alert)
    expect(heard.map(({ headers }) => headers['content-type'])).toEqual(['application/json', 'application/json'])
    for (const { text } of heard) formats[kind].parse(JSON.parse(text))
    if (kind === 'teams') for (const { text } of heard) expect(Buffer.byteLength(text)).toBeLessThan(24_000)
  })

  it('mentions nobody and holds no link of a target in Slack, and its block of code ends at its end', async () => {
    await send(routes.slack, large('opened'))
    const { blocks } = slackMessage.parse(JSON.parse(heard[0]?.text ?? ''))
    const [, code = ''] = blocks.map(({ text }) => text.text)
    expect(code).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    expect(code).toMatch(/^```[^`]+```$/s)
  })

  it('is one alert in PagerDuty from the beginning of its episode to the end', async () => {
    for (const kind of ['opened', 'changed', 'resolved'] as const) await send(routes.pagerduty, anAlert(1, { kind }))
    const events = heard.map(({ text }) => pagerDutyEvent.parse(JSON.parse(text)))
    expect(events.map(({ event_action }) => event_action)).toEqual(['trigger', 'trigger', 'resolve'])
    expect(new Set(events.map((event) => event.dedup_key)).size).toBe(1)
  })

  it.each([
    ['high', 'critical'],
    ['medium', 'warning'],
    ['low', 'info'],
  ] as const)('has the severity that PagerDuty knows: %s is %s', async (severity, expected) => {
    await send(routes.pagerduty, anAlert(1, { kind: 'opened', severity }))
    expect(JSON.parse(heard[0]?.text ?? '').payload.severity).toBe(expected)
  })

  it('can be verified as Standard Webhooks says, over the bytes that arrived', async () => {
    await send(routes.webhook, anAlert(1))
    const [{ headers, text } = { headers: {}, text: '' }] = heard
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
    const mac = createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
      .update(content)
      .digest()
    const given = Buffer.from(String(headers['webhook-signature']).replace('v1,', ''), 'base64')
    expect(timingSafeEqual(mac, given)).toBe(true)
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(movableClock().now().getTime() / 1_000))
    expect(headers['webhook-id']).toBe(anAlert(1).id)
    expect(JSON.parse(text).page).toContain('https://plumbline.acme.example/#/w/')
  })

  it('is signed with the bytes of a key that is no Base64', () => {
    const signature = signWebhook('a plain key', { id: 'a', seconds: 1, body: '{}' })
    expect(signature).toBe(`v1,${createHmac('sha256', 'a plain key').update('a.1.{}').digest('base64')}`)
  })

  it.each([
    ['a status', 404, 'text/plain', 'no_service', 'status 404'],
    ['an error of the receiver', 500, 'application/json', '{', 'no answer'],
    ['a redirect', 302, 'text/plain', '', 'status 302'],
  ])('fails with %s, and says neither its address nor its key', async (_, status, type, text, detail) => {
    answer = { status, type, text }
    for (const kind of kinds) {
      const error = await send(routes[kind], anAlert(1)).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'ROUTE_FAILED', payload: { route: `${kind} (env:URL)`, detail } })
      expect(`${(error as Error).stack}${JSON.stringify(error)}${(error as Error).cause}`).not.toMatch(
        /T0CANARY|whsec_|127\.0/,
      )
    }
  })

  it.each([
    ['nobody is there', 'http://127.0.0.1:1/T0CANARY', 'no answer'],
    ['it is no address', 'T0CANARY', 'the secret is no http or https address'],
    ['it is a file', 'file:///T0CANARY', 'the secret is no http or https address'],
    [
      'it holds a password',
      'http://:T0CANARY@127.0.0.1:1/',
      'the secret is an address with a user or a password, which are not sent',
    ],
  ])('fails where %s, and says nothing of it', async (_, at, detail) => {
    const error = await send(routes.slack, anAlert(1), at).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'ROUTE_FAILED', payload: { detail } })
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(canary)
  })

  it.each(['', 'whsec_', 'whsec_ ', 'whsec_%T0CANARY%'])(
    'is not signed with a key that anybody knows: %j',
    async (known) => {
      const error = await send(routes.webhook, anAlert(1), addressOf(), known).catch((reason: unknown) => reason)
      const detail = 'the key is empty, or no Base64 after whsec_'
      expect(error).toMatchObject({ code: 'ROUTE_FAILED', payload: { detail } })
      expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(canary)
      expect(heard).toEqual([])
    },
  )

  it('was taken, whatever a receiver answers to it with success', async () => {
    answer = { status: 200, type: 'application/json', text: 'ok' }
    await expect(send(routes.slack, anAlert(1))).resolves.toBeUndefined()
  })
})
