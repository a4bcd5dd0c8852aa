import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { systemClock } from '../../../../functions/adapters/clock.ts'
import { localClient } from '../../../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../../../functions/adapters/dynamodb/table.ts'
import { lawCases } from '../../../builders/laws.ts'
import { slowResource, startSlow } from '../../../builders/servers/slow-things.ts'
import { driveThings } from '../../../builders/servers/things-api.ts'
import type { CrashPoint } from '../../../builders/time/crash-point.ts'
import { bundleCrashWorker } from '../../../builders/time/crash-process.ts'
import { type DynamodbEngine, patient, startDynamodb } from '../../../builders/time/dynamodb-engine.ts'
import { actor, movableClock } from '../../../builders/workspaces/workspace.ts'

const workspace = 'things'
const resource = slowResource('wait: { poll: retrieve, state: state, ok: [OK], error: [ERRED], intervalSeconds: 0.02 }')
const specs = { a: { name: 'a', size: 1 }, b: { name: 'b${resource.api_thing.a.id}' } }

const points: readonly CrashPoint[] = [
  { at: 'waiting', n: 1, when: 'after' },
  { at: 'result', n: 1, when: 'before' },
  { at: 'result', n: 1, when: 'after' },
  { at: 'waiting', n: 2, when: 'after' },
  { at: 'result', n: 2, when: 'before' },
]

describe('kill -9 of a worker that waits for an operation', () => {
  let engine: DynamodbEngine
  let worker: Awaited<ReturnType<typeof bundleCrashWorker>>
  beforeAll(async () => {
    engine = await startDynamodb()
    worker = await bundleCrashWorker()
  })
  afterAll(async () => {
    worker.remove()
    await engine.stop()
  })

  it.concurrent.each(lawCases(points, 1))(
    'lets the next one continue without sending anything twice: $when $at $n',
    async (point) => {
      await using slow = await startSlow({ reads: 3 })
      const tableName = randomUUID()
      const client = localClient(engine.endpoint)
      await ensureTable(client, tableName)
      const clock = movableClock(systemClock.now().toISOString())
      const store = dynamoStore({ client, tableName, clock, patience: patient })
      const { deps, check, current } = driveThings(slow, resource, specs, { clock, store })
      const digest = (await check()).plan?.digests.commands ?? ''
      const { id: apply } = await requestApply({ workspace, mode: 'execute', digest, reason: 'r', actor }, deps)
      const input = { endpoint: engine.endpoint, tableName, url: slow.url, resources: [], apply, point }
      const died = await worker.run({ ...input, bundle: current.bundle })
      expect(died).toEqual({ code: null, signal: 'SIGKILL', said: '' })
      const ended = await runApply({ workspace, applyId: apply, patient: true }, deps)
      expect(ended).toMatchObject({ status: 'succeeded' })
      expect(ended.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
      expect(slow.writes()).toEqual(['POST /things', 'POST /things'])
      expect(await check()).toMatchObject({ run: { status: 'in_sync' } })
      expect(await verifyLedger({ workspace }, deps)).toMatchObject({ ok: true })
    },
  )
})
