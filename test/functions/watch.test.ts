import { Template } from 'aws-cdk-lib/assertions'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Deps } from '#core'
import { memoryStore } from '../../core/engine/state/store/memory.ts'
import { saveWorkspace } from '../../core/engine/state/workspaces/save-workspace.ts'
import { checkHandler } from '../../functions/check.ts'
import { logWarning } from '../../functions/middleware/observe.ts'
import { scheduleHandler } from '../../functions/schedule.ts'
import { watchHandler } from '../../functions/watch.ts'
import { testDeps } from '../builders/aws/api.ts'
import { lambdaContext } from '../builders/aws/api-event.ts'
import { type AlarmProperties, type Datum, readLog, rings } from '../builders/aws/cloudwatch.ts'
import { sqsEvent, testDelivery } from '../builders/aws/sqs-event.ts'
import { synthesise } from '../builders/aws/template.ts'
import { lawCases } from '../builders/laws.ts'
import { long } from '../builders/long.ts'
import { stores, type TestStore, testClock } from '../builders/time/stores.ts'
import { aBundle, aWorkspace } from '../builders/values/records.ts'

// Before the functions are loaded, as Lambda has it.
vi.hoisted(() => {
  const { env } = process
  env['POWERTOOLS_SERVICE_NAME'] = 'Plumbline-Plumbline'
  env['POWERTOOLS_METRICS_DISABLED'] = 'false'
  env['POWERTOOLS_LOG_LEVEL'] = 'INFO'
})

const inMemory: (typeof stores)[number][1] = (clock) =>
  Promise.resolve({ store: memoryStore(clock), stop: async () => {} })
const minute = 60_000
const start = '2026-03-01T06:00:00.000Z'
const alarms = Object.entries(Template.fromStack(synthesise().stack).findResources('AWS::CloudWatch::Alarm'))
const alarmOf = (id: string): AlarmProperties => {
  const [, found] = alarms.find(([name]) => name.startsWith(`PlumblineAlarms${id}`)) ?? []
  return found?.['Properties'] as AlarmProperties
}

/** What can be down. */
type Part = 'tick' | 'queue' | 'check' | 'watch' | 'topic' | 'store of the watch' | 'one queue message'

/** One deployment: real handlers on a store, called as the stack calls them, in a time that the test moves. */
const deployment = async (createStore: (typeof stores)[number][1], bundles: Readonly<Record<string, string>>) => {
  const clock = testClock(start)
  const made: TestStore = await createStore(clock)
  const down = new Set<Part>()
  const base = testDeps({ clock }, made.store)
  const { deps, checks } = base
  const alerts = {
    publish: async (alert: Parameters<Deps['alerts']['publish']>[0]) => {
      if (down.has('topic')) throw new RangeError('not taken')
      base.alerts.push(alert)
    },
  }
  const compose = async (): Promise<Deps> => ({ ...deps, alerts, warn: logWarning })
  const fail = (): never => {
    throw new RangeError('the store is away')
  }
  const away = { get: async () => fail(), query: async () => fail(), write: async () => fail() }
  const composeWatch = async (): Promise<Deps> => ({
    ...deps,
    ...(down.has('store of the watch') ? { store: away } : {}),
  })
  const schedule = scheduleHandler(compose)
  const check = checkHandler(async () => (down.has('check') ? fail() : compose()), testDelivery().delivery)
  const watch = watchHandler({ compose: composeWatch, marginMs: () => 30 * minute })
  for (const [id, text] of Object.entries(bundles)) {
    const times = { schedule: 'rate(15 minutes)', nextCheckAt: start, updatedAt: start }
    await saveWorkspace(made.store, aWorkspace({ id, ...times }), aBundle(text))
  }
  const log = readLog()
  const periods: (readonly Datum[])[] = []

  const deliver = async (): Promise<void> => {
    const messages = checks.splice(0).filter(({ workspace }) => workspace !== 'acme' || !down.has('one queue message'))
    if (messages.length === 0 || down.has('queue')) return
    await check(sqsEvent(messages.map((body, n) => ({ id: `${n}`, body }))), lambdaContext(900_000))
  }
  /** Five minutes: a tick, what it queued, and the watch; what they wrote is one period of the alarms. */
  const period = async (): Promise<void> => {
    if (!down.has('tick')) await schedule({}, lambdaContext(50_000)).catch(() => {})
    await deliver()
    clock.advance(5 * minute)
    if (!down.has('watch')) await watch({}, lambdaContext(120_000)).catch(() => {})
    periods.push(log.taken())
  }
  const pass = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += 5) await period()
  }
  const stop = async (): Promise<void> => {
    log.stop()
    await made.stop()
  }
  const store = (...given: Parameters<typeof saveWorkspace> extends [unknown, ...infer Rest] ? Rest : never) =>
    saveWorkspace(made.store, ...given)
  return {
    down,
    pass,
    stop,
    log,
    store,
    told: base.alerts,
    rings: (id: string) => rings(alarmOf(id), periods),
    periods,
  }
}

const calm = (id: string): string => `workspace: ${id}\nproviders: {}\nresources: []\n`
const three = { acme: calm('acme'), beta: calm('beta'), gamma: calm('gamma') }

let world: Awaited<ReturnType<typeof deployment>> | undefined
beforeEach(() => {
  world = undefined
})
afterEach(() => world?.stop())

describe.each(lawCases(stores))('the alarm for late checks, %s', (_, createStore) => {
  const began = async (bundles: Readonly<Record<string, string>> = three) => {
    world = await deployment(createStore, bundles)
    return world
  }

  it('is silent as long as everything is checked in time', long, async () => {
    const { pass, rings, periods } = await began()
    for (let hour = 0; hour < 3; hour += 1) {
      await pass(60)
      expect([rings('WorkspacesOverdue'), rings('OldestWaitingAlertSeconds')]).toEqual([false, false])
    }
    expect(periods.flat().filter(({ name }) => name === 'MostOverdueSeconds')).toEqual([])
  })

  it.each<readonly [string, readonly Part[]]>([
    ['the rule of the tick is disabled', ['tick']],
    ['the queue stands still', ['queue']],
    ['no check ends in a stored run', ['check']],
    ['the messages of one workspace are lost', ['one queue message']],
    ['the watch is not called', ['watch']],
    ['the store does not answer the watch', ['store of the watch']],
    ['nothing at all runs', ['tick', 'queue', 'check', 'watch']],
  ])('rings when %s, and stops when that is over', async (_name, parts) => {
    const { down, pass, rings } = await began()
    await pass(30)
    expect(rings('WorkspacesOverdue')).toBe(false)
    for (const part of parts) down.add(part)
    // The schedule, the margin, and two periods of the alarm.
    await pass(15 + 30 + 10 + 5)
    expect(rings('WorkspacesOverdue')).toBe(true)
    down.clear()
    await pass(20)
    expect(rings('WorkspacesOverdue')).toBe(false)
  })

  it('names in the log what is late, and since when', async () => {
    const { down, pass, log } = await began()
    await pass(30)
    down.add('one queue message')
    await pass(60)
    const entry = log.entries.findLast(({ message }) => message === 'workspaces were not checked in time')
    expect(entry).toMatchObject({ level: 'ERROR', count: 1, workspaces: [{ workspace: 'acme' }] })
  })

  it('rings for a workspace with an invalid schedule, which hides no other one', async () => {
    const { pass, rings, log, store } = await began()
    await pass(30)
    expect(rings('WorkspacesOverdue')).toBe(false)
    const broken = { id: 'acme', schedule: 'every now and then', updatedAt: start }
    await store(aWorkspace(broken), aBundle(calm('acme')))
    await pass(15)
    expect(rings('WorkspacesOverdue')).toBe(true)
    const entry = log.entries.findLast(({ message }) => message === 'workspaces were not checked in time')
    expect(entry).toMatchObject({ workspaces: [{ workspace: 'acme', error: { code: 'SCHEDULE_INVALID' } }] })
  })
})

describe('the alarm for waiting alerts', () => {
  it('rings while the topic accepts nothing, and the alerts are sent when it does', async () => {
    world = await deployment(inMemory, { acme: 'workspace: acme\nressources: []\n' })
    const { down, pass, rings, told, log } = world
    down.add('topic')
    await pass(10)
    expect(rings('AlertsRefused')).toBe(true)
    expect(rings('OldestWaitingAlertSeconds')).toBe(false)
    await pass(20)
    expect(rings('OldestWaitingAlertSeconds')).toBe(true)
    const entry = log.entries.findLast(({ kind }) => kind === 'alert_waits')
    expect(entry).toMatchObject({ level: 'ERROR', workspace: 'acme', error: { name: 'RangeError' } })
    expect(told).toEqual([])
    down.clear()
    await pass(10)
    expect(told).toMatchObject([{ workspace: 'acme', about: 'unchecked', kind: 'opened' }])
    expect([rings('AlertsRefused'), rings('OldestWaitingAlertSeconds')]).toEqual([false, false])
  })
})
