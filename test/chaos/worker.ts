/*
 * A worker in a process of its own. Its input is the first argument, as JSON. At its nth point it tells its parent and
 * goes on when it is told to; at its end it tells how it ended and how many points it passed.
 */
import { once } from 'node:events'
import { asAppError } from '../../core/engine/errors/errors.ts'
import type { Bundle } from '../../core/engine/schema/stored/bundle.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { systemClock } from '../../functions/adapters/clock.ts'
import { localClient } from '../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../functions/adapters/dynamodb/store.ts'
import { shopKey } from '../builders/servers/fake-api.ts'
import { patient } from '../builders/time/dynamodb-engine.ts'
import { testDeps } from '../builders/workspaces/workspace.ts'
import { type Meet, withPoints } from './points.ts'

export interface WorkerInput {
  readonly endpoint: string
  readonly tableName: string
  readonly bundle: Bundle
  readonly apply: string
  readonly leaseMs: number
  /** From 1; 0: it is never held. */
  readonly point: number
  /** Points around writes to the target are counted alone. */
  readonly atWrite: boolean
}

export type WorkerMessage =
  | { readonly kind: 'point' }
  | { readonly kind: 'end'; readonly how: string; readonly points: number }

const { endpoint, tableName, bundle, apply, leaseMs, point, atWrite } = JSON.parse(process.argv[2] ?? '') as WorkerInput
const tell = (message: WorkerMessage): void => void process.send?.(message)

let points = 0
const meet: Meet = async (what) => {
  if (atWrite && what !== 'write') return
  points += 1
  if (points !== point) return
  const told = once(process, 'message')
  tell({ kind: 'point' })
  await told
}

const { deps, secrets } = testDeps({
  clock: systemClock,
  store: dynamoStore({ client: localClient(endpoint), tableName, clock: systemClock, patience: patient }),
  bundle,
  limits: { concurrency: 4, leaseMs },
})
secrets[shopKey.source] = shopKey.value
const how = await runApply({ workspace: 'shop', applyId: apply, patient: true }, withPoints(deps, meet)).then(
  ({ status }) => status,
  (error: unknown) => asAppError(error).code,
)
tell({ kind: 'end', how, points })
process.disconnect()
