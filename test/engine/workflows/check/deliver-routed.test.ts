import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../core/engine/errors/errors.ts'
import type { AlertRoute } from '../../../../core/engine/schema/alert-route.ts'
import type { Alert } from '../../../../core/engine/schema/stored/findings.ts'
import { oldestUndelivered, outboxWrites } from '../../../../core/engine/state/outbox.ts'
import { pendingRouted } from '../../../../core/engine/state/routed.ts'
import { memoryStore } from '../../../../core/engine/state/store/memory.ts'
import { deliverAlerts, deliverLeftovers } from '../../../../core/engine/workflows/check/deliver-alerts.ts'
import type { CheckMessage, Warning } from '../../../../core/engine/workflows/deps.ts'
import { anAlert } from '../../../builders/values/records.ts'
import { movableClock } from '../../../builders/workspaces/workspace.ts'

const workspace = 'acme'
const slack: AlertRoute = { kind: 'slack', url: { secret: 'env:S' } }
const pager: AlertRoute = { kind: 'pagerduty', key: { secret: 'env:P' }, minSeverity: 'high' }

const world = (away: ReadonlySet<AlertRoute['kind']> = new Set()) => {
  const clock = movableClock()
  const store = memoryStore(clock)
  const heard: string[] = []
  const warnings: Warning[] = []
  const messages: CheckMessage[] = []
  const gone = new Set(away)
  const deps = {
    ...{ store, clock, warn: (warning: Warning) => void warnings.push(warning) },
    alerts: { publish: async ({ id }: Alert) => void heard.push(`topic ${id}`) },
    ids: { ulid: () => '', uuid: () => '', random: () => 0 },
    queue: {
      apply: async () => {},
      checks: async (more: readonly CheckMessage[]) => {
        messages.push(...more)
        return []
      },
    },
  }
  const routes = {
    send: async ({ kind }: AlertRoute, { id }: Alert) => {
      if (gone.has(kind)) throw new Error('connect https://hooks.example/T0CANARY')
      heard.push(`${kind} ${id}`)
    },
  }
  const find = (alert: Partial<Alert>, n = 1) =>
    store.write(outboxWrites([anAlert(n, { workspace, at: clock.now().toISOString(), ...alert })], [slack, pager]))
  const tell = () => deliverAlerts({ workspace }, { ...deps, routes })
  return { clock, store, heard, warnings, messages, gone, deps, routes, find, tell }
}

const [first, second] = [anAlert(1).id, anAlert(2).id]

describe('an alert for the routes of its workspace', () => {
  it.each([
    ['too low for one', { severity: 'low' }, [`slack ${first}`]],
    ['high enough', { severity: 'high' }, [`slack ${first}`, `pagerduty ${first}`]],
    ['of an episode that was high', { severity: 'low', peak: 'high' }, [`slack ${first}`, `pagerduty ${first}`]],
    [
      'of the end of one',
      { kind: 'resolved', severity: 'low', peak: 'high' },
      [`slack ${first}`, `pagerduty ${first}`],
    ],
  ] as const)('goes to those that it reaches, once: %s', async (_, alert, expected) => {
    const here = world()
    await here.find(alert)
    await here.tell()
    await here.tell()
    expect(here.heard.toSorted()).toEqual([...expected, `topic ${first}`].toSorted())
    expect(await oldestUndelivered(here.store)).toBeUndefined()
  })

  it('waits for a receiver that is away, delays no other one, and arrives in order', async () => {
    const here = world(new Set(['slack']))
    await here.find({ severity: 'high' })
    await here.find({ severity: 'high', kind: 'resolved' }, 2)
    await here.tell()
    expect(here.heard.toSorted()).toEqual(
      [`pagerduty ${first}`, `pagerduty ${second}`, `topic ${first}`, `topic ${second}`].toSorted(),
    )
    expect(here.warnings).toMatchObject([
      { kind: 'alert_waits', alert: { id: first }, error: { code: 'ROUTE_FAILED', payload: { detail: 'no answer' } } },
    ])
    expect(JSON.stringify(here.warnings) + here.warnings.map(({ error }) => (error as Error).message)).not.toMatch(
      /CANARY/,
    )
    here.gone.clear()
    here.clock.forward(9_000)
    await here.tell()
    expect(here.heard.filter((each) => each.startsWith('slack'))).toEqual([])
    here.clock.forward(2_000)
    await here.tell()
    expect(here.heard.filter((each) => each.startsWith('slack'))).toEqual([`slack ${first}`, `slack ${second}`])
  })

  it('is tried after pauses that grow to an hour, and given up after a day', async () => {
    const here = world(new Set(['slack']))
    await here.find({ severity: 'low' })
    const began = here.clock.now().getTime()
    const tried: number[] = []
    for (let waits = await pendingRouted(here.store, workspace); waits.length > 0; ) {
      tried.push((here.clock.now().getTime() - began) / 1_000)
      await here.tell()
      waits = await pendingRouted(here.store, workspace)
      const until = waits[0]?.restsUntil
      if (until !== undefined) here.clock.forward(Date.parse(until) - here.clock.now().getTime())
    }
    const pauses = tried.slice(1).map((at, n) => at - (tried[n] ?? 0))
    expect(pauses.slice(0, 10)).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600])
    expect(Math.max(...pauses)).toBe(3_600)
    expect(here.warnings.at(-1)).toMatchObject({ kind: 'alert_lost', alert: { id: first } })
    expect(here.warnings.filter(({ kind }) => kind === 'alert_lost')).toHaveLength(1)
    expect(await oldestUndelivered(here.store)).toBeUndefined()
  })

  it('is sent by one of two at the same time', async () => {
    const here = world()
    await here.find({ severity: 'low' })
    await Promise.all([here.tell(), here.tell()])
    expect(here.heard.filter((each) => each.startsWith('slack'))).toHaveLength(1)
  })

  it('is left to the queue of checks where no secrets can be read, as soon as it may be tried again', async () => {
    const here = world(new Set(['slack']))
    await here.find({ severity: 'low' })
    await here.tell()
    await deliverLeftovers(here.deps)
    expect(here.messages).toEqual([])
    here.clock.forward(10_000)
    await deliverLeftovers(here.deps)
    expect(here.messages).toEqual([{ workspace, tell: true }])
  })

  it('keeps the words of an error of ours, which name no address', async () => {
    const here = world()
    await here.find({ severity: 'low' })
    const error = new AppError('SECRET_UNRESOLVED', { source: 'env:S', detail: 'it does not exist' })
    await deliverAlerts({ workspace }, { ...here.deps, routes: { send: () => Promise.reject(error) } })
    expect(here.warnings).toMatchObject([{ error }])
  })
})
