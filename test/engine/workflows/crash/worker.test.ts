import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listApplies } from '../../../../core/engine/state/applies/applies.ts'
import { getLock, readLock } from '../../../../core/engine/state/applies/lock.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import { runApply } from '../../../../core/engine/workflows/apply/run-apply.ts'
import { verifyLedger } from '../../../../core/engine/workflows/records/verify-ledger.ts'
import { systemClock } from '../../../../functions/adapters/clock.ts'
import { localClient } from '../../../../functions/adapters/dynamodb/local-client.ts'
import { dynamoStore } from '../../../../functions/adapters/dynamodb/store.ts'
import { ensureTable } from '../../../../functions/adapters/dynamodb/table.ts'
import { lawCases, lawStep } from '../../../builders/laws.ts'
import { type Shop, startShop } from '../../../builders/servers/fake-api.ts'
import { type CrashPoint, withCrash } from '../../../builders/time/crash-point.ts'
import { bundleCrashWorker } from '../../../builders/time/crash-process.ts'
import { type DynamodbEngine, patient, startDynamodb } from '../../../builders/time/dynamodb-engine.ts'
import { digestOf, driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

/** Four commands; the id that the server makes for the list goes into a URL and into a body. */
const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries } }',
  '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea } }',
  '{ type: shop_item, name: oats, spec: { list: "${resource.shop_list.main.id}", title: oats }, dependsOn: [shop_item.tea] }',
  '{ type: shop_label, name: sale, spec: { name: sale, list: "${resource.shop_list.main.id}", text: "of ${resource.shop_item.oats.id}" } }',
]
const commands = 4

type Drive = ReturnType<typeof driveShop>

/** Two ways on after a death: the queue gives the message to another worker, or somebody checks and applies anew. */
const recoveries: readonly (readonly [string, (drive: Drive, apply: string) => Promise<unknown>])[] = [
  ['the same apply again', (drive, apply) => drive.runAgain(apply)],
  ['a new check and apply', async (drive) => drive.apply(digestOf(await drive.check()))],
]

const expectConverged = async (shop: Shop, { deps, check, entries }: Drive) => {
  const { lists, items, labels } = shop.state
  const [list] = [...lists.keys()]
  const titles = [...items.values()].map((item) => [item['list'], item['title']])
  const oats = [...items.values()].find(({ title }) => title === 'oats')?.['id']
  expect([...lists.values()]).toEqual([{ id: list, name: 'groceries' }])
  expect(titles).toEqual([
    [list, 'tea'],
    [list, 'oats'],
  ])
  expect([...labels.values()]).toEqual([{ name: 'sale', list: String(list), text: `of ${oats}` }])
  expect(shop.writes().filter(({ method }) => method === 'POST')).toHaveLength(3)

  expect(await check()).toMatchObject({ run: { status: 'in_sync' }, plan: { changes: [], commands: [] } })
  expect(await getLock(deps.store, workspace, deps.clock.now())).toBeUndefined()
  expect(await verifyLedger({ workspace }, deps)).toMatchObject({ ok: true })

  const { items: applies } = await listApplies(deps.store, workspace, { limit: 10 })
  for (const { status } of applies) expect(['succeeded', 'failed', 'refused']).toContain(status)
  const all = await entries()
  for (const { id } of applies) {
    const own = all.filter(({ applyId: apply }) => apply === id)
    const ofKind = (kind: string) => own.filter((entry) => entry.kind === kind).map(({ command }) => command?.['id'])
    expect(new Set(ofKind('intent')).difference(new Set(ofKind('result')))).toEqual(new Set())
    expect(['finished', 'refused']).toContain(own.at(-1)?.kind)
  }
}

const expectNoneRunning = async ({ deps }: Drive) => {
  const { items } = await listApplies(deps.store, workspace, { limit: 10 })
  expect(items.map(({ status }) => status)).not.toContain('running')
}

const eachCommand = Array.from({ length: commands }, (_, index) => index + 1)
const points: readonly CrashPoint[] = [
  ...eachCommand.flatMap((n): CrashPoint[] => [
    { at: 'intent', n, when: 'before' },
    { at: 'intent', n, when: 'after' },
    { at: 'send', n, when: 'after' },
    { at: 'result', n, when: 'after' },
  ]),
  { at: 'finished', n: 1, when: 'before' },
]

describe('kill -9 of a worker', () => {
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

  const cases = points.flatMap((point) => recoveries.map(([way, recover]) => ({ ...point, way, recover })))
  it.concurrent.each(lawCases(cases))(
    'is followed by the correct end: $when $at $n, then $way',
    async ({ at, n, when, recover }) => {
      await using shop = await startShop()
      const tableName = randomUUID()
      const client = localClient(engine.endpoint)
      await ensureTable(client, tableName)
      const clock = movableClock(systemClock.now().toISOString())
      const drive = driveShop(shop, resources, {
        clock,
        store: dynamoStore({ client, tableName, clock, patience: patient }),
      })
      const { id } = await drive.request(digestOf(await drive.check()))
      const died = await worker.run({
        endpoint: engine.endpoint,
        tableName,
        url: shop.url,
        resources,
        apply: id,
        point: { at, n, when },
      })
      expect(died).toEqual({ code: null, signal: 'SIGKILL', said: '' })
      // The lease of the dead ends by itself, for whoever watches it stand still.
      expect(await readLock(drive.deps.store, workspace)).toMatchObject({ holder: id })
      clock.forward(61_000)
      await recover(drive, id)
      await expectNoneRunning(drive)
      // The queue gives the first message out again, whatever was done since.
      await drive.runAgain(id)
      await expectConverged(shop, drive)
    },
  )
})

describe('a death at any write to the store', () => {
  const never = (): Promise<never> => new Promise(() => {})
  it.each(recoveries)('is followed by the correct end, then %s', async (_, recover) => {
    let deaths = 0
    for (const when of ['before', 'after'] as const) {
      for (let n = 1; ; n += lawStep(7)) {
        await using shop = await startShop()
        const clock = movableClock()
        const drive = driveShop(shop, resources, { clock, store: memoryStore(clock) })
        const { id } = await drive.request(digestOf(await drive.check()))
        const died = Promise.withResolvers<'died'>()
        const die = () => {
          died.resolve('died')
          return never()
        }
        const deps = withCrash(drive.deps, { at: 'store', n, when }, die)
        const end = await Promise.race([died.promise, runApply({ workspace, applyId: id }, deps)])
        if (end !== 'died') break
        deaths += 1
        clock.forward(61_000)
        await recover(drive, id)
        await expectNoneRunning(drive)
        const { outcomes, error } = await drive.runAgain(id)
        // Died between the note of an attempt and the wire: nobody can tell that from a create that does not show yet.
        if (outcomes.some(({ detail }) => detail?.startsWith('it may have been sent'))) {
          expect(error?.code).toBe('APPLY_FAILED')
          await drive.apply(digestOf(await drive.check()))
        }
        await expectConverged(shop, drive)
      }
    }
    expect(deaths).toBeGreaterThan((2 * 3 * commands) / lawStep(7))
  })
})
