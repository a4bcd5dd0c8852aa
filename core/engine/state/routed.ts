import type { AlertRoute } from '../schema/alert-route.ts'
import type { Alert } from '../schema/stored/findings.ts'
import { keysOfRouted } from './routed-writes.ts'
import { soundItems } from './store/commit.ts'
import { keys } from './store/keys.ts'
import type { Condition, Item, Store } from './store/store.ts'

/*
 * Each route has its own copy of an alert, so that a receiver that is away delays no other one, and none gets an alert a second
 * time because of it. A copy leaves the outbox after it was sent.
 */

export interface RoutedAlert {
  readonly alert: Alert
  readonly route: AlertRoute
  /** Which route of the configuration it was, when the alert was written. */
  readonly place: string
  /** How often it was not sent. */
  readonly tries: number
  /** ISO time before which nobody sends it; absent: it was never tried. */
  readonly restsUntil?: string
}

const routedIn = (item: Item): RoutedAlert => {
  const { body, route, tries, restsUntil } = item
  return {
    alert: body as Alert,
    route: route as AlertRoute,
    place: item.sk.slice(item.sk.lastIndexOf('#') + 1),
    tries: Number(tries),
    ...(typeof restsUntil === 'string' && { restsUntil }),
  }
}

/** Oldest first. A damaged one stays in the outbox. */
export const pendingRouted = (store: Store, workspace: string): Promise<readonly RoutedAlert[]> => {
  const { pk, sk } = keys.routed(workspace, '', '')
  return Array.fromAsync(soundItems(store, { pk, prefix: sk.slice(0, -1) }), routedIn)
}

/** The time that a process has to send an alert that it claimed. */
const claimMs = 60_000
const firstPauseMs = 10_000
const longestPauseMs = 3_600_000

const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()

const itemOf = ({ alert, route, place }: RoutedAlert, tries: number, restsUntil: string): Item => ({
  ...keysOfRouted(alert, place)[0],
  ...{ body: alert, route, tries, restsUntil },
})

/** True for exactly one of all processes that want to send it now. */
export const claimRouted = async (store: Store, routed: RoutedAlert, now: Date): Promise<boolean> => {
  const isFree: readonly Condition[] = [
    { kind: 'exists' },
    { kind: 'absentOrAtMost', attribute: 'restsUntil', value: now.toISOString() },
  ]
  const item = itemOf(routed, routed.tries, later(now, claimMs))
  return (await store.write([{ kind: 'put', item, if: isFree }])).ok
}

/** After a failure it rests: ten seconds, and twice as long each time, up to an hour. */
export const restRouted = async (store: Store, routed: RoutedAlert, now: Date): Promise<void> => {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** routed.tries)
  const item = itemOf(routed, routed.tries + 1, later(now, pause))
  await store.write([{ kind: 'put', item, if: [{ kind: 'exists' }] }])
}

/** It was sent, or is given up. */
export const endRouted = async (store: Store, { alert, place }: RoutedAlert): Promise<void> => {
  await store.write(keysOfRouted(alert, place).map((key) => ({ kind: 'delete', key })))
}
