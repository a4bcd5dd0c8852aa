import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'
import type { LedgerEntry } from '../../core/engine/schema/stored/records.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { verifyLedger } from '../../core/engine/workflows/records/verify-ledger.ts'
import { systemClock } from '../../functions/adapters/clock.ts'
import { localClient } from '../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../functions/adapters/dynamodb/table.ts'
import { type Received, type Shop, shopBundle, startShop } from '../builders/servers/fake-api.ts'
import { patient, startDynamodb } from '../builders/time/dynamodb-engine.ts'
import { digestOf, driveShop, workspace } from '../builders/workspaces/shop-workspace.ts'
import { movableClock } from '../builders/workspaces/workspace.ts'
import { cuttable } from './cuttable.ts'
import type { WorkerInput, WorkerMessage } from './worker.ts'

/*
 * Applies in processes of their own, on a real server and a shared store. Each is disturbed at one point among all that it
 * does: killed, suspended past its lease, or cut from the store; another worker challenges it meanwhile. Nothing depends
 * on how fast the machine is: whoever is disturbed waits at its point, and what follows waits for the end of the other.
 */

const disturbances = ['kill', 'suspend', 'refuse', 'silence'] as const
type Disturbance = (typeof disturbances)[number]

interface Case {
  readonly n: number
  readonly disturbance: Disturbance
  readonly point: number
  /** Counted among the points around writes to the target alone: there it hurts most. */
  readonly atWrite: boolean
  /** The server asks the first write to come again later than a lease lasts. */
  readonly busy: boolean
}

export interface Verdict {
  readonly case: Case
  readonly victim: string
  readonly challenger: string
  readonly writes: number
  readonly attempts: number
  /** What must not be; empty where all is well. */
  readonly faults: readonly string[]
}

/** Far below the pause that a busy server asks for. The time-out is longer than any machine keeps its own loopback waiting. */
const leaseMs = 500
const timeoutMs = 4_000
const busySeconds = 1

const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries } }',
  '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea } }',
  '{ type: shop_item, name: oats, spec: { list: "${resource.shop_list.main.id}", title: oats }, dependsOn: [shop_item.tea] }',
  '{ type: shop_label, name: sale, spec: { name: sale, list: "${resource.shop_list.main.id}", text: "of ${resource.shop_item.oats.id}" } }',
  // Independent of everything, so that several commands are under way at any point.
  ...['red', 'green', 'blue'].map((name) => `{ type: shop_label, name: ${name}, spec: { name: ${name} } }`),
]

const writeConcurrency = 3

/** Small and repeatable: https://en.wikipedia.org/wiki/Linear_congruential_generator */
const randomOf = (seed: number) => {
  let value = seed
  return () => {
    value = (value * 1_103_515_245 + 12_345) % 2 ** 31
    return value / 2 ** 31
  }
}

const workerFile = fileURLToPath(new URL('./worker.ts', import.meta.url))

const startWorker = (input: WorkerInput) => {
  const child = spawn(process.execPath, [workerFile, JSON.stringify(input)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (part) => (said += part))
  const met = Promise.withResolvers<'point'>()
  let end: Extract<WorkerMessage, { kind: 'end' }> | undefined
  child.on('message', (message: WorkerMessage) => {
    if (message.kind === 'point') met.resolve('point')
    else end = message
  })
  const ended = once(child, 'close').then(([code, signal]: readonly unknown[]) => ({
    how: end?.how ?? (signal === 'SIGKILL' ? 'killed' : `died (${code}, ${signal}): ${said}`),
    points: end?.points ?? 0,
  }))
  return { child, met: met.promise, ended, goOn: () => child.send({}) }
}

/** The process is stopped only when the kernel says so: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const suspend = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGSTOP')
  if (process.platform !== 'linux') return
  const isStopped = async () => / T /.test((await readFile(`/proc/${child.pid}/stat`, 'utf8')).replace(/\(.*\)/, ''))
  while (!(await isStopped())) await new Promise((resolve) => setImmediate(resolve))
}

const openWorld = async (endpoint: string) => {
  const shop = await startShop()
  const tableName = randomUUID()
  await ensureTable(localClient(endpoint), tableName)
  const clock = movableClock(systemClock.now().toISOString())
  const store = dynamoStore({ client: localClient(endpoint), tableName, clock, patience: patient })
  const drive = driveShop(shop, resources, { clock, store, timeoutMs, writeConcurrency })
  const { id: apply } = await drive.request(digestOf(await drive.check()))
  const input = { tableName, bundle: shopBundle(shop.url, resources, { timeoutMs, writeConcurrency }), apply, leaseMs }
  /** Who comes later has a later time: an approval of a check that began before a command was sent is refused. */
  const comeLater = (): void => clock.forward(systemClock.now().getTime() - clock.now().getTime())
  return { shop, drive, apply, input, comeLater }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** What a request of the shop is about. */
const addressOf = ({ url, body }: Received): string => {
  const { title } = JSON.parse(body === '' ? '{}' : body) as { readonly title?: string }
  if (title !== undefined) return `shop_item.${title}`
  return url === '/lists' ? 'shop_list.main' : `shop_label.${url.split('/').at(-1)}`
}

const countBy = <Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1)
  return counts
}

const isAttempt = ({ kind }: LedgerEntry): boolean => kind === 'attempt'

/** Brings it to its end as somebody would who comes later, and says what must not be. */
const judge = async ({ shop, drive, comeLater }: World, refused: readonly Received[]): Promise<readonly string[]> => {
  const faults: string[] = []
  for (let round = 1; ; round += 1) {
    comeLater()
    const checked = await drive.check()
    if (checked.run.status === 'in_sync') break
    if (round > 3) {
      faults.push(`it does not converge: ${checked.run.status}`)
      break
    }
    const { id } = await drive.request(digestOf(checked))
    await runApply({ workspace, applyId: id, patient: true }, drive.deps)
  }
  const done = shop.writes().filter((request) => !refused.includes(request))
  for (const [what, times] of countBy(done, ({ method, url, body }) => `${method} ${url} ${body}`)) {
    if (times > 1) faults.push(`${what} was done ${times} times`)
  }
  const entries = (await drive.entries()).filter(isAttempt)
  const attempts = countBy(entries, ({ command }) => String(command?.['address']))
  for (const [address, times] of countBy(shop.writes(), addressOf)) {
    const noted = attempts.get(address) ?? 0
    if (times > noted) faults.push(`${address} was sent ${times} times, and the ledger has ${noted} attempts`)
  }
  const verdict = await verifyLedger({ workspace }, drive.deps)
  if (!verdict.ok) faults.push(`the ledger is broken: ${verdict.detail}`)
  const { lists, items, labels } = shop.state
  const found = `${lists.size} lists, ${items.size} items, ${labels.size} labels`
  if (found !== '1 lists, 2 items, 4 labels') faults.push(`there are ${found}`)
  return faults
}

/** Tells the server to ask the first write to come again; what it refused so. */
const refuseFirst = (shop: Shop): readonly Received[] => {
  const refused: Received[] = []
  shop.behaviour.fault = (request) => {
    if (request.method === 'GET' || refused.length > 0) return undefined
    refused.push(request)
    return { kind: 'answer', status: 429, headers: { 'retry-after': String(busySeconds) } }
  }
  return refused
}

/** How a worker may end that was not killed. Whatever else it says is a defect. */
const decentEnds = new Set([
  'succeeded',
  'failed',
  'refused',
  'not_converged',
  'LOCK_LOST',
  'LOCKED',
  'STORE_UNAVAILABLE',
  'STORE_CONFLICT',
])

const runCase = async (one: Case, endpoint: string): Promise<Verdict> => {
  await using way = await cuttable(endpoint)
  const world = await openWorld(endpoint)
  await using shop = world.shop
  const refused = one.busy ? refuseFirst(shop) : []
  const victim = startWorker({ ...world.input, endpoint: way.endpoint, point: one.point, atWrite: one.atWrite })
  await Promise.race([victim.met, victim.ended])
  if (one.disturbance === 'kill') victim.child.kill('SIGKILL')
  else if (one.disturbance === 'suspend' && victim.child.exitCode === null) await suspend(victim.child)
  else if (one.disturbance === 'refuse' || one.disturbance === 'silence') way.cut(one.disturbance)
  // Whoever is cut from the store goes on beside the other; whoever sleeps wakes up when the other is done.
  if (one.disturbance !== 'kill' && victim.child.connected) victim.goOn()
  const challenger = await startWorker({ ...world.input, endpoint, point: 0, atWrite: false }).ended
  way.restore()
  victim.child.kill('SIGCONT')
  const { how } = await victim.ended
  const strange = [how, challenger.how].filter((end) => end !== 'killed' && !decentEnds.has(end))
  const faults = [...strange.map((end) => `a worker ended with ${end}`), ...(await judge(world, refused))]
  const attempts = (await world.drive.entries()).filter(isAttempt).length
  return { case: one, victim: how, challenger: challenger.how, writes: shop.writes().length, attempts, faults }
}

/** How many points an apply passes that nobody disturbs. */
const countPoints = async (endpoint: string): Promise<number> => {
  const world = await openWorld(endpoint)
  await using _shop = world.shop
  return (await startWorker({ ...world.input, endpoint, point: 0, atWrite: false }).ended).points
}

/** Runs so many applies, each disturbed in its own way: the same count and seed choose the same. */
export const runChaos = async (
  { count, seed, atOnce }: { readonly count: number; readonly seed: number; readonly atOnce: number },
  told: (verdict: Verdict) => void = () => {},
): Promise<readonly Verdict[]> => {
  const engine = await startDynamodb()
  try {
    const points = await countPoints(engine.endpoint)
    const random = randomOf(seed)
    const limit = pLimit(atOnce)
    const cases = Array.from({ length: count }, (_, n): Case => {
      const disturbance = disturbances[n % disturbances.length] ?? 'kill'
      const atWrite = random() < 0.5
      const point = 1 + Math.floor(random() * (atWrite ? 2 * resources.length : points))
      return { n, disturbance, point, atWrite, busy: random() < 0.25 }
    })
    return await Promise.all(
      cases.map((one) =>
        limit(async () => {
          const verdict = await runCase(one, engine.endpoint)
          told(verdict)
          return verdict
        }),
      ),
    )
  } finally {
    await engine.stop()
  }
}
