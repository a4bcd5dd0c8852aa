import { memoryStore } from '../../../core/engine/state/store/memory.ts'
import { localClient } from '../../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../../functions/adapters/dynamodb/table.ts'
import { startDynamodb } from '../../builders/time/dynamodb-engine.ts'
import { movableClock } from '../../builders/workspaces/workspace.ts'
import { liveDay } from './day.ts'

/*
 * `npm run fleet-day [workspaces] [hours] [memory|engine]`: a simulated day of a fleet that is checked hourly, with ten minutes in
 * which the store fails, ten for the queue and ten for the topic. Exits with 1 when a check or an alert was lost or doubled, or
 * when the heap grew, with the engine, by 5 % or more after the first quarter of the day.
 */

const [count = '100', length = '24', where = 'engine'] = process.argv.slice(2)
const [workspaces, hours] = [Number(count), Number(length)]
const clock = movableClock()

const openStore = async () => {
  if (where === 'memory') return { store: memoryStore(clock), stop: async () => {} }
  const engine = await startDynamodb(process.env['AWS_ENDPOINT_URL_DYNAMODB'])
  const client = localClient(engine.endpoint)
  await ensureTable(client, 'fleet-day')
  return { store: dynamoStore({ client, tableName: 'fleet-day', clock }), stop: engine.stop }
}

const heaps: number[] = []
const { store, stop } = await openStore()
const begun = performance.now()
const { checks, alerts, problems } = await liveDay({
  workspaces,
  hours,
  clock,
  store,
  onHour: (hour) => {
    globalThis.gc?.()
    heaps.push(process.memoryUsage().heapUsed / 1e6)
    console.log(
      `hour ${hour}: heap ${heaps.at(-1)?.toFixed(1)} MB, ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    )
  },
})
await stop()
const [early = 0, late = 0] = [heaps[Math.floor(hours / 4)], heaps.at(-1)]
const growth = (late / early - 1) * 100
for (const problem of problems.slice(0, 20)) console.error(problem)
console.log(
  `${workspaces} workspaces, ${hours} hours: ${checks} checks, ${alerts} alerts, ${problems.length} lost or doubled; heap ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} %`,
)
if (problems.length > 0 || (where !== 'memory' && growth >= 5)) process.exitCode = 1
