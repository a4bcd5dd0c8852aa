import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '../../../../../core/engine/schema/stored/records.ts'
import { memoryStore } from '../../../../../core/engine/state/store/memory.ts'
import { requestApply } from '../../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../../core/engine/workflows/apply/run-apply.ts'
import type { Deps } from '../../../../../core/engine/workflows/deps.ts'
import { verifyLedger } from '../../../../../core/engine/workflows/records/verify-ledger.ts'
import { lawCases } from '../../../../builders/laws.ts'
import { long } from '../../../../builders/long.ts'
import { startServer } from '../../../../builders/servers/loopback.ts'
import { driveDocument } from '../../../../builders/servers/things-api.ts'
import { type CrashPoint, untilDeath } from '../../../../builders/time/crash-point.ts'
import { actor, movableClock } from '../../../../builders/workspaces/workspace.ts'

const workspace = 'things'

const typeAt = (path: string): string => `
    operations:
      retrieve: { method: GET, path: "${path}/{name}" }
      create: { method: PUT, path: "${path}/{name}" }
      delete: { method: DELETE, path: "${path}/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { onImmutable: replace }
    parts: [{ name: main, read: retrieve, attributes: { name: { immutable: true } } }]`

const documentOf = (writeConcurrency: number | undefined): string => `
provider:
  id: api
  baseUrl: "{with.baseUrl}"
  with: { baseUrl: {} }
  concurrency: 8
  ${writeConcurrency === undefined ? '' : `writeConcurrency: ${writeConcurrency}`}
resources:
  api_thing:${typeAt('/things')}
  api_other:${typeAt('/others')}
`

const thing = (name: string, dependsOn: readonly string[] = []) => ({
  type: 'api_thing',
  name,
  spec: { name },
  dependsOn: dependsOn.map((each) => `api_thing.${each}`),
})

/** Keeps things. The answers to writes are held until so many of them are under way, or nothing more can come. */
const startHolding = async (together: number, refused: readonly string[] = []) => {
  const things = new Set<string>()
  const written: string[] = []
  let most = 0
  let left = 0
  let held: (() => void)[] = []
  const release = (): void => {
    for (const go of held) go()
    held = []
  }
  const server = await startServer(async ({ method, url }, response) => {
    const name = url.split('/').at(-1) ?? ''
    const answer = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ name }))
    }
    if (method === 'GET') return answer(things.has(name) ? 200 : 404)
    written.push(name)
    const { promise, resolve } = Promise.withResolvers<void>()
    held.push(resolve)
    most = Math.max(most, held.length)
    if (held.length >= Math.min(together, left)) {
      left -= held.length
      release()
    }
    await promise
    if (refused.includes(name)) return answer(422)
    if (method === 'DELETE') things.delete(name)
    else things.add(name)
    answer(200)
  })
  return {
    ...server,
    things,
    written,
    most: () => most,
    expect: (count: number): void => {
      left = count
    },
    letGo: (): void => {
      left = 0
      release()
    },
  }
}

/** How many commands had an intent and no result at once, by the ledger. */
const mostOpen = (entries: readonly Pick<LedgerEntry, 'kind'>[]): number => {
  let open = 0
  return entries.reduce((most, { kind }) => {
    if (kind === 'intent') open += 1
    if (kind === 'result') open -= 1
    return Math.max(most, open)
  }, 0)
}

const names = ['a', 'b', 'c', 'd', 'e', 'f']

describe('an apply with several commands at a time', () => {
  it('has as many commands under way as the provider allows, and never more', long, async () => {
    await using server = await startHolding(3)
    const drive = driveDocument(
      server,
      documentOf(3),
      names.map((name) => thing(name)),
    )
    const { digest } = await drive.check()
    server.expect(names.length)
    const applied = await drive.apply(digest)
    expect(applied.status).toBe('succeeded')
    expect(applied.outcomes.map(({ command }) => command)).toEqual(names.map((name) => `api_thing.${name}#1`))
    expect(server.most()).toBe(3)
    expect(server.written.toSorted()).toEqual(names)
    expect(await verifyLedger({ workspace }, drive.deps)).toMatchObject({ ok: true })
    expect((await drive.check()).run.status).toBe('in_sync')
    drive.want([])
    const gone = await drive.check()
    server.expect(names.length)
    expect(await drive.apply(gone.digest)).toMatchObject({ status: 'succeeded' })
    expect(server.things.size).toBe(0)
  })

  it('sends one command after the other, in the order of the plan, where no limit is set', async () => {
    await using server = await startHolding(1)
    const drive = driveDocument(
      server,
      documentOf(undefined),
      names.map((name) => thing(name)),
    )
    const { digest, plan } = await drive.check()
    server.expect(names.length)
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(mostOpen(await drive.ledger())).toBe(1)
    expect(server.written).toEqual(plan.commands.map(({ address }) => address.replace('api_thing.', '')))
  })

  it.each([
    [undefined, 1],
    [2, 2],
  ])('shares the limit of a target between its types: %s', async (writeConcurrency, most) => {
    await using server = await startHolding(most)
    const others = ['u', 'v', 'w'].map((name) => ({ ...thing(name), type: 'api_other' }))
    const drive = driveDocument(server, documentOf(writeConcurrency), [...names.map((name) => thing(name)), ...others])
    const { digest } = await drive.check()
    server.expect(9)
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(mostOpen(await drive.ledger())).toBe(most)
  })

  it('skips the dependents of a failure, and continues with the rest', async () => {
    await using server = await startHolding(1, ['a'])
    const wanted = [thing('a'), thing('b', ['a']), thing('c', ['b']), thing('d')]
    const drive = driveDocument(server, documentOf(4), wanted)
    const { digest } = await drive.check()
    server.expect(2)
    const applied = await drive.apply(digest)
    expect(applied.outcomes.map(({ command, status }) => `${command} ${status}`)).toEqual([
      'api_thing.a#1 failed',
      'api_thing.d#1 succeeded',
      'api_thing.b#1 skipped',
      'api_thing.c#1 skipped',
    ])
    expect(server.written.toSorted()).toEqual(['a', 'd'])
  })

  it('finishes the commands under way when it is stopped, and starts no more', async () => {
    await using server = await startHolding(3)
    const drive = driveDocument(
      server,
      documentOf(3),
      names.map((name) => thing(name)),
    )
    const { digest } = await drive.check()
    server.expect(names.length)
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'r', actor }, drive.deps)
    const stopped = await runApply({ workspace, applyId: id, shouldStop: () => server.written.length > 0 }, drive.deps)
    expect(stopped).toMatchObject({ status: 'failed', results: { applied: 3, remaining: 3 } })
    expect(server.written).toHaveLength(3)
  })
})

/** The same ports; `arrived` ends when every request that has left is answered. */
const withArrivals = (deps: Deps) => {
  const underWay = new Set<Promise<unknown>>()
  const transport: Deps['transport'] = (confines) => {
    const inner = deps.transport(confines)
    return {
      send: (request, signal) => {
        const sent = inner.send(request, signal)
        underWay.add(sent)
        return sent
      },
    }
  }
  return { deps: { ...deps, transport }, arrived: () => Promise.allSettled(underWay) }
}

const points: readonly CrashPoint[] = [
  ...(['intent', 'attempt', 'result'] as const).flatMap((at) =>
    [1, 2, 4].flatMap((n) => [{ at, n, when: 'before' } as const, { at, n, when: 'after' } as const]),
  ),
  ...[2, 3, 5].map((n): CrashPoint => ({ at: 'send', n, when: 'after' })),
  ...[3, 6, 9, 12, 15, 18, 21].map((n): CrashPoint => ({ at: 'store', n, when: 'after' })),
]

it.each(lawCases(points, 4))(
  'several commands that a dead worker had under way are resolved: $when $at $n',
  async (point) => {
    await using server = await startHolding(1)
    const clock = movableClock()
    const wanted = [...names.map((name) => thing(name)), thing('g', ['a', 'f'])]
    const drive = driveDocument(server, documentOf(3), wanted, { clock, store: memoryStore(clock) })
    const { digest } = await drive.check()
    server.letGo()
    const { id } = await requestApply({ workspace, mode: 'execute', digest, reason: 'r', actor }, drive.deps)
    const { deps, arrived } = withArrivals(drive.deps)
    const end = await untilDeath(deps, point, (dying) => runApply({ workspace, applyId: id }, dying))
    expect(end).toBe('died')
    // What has left arrives before the next worker looks.
    await arrived()
    clock.forward(61_000)
    const applied = await runApply({ workspace, applyId: id, patient: true }, drive.deps)
    expect(applied).toMatchObject({ status: 'succeeded', results: { applied: 7, failed: 0 } })
    expect(server.written.toSorted()).toEqual([...names, 'g'])
    expect(await verifyLedger({ workspace }, drive.deps)).toMatchObject({ ok: true })
    const entries = await drive.ledger()
    for (const kind of ['intent', 'attempt'] as const) {
      const addresses = new Set(
        entries.filter((entry) => entry.kind === kind).map(({ command }) => command?.['address']),
      )
      expect(addresses.size).toBe(7)
    }
    expect((await drive.check()).run.status).toBe('in_sync')
  },
)
