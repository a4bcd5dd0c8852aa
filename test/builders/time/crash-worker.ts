/*
 * A worker in a process of its own, which kills itself at a chosen moment. Its input is the first argument, as JSON.
 */
import type { Bundle } from '../../../core/engine/schema/stored/bundle.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { localClient } from '../../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../../functions/adapters/dynamodb/store.ts'
import { shopBundle, shopKey } from '../servers/fake-api.ts'
import { testDeps } from '../workspaces/workspace.ts'
import { type CrashPoint, withCrash } from './crash-point.ts'
import { patient } from './dynamodb-engine.ts'

export interface CrashInput {
  readonly endpoint: string
  readonly tableName: string
  readonly url: string
  readonly resources: readonly string[]
  /** In the place of the shop. */
  readonly bundle?: Bundle
  readonly apply: string
  readonly point: CrashPoint
}

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

const { endpoint, tableName, url, resources, apply, point, bundle } = JSON.parse(process.argv[2] ?? '') as CrashInput
const { deps, secrets } = testDeps({
  clock: systemClock,
  store: dynamoStore({ client: localClient(endpoint), tableName, clock: systemClock, patience: patient }),
  bundle: bundle ?? shopBundle(url, resources),
})
secrets[shopKey.source] = shopKey.value
const { status } = await runApply(
  { workspace: bundle === undefined ? 'shop' : 'things', applyId: apply },
  withCrash(deps, point, die),
)
process.stdout.write(status)
