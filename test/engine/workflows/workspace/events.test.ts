import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { receiveWebhook } from '../../../../core/engine/workflows/source/webhook.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { actor, testDeps, yaml } from '../../../builders/workspaces/workspace.ts'

const workspace = 'acme'
const secret = 'a secret of the webhook'
const events = { github: { organization: 'acme', webhookSecret: { secret: 'env:HOOK' } } }
const bundleOf = (more: JsonObject) => yaml(JSON.stringify({ workspace, providers: {}, resources: [], ...more }))

let world: ReturnType<typeof testDeps>
beforeEach(async () => {
  world = testDeps({})
  Object.assign(world.secrets, { 'env:HOOK': secret })
  await putWorkspace({ bundle: bundleOf({ events }), actor }, world.deps)
})

const body = (organization = 'acme', more: JsonObject = {}): string =>
  JSON.stringify({ action: 'edited', organization: { login: organization }, repository: { name: 'web' }, ...more })
const sign = (text: string, key = secret): string => `sha256=${createHmac('sha256', key).update(text).digest('hex')}`
const receive = (text: string, event = 'repository', signature = sign(text)) =>
  receiveWebhook({ workspace, body: text, signature, event }, world.deps)

describe('an event of the organisation', () => {
  it.each(['repository', 'team', 'member', 'repository_ruleset', 'organization'])(
    'starts a check: %s',
    async (event) => {
      expect(await receive(body('Acme'), event)).toBe('queued')
      expect(world.queued.check).toMatchObject([{ workspace, actor: { subject: 'github:acme', via: 'webhook' } }])
    },
  )

  it.each([
    ['about code', 'push', body()],
    ['about an issue', 'issues', body()],
    ['that only tests the webhook', 'ping', '{"zen":"Keep it logically awesome."}'],
    ['of another organisation', 'repository', body('other')],
    ['that is no JSON', 'repository', 'nothing'],
  ])('is ignored: one %s', async (_, event, text) => {
    expect(await receive(text, event)).toBe('ignored')
    expect(world.queued.check).toEqual([])
  })

  it('is one of many that start one check, and one more after it', async () => {
    expect(await receive(body())).toBe('queued')
    expect(await receive(body())).toBe('ignored')
    for (const n of [1, 2, 3]) expect(await receive(body('acme', { n }))).toBe('pending')
    expect(world.queued.check).toHaveLength(1)
  })

  it('is refused without the signature', async () => {
    for (const signature of ['', sign(body(), 'other'), sign('x')])
      await expect(receive(body(), 'repository', signature)).rejects.toMatchObject({ code: 'WEBHOOK_REFUSED' })
  })

  it('starts nothing any more when the configuration has no events', async () => {
    await putWorkspace({ bundle: bundleOf({}), actor }, world.deps)
    await expect(receive(body())).rejects.toMatchObject({ code: 'WEBHOOK_REFUSED' })
  })

  it('has a secret of a name that the function of the API may read', async () => {
    const rules = { kinds: ['ssm' as const], names: ['plumbline/{workspace}/*'] }
    const put = (source: string) =>
      putWorkspace(
        {
          bundle: bundleOf({ events: { github: { organization: 'acme', webhookSecret: { secret: source } } } }),
          actor,
        },
        { ...world.deps, secretRules: rules },
      )
    await expect(put('ssm:/plumbline/acme/token')).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      payload: { problems: [expect.stringContaining('`webhook`')] },
    })
  })
})
