import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Transport } from '../../core/command/transport.ts'
import { saveWorkspace } from '../../core/state/workspaces.ts'
import { checkWorkspace } from '../../core/workflows/check-workspace.ts'
import { requestApply } from '../../core/workflows/request-apply.ts'
import { applyHandler } from '../../functions/apply.ts'
import { checkHandler } from '../../functions/check.ts'
import { lambdaContext } from '../builders/api-event.ts'
import { aLoopback } from '../builders/loopback.ts'
import { aBundle, aWorkspace } from '../builders/records.ts'
import { things, workspaceOf } from '../builders/silent-host.ts'
import { sqsEvent } from '../builders/sqs-event.ts'
import { actor, movableClock, testDeps } from '../builders/workspace.ts'

/** Answers until it is told to be silent: then it says which requests it hears, and nothing else. */
const start = async (clock: ReturnType<typeof movableClock>) => {
  const state = { silent: false, heard: () => {} }
  const server = await aLoopback((_, response) => {
    if (state.silent) return state.heard()
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
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
  await saveWorkspace(given.deps.store, aWorkspace({ id: 'many' }), aBundle(bundle.files['plumbline.yaml'] ?? ''))
  return { ...given, server, state, left }
}

type Started = Awaited<ReturnType<typeof start>>

const handlers = {
  check: async ({ deps }: Started, remaining: () => number) =>
    checkHandler(async () => deps)(sqsEvent([{ body: { workspace: 'many' } }]), {
      ...lambdaContext(),
      getRemainingTimeInMillis: remaining,
    }),
  apply: async ({ deps, state }: Started, remaining: () => number) => {
    const { silent } = state
    state.silent = false
    const { run } = await checkWorkspace({ workspace: 'many', trigger: 'cli', actor }, deps)
    const digest = run.digests?.commands ?? ''
    const { id } = await requestApply({ workspace: 'many', mode: 'execute', digest, reason: 'test', actor }, deps)
    state.silent = silent
    return applyHandler(async () => deps)(sqsEvent([{ body: { workspace: 'many', apply: id }, group: 'many' }]), {
      ...lambdaContext(),
      getRemainingTimeInMillis: remaining,
    })
  },
}

/** All that could still come: hours pass, and everything that is ready has its turn. */
const afterwards = async (clock: ReturnType<typeof movableClock>): Promise<void> => {
  for (let n = 0; n < 50; n += 1) {
    clock.forward(3_600_000)
    await turn()
  }
}

it.each(Object.entries(handlers))('%s: nothing reaches the target after its deadline', async (_, handle) => {
  const clock = movableClock()
  const started = await start(clock)
  await using server = started.server
  started.state.silent = true
  started.state.heard = () => clock.forward(100_000)
  await handle(started, () => 100_000).catch(() => {})
  const { count } = started.left
  await afterwards(clock)
  expect(started.left.count).toBe(count)
  expect(server.seen.length).toBeLessThanOrEqual(count)
})

it.each(Object.entries(handlers))('%s: nothing reaches the target after middy has given up', async (_, handle) => {
  const clock = movableClock()
  const started = await start(clock)
  await using server = started.server
  started.state.silent = true
  // By its clock there is all the time of the world: only the early time-out of the middleware is left.
  const answers = [251]
  await handle(started, () => answers.pop() ?? 900_000).catch(() => {})
  const { count } = started.left
  await afterwards(clock)
  expect(started.left.count).toBe(count)
  expect(server.seen.length).toBeLessThanOrEqual(count)
})
