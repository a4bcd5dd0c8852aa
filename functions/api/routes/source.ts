import * as z from 'zod'
import {
  AppError,
  deliveryResults,
  describeWorkspace,
  optional,
  receiveWebhook,
  removeSource,
  setSource,
  sourceShape,
  storedSourceShape,
} from '#core'
import { exampleSource, exampleWorkspace } from '../route/examples.ts'
import { ok, route } from '../route/route.ts'
import { json, named, ofWorkspace, shapes } from '../route/shapes.ts'

const path = '/v1/workspaces/{workspace}/source'

export const getSourceRoute = route({
  id: 'getSource',
  method: 'GET',
  path,
  scope: 'read',
  summary: 'Get where the configuration is read from',
  params: ofWorkspace,
  answers: { 200: json('The source.', named('Source', storedSourceShape), { example: exampleSource }) },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'SOURCE_NOT_FOUND'],
  handle: async ({ params: { workspace } }, { store }) => {
    const { source } = await describeWorkspace(store, workspace)
    if (source === undefined) throw new AppError('SOURCE_NOT_FOUND', { workspace })
    return ok(source)
  },
})

const { at: _, by: __, ...wanted } = exampleSource

export const setSourceRoute = route({
  id: 'setSource',
  method: 'PUT',
  path,
  scope: 'configure',
  summary: 'Read the configuration from a Git repository from now on',
  description:
    'Before each check the commit of the ref is asked; another commit is read and, if it is valid, becomes a new version. Creates the workspace if it does not exist; it is due at once. Pushes are refused as long as there is a source.',
  params: ofWorkspace,
  bodies: { 'application/json': { shape: sourceShape, example: wanted } },
  answers: { 200: json('The workspace.', shapes.Workspace, { example: exampleWorkspace }) },
  errors: ['WORKSPACE_REMOVED', 'STORE_CONFLICT'],
  handle: async ({ params: { workspace }, body: source, actor }, deps) =>
    ok(await setSource({ workspace, source, actor }, deps)),
})

export const removeSourceRoute = route({
  id: 'removeSource',
  method: 'DELETE',
  path,
  scope: 'configure',
  summary: 'Read the configuration from nowhere from now on',
  description: 'The stored configuration stays, and can be replaced by a push.',
  params: ofWorkspace,
  answers: { 200: json('The workspace.', shapes.Workspace, { example: exampleWorkspace }) },
  errors: ['WORKSPACE_NOT_FOUND', 'WORKSPACE_REMOVED', 'SOURCE_NOT_FOUND', 'STORE_CONFLICT'],
  handle: async ({ params: { workspace }, actor }, deps) => ok(await removeSource({ workspace, actor }, deps)),
})

const delivered = z.object({
  check: z.enum(deliveryResults).meta({
    description:
      '`ignored`: another event, another ref, a delivery that came before, or the workspace is paused. `pending`: a check was queued already.',
  }),
})

export const receiveWebhookRoute = route({
  id: 'receiveWebhook',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/webhook',
  scope: null,
  summary: 'Receive a delivery of a webhook of GitHub',
  description:
    'Open, because it is signed: `X-Hub-Signature-256` is the HMAC of the body with the secret that the source or `events` of the configuration names. A push to the ref of the source, or an event about something of the organisation that can be managed, requests a check, which reads everything itself; nothing else of the delivery is used.',
  params: ofWorkspace,
  headers: z.object({
    'x-github-event': optional(z.string().max(100), 'The kind of the event.'),
    'x-hub-signature-256': optional(z.string().max(200), '`sha256=` and the HMAC in hexadecimal digits.'),
  }),
  bodies: {
    'application/json': {
      shape: z.looseObject({}).meta({ description: 'As GitHub sends it.' }),
      example: { ref: 'refs/heads/main', repository: { full_name: 'acme/config' } },
      isSigned: true,
    },
  },
  maxBodyBytes: 4_000_000,
  answers: { 202: json('Accepted.', named('WebhookDelivery', delivered), { example: { check: 'queued' } }) },
  errors: ['WEBHOOK_REFUSED', 'WEBHOOK_UNAVAILABLE', 'QUEUE_UNAVAILABLE', 'STORE_CONFLICT'],
  handle: async ({ params: { workspace }, headers, text }, deps) => {
    const { 'x-hub-signature-256': signature, 'x-github-event': event } = headers
    const check = await receiveWebhook({ workspace, body: text, signature, event }, deps)
    return { status: 202, body: { check } }
  },
})
