import { expect, it } from 'vitest'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { planUndoOf } from '../../../../core/engine/workflows/apply/take-undo.ts'
import { testApi } from '../../../builders/aws/api.ts'
import { readable } from '../../../builders/values/readable-writes.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'
import { aDocument, aThing, aType, aWorld } from '../../../semantics/world.ts'

const attributes = 'size: { type: number }\npassword: { sensitive: true }'
const whole = aType(attributes)
const declared = { size: 2, password: { secret: 'env:P' } }

/** An object with a secret, one apply to it, and everything that the store was ever given. */
const start = async (type: string, desired: typeof declared | { size: number }, password: string) => {
  const world = await aWorld({
    document: aDocument({ thing: type }),
    resources: [aThing('a', desired)],
    live: { a: { size: 1, password } },
    secrets: { 'env:P': 'new-secret' },
  })
  const { store } = world.deps
  const stored: unknown[] = []
  Object.assign(world.deps, {
    store: {
      ...store,
      write: (writes: Parameters<typeof store.write>[0]) => {
        stored.push(...writes.map(readable))
        return store.write(writes)
      },
    },
  })
  const { apply } = await world.checkAndApply()
  expect(apply.status).toBe('succeeded')
  world.clock.forward(60_000)
  const planned = () => planUndoOf({ workspace: 'things', applyId: apply.id, trigger: 'cli', actor }, world.deps)
  return { ...world, planned, stored }
}

const expectNone = (said: unknown): void => {
  for (const secret of ['old-secret', 'new-secret', 'third-secret']) expect(JSON.stringify(said)).not.toContain(secret)
}

it.each([
  ['the whole object, with a secret of the configuration', whole, declared, 'new-secret'],
  ['the whole object, with a secret that the server alone knows', whole, { size: 2 }, 'old-secret'],
  [
    'all attributes, with a secret of the configuration',
    whole.replace('send: object', 'send: full'),
    declared,
    'new-secret',
  ],
  [
    'all attributes, with a secret of the server',
    whole.replace('send: object', 'send: full'),
    { size: 2 },
    'old-secret',
  ],
])('an inverse that sends %s, sends it and tells nobody', async (_, type, desired, password) => {
  await using site = await start(type, desired, password)
  // What is sent is what the object has, not what the configuration names by now.
  site.secrets['env:P'] = 'third-secret'
  const { plan, run } = await site.planned()
  site.clock.forward(1_000)
  const apply = await site.apply(plan.digests.commands)
  expect(apply).toMatchObject({ status: 'succeeded' })
  expect(site.bodyOf('a')).toEqual({ size: 1, password })
  expect(site.server.writes().map(({ body }) => JSON.parse(body))).toMatchObject([{ password }, { password }])
  const answers = await Promise.all(
    [`runs/${run.id}`, `runs/${run.id}/plan`, `applies/${apply.id}`, 'ledger'].map(async (path) => {
      const { status, json } = await testApi(site.deps)('GET', `/v1/workspaces/things/${path}`, { scope: 'read' })
      expect(status).toBe(200)
      return json
    }),
  )
  const runs = await listRuns(site.deps.store, 'things', { limit: 10 })
  expectNone([plan, run, apply, runs, answers, site.stored, await site.ledger()])
})

it('a former secret that an apply has overwritten cannot come back, and the plan says so', async () => {
  await using site = await start(whole, declared, 'old-secret')
  const { plan } = await site.planned()
  expect(plan.commands).toEqual([])
  expect(plan.changes).toMatchObject([
    { blocked: { detail: 'api_thing.a#1 is lossy and has no inverse: the former values stay lost' } },
  ])
  expectNone([plan, site.stored])
})

it('a secret that somebody has changed since is told as its attribute alone, before and after the approval', async () => {
  await using site = await start(whole, { size: 2 }, 'old-secret')
  const { plan } = await site.planned()
  site.put('a', { size: 2, password: 'third-secret' })
  const apply = await site.apply(plan.digests.commands)
  expect(apply).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
  const later = (await site.planned()).plan
  expect(later.changes[0]?.blocked).toBeUndefined()
  expect(JSON.stringify(later.notes)).toContain('in what nobody declares: password')
  expectNone([apply, later, site.stored])
})
