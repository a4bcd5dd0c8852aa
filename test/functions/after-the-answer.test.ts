import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { saveWorkspace } from '../../core/engine/state/workspaces/save-workspace.ts'
import type { Transport } from '../../core/engine/transport/transport.ts'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { checkWorkspace } from '../../core/engine/workflows/check/check-workspace.ts'
import type { Deps } from '../../core/engine/workflows/deps.ts'
import { apiHandler } from '../../functions/api.ts'
import { applyHandler } from '../../functions/apply.ts'
import { checkHandler } from '../../functions/check.ts'
import { scheduleHandler } from '../../functions/schedule.ts'
import { apiEvent, lambdaContext, tokenOf } from '../builders/aws/api-event.ts'
import { sqsEvent, testDelivery } from '../builders/aws/sqs-event.ts'
import { eachOf } from '../builders/long.ts'
import { aLoopback } from '../builders/servers/loopback.ts'
import { things, workspaceOf } from '../builders/servers/silent-host.ts'
import { aBundle, aWorkspace } from '../builders/values/records.ts'
import { actor, movableClock, testDeps } from '../builders/workspaces/workspace.ts'

type Place = 'target' | 'store' | 'queue'

/**
 * The target, and what stands behind the store and the queue. All answer until one of them is told to be silent: then it says
 * which requests it hears, and nothing else.
 */
const start = async (clock: ReturnType<typeof movableClock>, place: Place) => {
  const state = { silent: false, heard: () => {}, held: [] as (() => void)[] }
  const server = await aLoopback(({ url = '' }, response) => {
    const asked = /^\/(store|queue)$/.exec(url)?.[1] ?? 'target'
    const answer = () => void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    if (!state.silent || asked !== place) return answer()
    state.held.push(answer)
    return state.heard()
  })
  const bundle = workspaceOf({ things: server.url }, things('a', 30))
  // Those that have left by the time of the answer may still be on their way.
  const left = { count: 0 }
  const wire = (inner: Transport): Transport => ({
    ...inner,
    send: (request, signal) => {
      if (signal?.aborted !== true) left.count += 1
      return inner.send(request, signal)
    },
  })
  const given = testDeps({ clock, bundle, wire })
  const { store, queue } = given.deps
  for (const id of ['many', ...Array.from({ length: 30 }, (_, n) => `due${n}`)])
    await saveWorkspace(store, aWorkspace({ id }), aBundle(bundle.files['plumbline.yaml'] ?? ''))
  const ask = async (asked: Place, signal: AbortSignal | undefined): Promise<void> => {
    if (signal?.aborted !== true) left.count += 1
    await fetch(`${server.url}/${asked}`, signal === undefined ? {} : { signal })
  }
  const deps: Deps = {
    ...given.deps,
    store: {
      get: (key, signal) => ask('store', signal).then(() => store.get(key)),
      query: (query, signal) => ask('store', signal).then(() => store.query(query)),
      write: (writes, signal) => ask('store', signal).then(() => store.write(writes)),
    },
    queue: {
      checks: (messages, signal) => ask('queue', signal).then(() => queue.checks(messages)),
      apply: (message, signal) => ask('queue', signal).then(() => queue.apply(message)),
    },
  }
  return { ...given, deps, server, state, left }
}

type Started = Awaited<ReturnType<typeof start>>

type Handle = (started: Started, remaining: () => number) => Promise<unknown>

const checking: Handle = async ({ deps }, remaining) =>
  checkHandler(async () => deps, testDelivery().delivery)(sqsEvent([{ body: { workspace: 'many' } }]), {
    ...lambdaContext(),
    getRemainingTimeInMillis: remaining,
  })

const applying: Handle = async ({ deps, state }, remaining) => {
  const { silent } = state
  state.silent = false
  const { run } = await checkWorkspace({ workspace: 'many', trigger: 'cli', actor }, deps)
  const digest = run.digests?.commands ?? ''
  const { id } = await requestApply({ workspace: 'many', mode: 'execute', digest, reason: 'test', actor }, deps)
  state.silent = silent
  return applyHandler(async () => deps, testDelivery().delivery)(
    sqsEvent([{ body: { workspace: 'many', applyId: id }, group: 'many' }]),
    {
      ...lambdaContext(),
      getRemainingTimeInMillis: remaining,
    },
  )
}

const calling =
  (path: string, method: string, scope: string): Handle =>
  async ({ deps }, remaining) =>
    apiHandler({ compose: async () => deps, access: () => ({ SCOPE_PREFIX: '' }) })(
      apiEvent(method, path, { authorizer: tokenOf(scope) }),
      { ...lambdaContext(), getRemainingTimeInMillis: remaining },
    )

const ticking: Handle = async ({ deps }, remaining) =>
  scheduleHandler(async () => deps)({}, { ...lambdaContext(), getRemainingTimeInMillis: remaining })

/** Every handler, and what it waits for. */
const handlers: readonly (readonly [string, Place, Handle])[] = [
  ['check', 'target', checking],
  ['check', 'store', checking],
  ['apply', 'target', applying],
  ['apply', 'store', applying],
  ['api, reading', 'store', calling('/v1/workspaces/many/runs', 'GET', 'read')],
  ['api, asking for a check', 'queue', calling('/v1/workspaces/many/check', 'POST', 'check')],
  ['tick', 'store', ticking],
  ['tick', 'queue', ticking],
]

/** All that could still come: what was silent answers after all, hours pass, and everything that is ready has its turn. */
const afterwards = async ({ state, server }: Started, clock: ReturnType<typeof movableClock>): Promise<void> => {
  state.silent = false
  for (const answer of state.held) answer()
  for (let n = 0; n < 20; n += 1) await fetch(server.url)
  for (let n = 0; n < 50; n += 1) {
    clock.forward(3_600_000)
    await turn()
  }
}

eachOf(it, 2)(handlers)('%s sends nothing after its deadline while its %s is silent', async (_, place, handle) => {
  const clock = movableClock()
  const started = await start(clock, place)
  await using server = started.server
  started.state.silent = true
  started.state.heard = () => clock.forward(100_000)
  await handle(started, () => 100_000).catch(() => {})
  expect(started.left.count).toBeGreaterThan(0)
  const { count } = started.left
  await afterwards(started, clock)
  expect(started.left.count).toBe(count)
  expect(server.seen.filter(({ url }) => url !== '/').length).toBeLessThanOrEqual(count)
})

eachOf(it, 5)(handlers)(
  '%s sends nothing after middy has given up while its %s is silent',
  async (_, place, handle) => {
    const clock = movableClock()
    const started = await start(clock, place)
    await using server = started.server
    started.state.silent = true
    // By its clock there is all the time of the world: only the early time-out of the middleware is left.
    const answers = [251]
    await handle(started, () => answers.pop() ?? 900_000).catch(() => {})
    expect(started.left.count).toBeGreaterThan(0)
    const { count } = started.left
    await afterwards(started, clock)
    expect(started.left.count).toBe(count)
    expect(server.seen.filter(({ url }) => url !== '/').length).toBeLessThanOrEqual(count)
  },
)
