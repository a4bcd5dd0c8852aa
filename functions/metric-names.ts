/*
 * The metrics of the functions. This file imports nothing: functions/ emits these names and infra/ makes alarms of
 * them, so an alarm on a name that no function emits does not compile, and a name that is never emitted fails a test.
 */

/** Numbers are compared over five minutes: counts by their sum, seconds by their maximum. */
export interface AlarmRule {
  /** The least number that raises the alarm. */
  readonly from: number
  /** The meaning of a missing number. `wrong`: the metric is written at fixed times, whatever happens. */
  readonly silence: 'fine' | 'wrong'
  /** The number of consecutive periods of five minutes. */
  readonly periods?: number
  /** The description of the alarm; docs/operations.md tells what to do. */
  readonly means: string
}

interface Metric {
  readonly unit: 'Count' | 'Seconds'
  readonly alarm?: AlarmRule
  /** The name of a metric with an alarm that counts this one too. The metric itself then tells what happened. */
  readonly partOf?: string
}

/** The namespace in CloudWatch; each deployment is its own `service` in it. */
export const metricNamespace = 'Plumbline'

const count: Metric = { unit: 'Count' }
/** Raises an alarm at a count of 1, unless the rule says otherwise. */
const alarmed = (means: string, rule: Partial<AlarmRule> = {}): Metric => ({
  unit: 'Count',
  alarm: { from: 1, silence: 'fine', ...rule, means },
})
const partOf = (name: string): Metric => ({ unit: 'Count', partOf: name })
/** Two periods in a row, because a single failure may be temporary. */
const twice = { periods: 2 }

const table = {
  ChecksEnqueued: count,
  /** Due checks that were not queued because another check of the workspace is pending. */
  ChecksCovered: count,
  /** Checks that are due again in a minute, because an apply was running. */
  ChecksPostponed: count,
  /** One alarm for all that keeps a tick from its work: CloudWatch is paid for each metric of an alarm. */
  TickBlocked: alarmed('the schedule cannot queue what is due: see its log, and which metric has numbers', twice),
  /** Checks that are due and that the queue refused. */
  ChecksRefused: partOf('TickBlocked'),
  /** Due checks that were not processed before the tick had to end: at least so many. */
  DueLeft: partOf('TickBlocked'),
  /** Entries of the due list, or parts of the list, that a tick could not process. */
  DueFailed: partOf('TickBlocked'),
  /** Invalid entries that were removed from the due list. The log names them. */
  DueDropped: count,
  Quarantined: alarmed('a workspace is in quarantine: it is not checked'),
  ChecksDone: count,
  /** Checks that stopped at their deadline; another invocation continues each. */
  ChecksHandedOver: count,
  ChecksFailed: alarmed('a check failed: the state of its workspace is unknown'),
  AppliesDone: count,
  /** Applies that stopped at their deadline; another invocation continues each. */
  AppliesHandedOver: count,
  /** Applies whose commands differ from the approved ones: a correct answer, not a failure. */
  AppliesRefused: count,
  /** One alarm for all applies that did not end as approved. */
  AppliesUnfinished: alarmed('an apply failed, was interrupted, or was given up: see which metric has numbers'),
  /** Not everything that was approved is done. */
  AppliesFailed: partOf('AppliesUnfinished'),
  /** Applies that are tried again. */
  AppliesInterrupted: partOf('AppliesUnfinished'),
  /** Applies that were queued again, because their message was lost or given up. */
  AppliesResent: count,
  /** Waiting applies that could not be queued again. */
  ResendFailed: partOf('TickBlocked'),
  ResendLeft: count,
  /** Approved applies that were given up, because no worker finished them. */
  AppliesStranded: partOf('AppliesUnfinished'),
  AlertsDeliveredLate: count,
  /** Counts each attempt. Waiting alerts are tried again each minute. */
  AlertsRefused: alarmed('alerts cannot be published, and wait', twice),
  /**
   * Reads of items that are damaged or of a later format: the watch reads every workspace each hour, and then these every five minutes. The log
   * names them.
   */
  RecordsDamaged: alarmed('a stored item is damaged, or of a later format: it is left out'),
  /**
   * Workspaces whose check is late by more than the margin. Written every five minutes, by a rule that runs nothing
   * else.
   */
  WorkspacesOverdue: alarmed('a workspace was not checked in time, or the watch function does not report', {
    ...twice,
    silence: 'wrong',
  }),
  MostOverdueSeconds: { unit: 'Seconds' },
  /** Seconds since the check that found the reason of the alert. Written every five minutes, 0 if no alert waits. */
  OldestWaitingAlertSeconds: {
    ...alarmed('an alert has waited too long, or the watch function does not report', {
      ...twice,
      from: 900,
      silence: 'wrong',
    }),
    unit: 'Seconds',
  },
  AnchorsKept: count,
  /** Seconds since a ledger was to be anchored. Written every five minutes, 0 if none waits. */
  OldestWaitingAnchorSeconds: {
    ...alarmed('the head of a ledger could not be anchored for a day', { from: 86_400 }),
    unit: 'Seconds',
  },
  /** Calls of the API without a valid token, or without the required right. */
  CallsDenied: count,
} satisfies Record<string, Metric>

export type MetricName = keyof typeof table
export const metricTable: Readonly<Record<MetricName, Metric>> = table

export const alarmedMetrics: readonly (readonly [MetricName, AlarmRule])[] = Object.entries(metricTable).flatMap(
  ([name, { alarm }]) => (alarm === undefined ? [] : [[name as MetricName, alarm] as const]),
)
