import { AppError } from '../../../core/engine/errors/errors.ts'
import type { Alert } from '../../../core/engine/schema/stored/findings.ts'
import { listRuns } from '../../../core/engine/state/runs/runs.ts'
import type { Store } from '../../../core/engine/state/store/store.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import type { CheckMessage, Deps } from '../../../core/engine/workflows/deps.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { storeSource } from '../../../functions/adapters/store-source.ts'
import { checkHandler } from '../../../functions/check.ts'
import { scheduleHandler } from '../../../functions/schedule.ts'
import { lambdaContext } from '../../builders/aws/api-event.ts'
import { sqsEvent, testDelivery } from '../../builders/aws/sqs-event.ts'
import { anAnswer } from '../../builders/values/transports.ts'
import { actor, type movableClock, testDeps, yaml } from '../../builders/workspaces/workspace.ts'

/* A day of a fleet through the real handlers, minute by minute of a simulated clock. */

export interface Day {
  readonly workspaces: number
  readonly hours: number
  readonly clock: ReturnType<typeof movableClock>
  readonly store: Store
  /** After each hour. */
  readonly onHour?: (hour: number) => void
}

/** What is wrong afterwards: nothing, if no check and no alert was lost or doubled. */
export interface Outcome {
  readonly checks: number
  readonly alerts: number
  readonly problems: readonly string[]
}

const document = `
provider: { id: things, baseUrl: "http://target.test" }
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/{workspace}/{name}" }
      create: { method: POST, path: "/{workspace}" }
      update: { method: PATCH, path: "/{workspace}/{name}" }
      delete: { method: DELETE, path: "/{workspace}/{name}" }
    identity: { keys: [workspace, name] }
    lookup: { retrieve: true }
    parts: [{ name: main, read: retrieve, write: { op: update }, attributes: { workspace: { immutable: true }, name: { immutable: true }, size: { type: number } } }]
`

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** As the stack sets it: a check that failed is handed out again after this, at most so often. */
const hiddenMs = 90 * minuteMs
const mostDeliveries = 5

/** Ten minutes of each: the store at half past the third hour, the queue in the sixth, the topic in the ninth. */
const outages = { store: 3, queue: 6, topic: 9 } as const
type Part = keyof typeof outages

interface Waiting {
  readonly message: CheckMessage
  readonly at: number
  readonly deliveries: number
}

const nameOf = (n: number): string => `w${String(n).padStart(5, '0')}`

const bundleOf = (workspace: string) =>
  yaml(
    JSON.stringify({
      workspace,
      schedule: 'rate(1 hour)',
      providers: { api: { source: 'rest', definition: './api.yaml' } },
      resources: ['a', 'b'].map((name) => ({ type: 'api_thing', name, spec: { workspace, name, size: 1 } })),
    }),
    { 'api.yaml': document },
  )

/** Every workspace drifts once, for two hours: which hour depends on its number. */
const isDrifted = (workspace: string, hour: number, hours: number): boolean => {
  const begins = 1 + ((Number(workspace.slice(1)) * 13) % Math.max(1, hours - 4))
  return hour >= begins && hour < begins + 2
}

const openWorld = ({ clock, store: inner, hours }: Day) => {
  const begun = clock.now().getTime()
  const sinceBegin = (): number => clock.now().getTime() - begun
  const isOut = (part: Part): boolean => {
    const minutes = (sinceBegin() - outages[part] * hourMs) / minuteMs
    return minutes >= 30 && minutes < 40
  }
  const unless = async <Result>(part: Part, error: () => AppError, work: () => Promise<Result>): Promise<Result> => {
    if (isOut(part)) throw error()
    return work()
  }
  const outOfStore = () => new AppError('STORE_UNAVAILABLE', { detail: 'an outage of this test' })
  const store: Store = {
    get: (key, signal) => unless('store', outOfStore, () => inner.get(key, signal)),
    query: (query, signal) => unless('store', outOfStore, () => inner.query(query, signal)),
    write: (writes, signal) => unless('store', outOfStore, () => inner.write(writes, signal)),
  }
  const send: Transport['send'] = async ({ url }) => {
    const [workspace = '', name = ''] = new URL(url).pathname.split('/').slice(1)
    const drifted = name === 'a' && isDrifted(workspace, sinceBegin() / hourMs, hours)
    return anAnswer(200, { workspace, name, size: drifted ? 2 : 1 })
  }
  const waiting: Waiting[] = []
  const alerts: Alert[] = []
  const { deps } = testDeps({ clock, store, transport: () => ({ send }) })
  const given: Deps = {
    ...deps,
    config: storeSource(store),
    queue: {
      ...deps.queue,
      checks: (messages) =>
        unless(
          'queue',
          () => new AppError('QUEUE_UNAVAILABLE', { queue: 'checks', detail: 'an outage of this test' }),
          async () => {
            const sent = messages.map((message) => ({ message, at: clock.now().getTime(), deliveries: 0 }))
            // A queue delivers some messages twice.
            waiting.push(...sent, ...sent.filter((_, index) => (waiting.length + index) % 10 === 0))
            return []
          },
        ),
    },
    alerts: {
      publish: (alert) =>
        unless(
          'topic',
          () => new AppError('ALERT_REFUSED', { detail: 'an outage of this test' }),
          async () => {
            alerts.push(alert)
          },
        ),
    },
    // What fails in the outages is told; that is not what is looked at here.
    warn: () => {},
  }
  return { deps: given, waiting, alerts }
}

const runOf = async (store: Store, workspace: string): Promise<readonly string[]> => {
  const { items } = await listRuns(store, workspace, { limit: 1000 })
  return items.flatMap(({ scheduledFor }) => scheduledFor ?? [])
}

/** An hour between two checks, up to the end; what came due while everything stood still is caught up by one check. */
const problemsOf = (
  workspace: string,
  times: readonly string[],
  alerts: readonly Alert[],
  end: number,
): readonly string[] => {
  const problems: string[] = []
  const at = [...times.map(Date.parse).toSorted((x, y) => x - y), end]
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  const between = gaps.slice(0, -1)
  if (between.some((gap) => gap < hourMs)) problems.push(`${workspace}: two checks in an hour`)
  // The tick is a minute, and what it hands out is checked in the next.
  const missed = gaps.filter((gap) => gap > hourMs + 2 * minuteMs)
  if (missed.length > 1 || missed.some((gap) => gap > 2 * hourMs + 2 * minuteMs))
    problems.push(
      `${workspace}: ${gaps.map((gap) => Math.round(gap / minuteMs)).join(', ')} minutes between its checks`,
    )
  const kinds = alerts.map(({ kind }) => kind).join(' ')
  if (kinds !== 'opened resolved') problems.push(`${workspace}: its alerts are: ${kinds || 'none'}`)
  return problems
}

export const liveDay = async (day: Day): Promise<Outcome> => {
  const { clock, workspaces, hours } = day
  const names = Array.from({ length: workspaces }, (_, n) => nameOf(n))
  const { deps: pushing } = testDeps({ clock, store: day.store })
  // Their checks are spread over the hour, so that some are due in each outage.
  for (const name of names) {
    await putWorkspace({ bundle: bundleOf(name), actor }, { ...pushing, config: storeSource(day.store) })
    clock.forward(hourMs / workspaces)
  }
  const { deps, waiting, alerts } = openWorld(day)
  const [schedule, check] = [scheduleHandler(async () => deps), checkHandler(async () => deps, testDelivery().delivery)]
  const lost: string[] = []
  const deliver = async (): Promise<void> => {
    const now = clock.now().getTime()
    const ready = waiting.filter(({ at }) => at <= now)
    waiting.splice(0, waiting.length, ...waiting.filter(({ at }) => at > now))
    for (const { message, deliveries } of ready) {
      const { batchItemFailures } = await check(sqsEvent([{ body: message }]), lambdaContext(900_000))
      if (batchItemFailures.length === 0) continue
      if (deliveries + 1 >= mostDeliveries) lost.push(`${message.workspace}: a check was given up`)
      else waiting.push({ message, at: now + hiddenMs, deliveries: deliveries + 1 })
    }
  }
  for (let minute = 0; minute < hours * 60; minute += 1) {
    clock.forward(minuteMs)
    // A tick in an outage fails, and the next one does its work.
    await schedule({}, lambdaContext(50_000)).catch(() => {})
    await deliver()
    if (minute % 60 === 59) day.onHour?.((minute + 1) / 60)
  }
  const problems = [...lost]
  let checks = 0
  const byWorkspace = Map.groupBy(alerts, ({ workspace }) => workspace)
  for (const name of names) {
    const times = await runOf(day.store, name)
    checks += times.length
    problems.push(...problemsOf(name, times, byWorkspace.get(name) ?? [], clock.now().getTime()))
  }
  return { checks, alerts: alerts.length, problems }
}
