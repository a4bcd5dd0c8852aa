/*
 * The metrics of the functions. This file imports nothing: functions/ emits these names and infra/ makes alarms of them, so
 * an alarm on a name that no function emits does not compile, and a name that is never emitted fails a test.
 */

/** When an alarm is raised. Numbers are compared over five minutes: counts by their sum, seconds by their maximum. */
export interface AlarmRule {
  /** The least number that is wrong. */
  readonly from: number
  /** What a missing number means. `wrong`: it is written at fixed times, whatever happens. */
  readonly silence: 'fine' | 'wrong'
  /** Periods of five minutes in a row. */
  readonly periods?: number
  /** The description of the alarm; docs/operations.md says what to do. */
  readonly means: string
}

interface Metric {
  readonly unit: 'Count' | 'Seconds'
  readonly alarm?: AlarmRule
}

/** In CloudWatch; each deployment is a `service` of its own in it. */
export const metricNamespace = 'Plumbline'

const count: Metric = { unit: 'Count' }
/** Alarmed as soon as one is counted, unless the rule says otherwise. */
const alarmed = (means: string, rule: Partial<AlarmRule> = {}): Metric => ({
  unit: 'Count',
  alarm: { from: 1, silence: 'fine', ...rule, means },
})
/** Twice in a row, because a single failure may be temporary. */
const twice = { periods: 2 }

const table = {
  ChecksEnqueued: count,
  /** Due, and not queued because another check of the workspace is pending. */
  ChecksCovered: count,
  /** An apply was running; the check is due again in a minute. */
  ChecksPostponed: count,
  ChecksRefused: alarmed('the queue of checks refuses checks that are due', twice),
  /** Due, and not processed before the tick had to end: at least so many. */
  DueLeft: alarmed('more checks are due than a tick can queue', twice),
  /** Entries of the due list, or parts of the list, that a tick could not process. */
  DueFailed: alarmed('checks that are due cannot be queued', twice),
  /** Invalid entries of the due list, which were removed. The log names them. */
  DueDropped: count,
  /** Workspaces, at each tick. */
  Quarantined: alarmed('a workspace is in quarantine: it is not checked'),
  ChecksDone: count,
  /** Stopped at its deadline with what it has read; another invocation goes on. */
  ChecksHandedOver: count,
  /** Ended without a plan, or did not run. */
  ChecksFailed: alarmed('a check failed: the state of its workspace is unknown'),
  AppliesDone: count,
  /** Stopped at its deadline; another invocation continues it. */
  AppliesHandedOver: count,
  /** The commands differ from the approved ones: a correct answer of the apply, not a failure. */
  AppliesRefused: count,
  AppliesFailed: alarmed('an apply failed: not everything that was approved is done'),
  AppliesInterrupted: alarmed('an apply was interrupted, and is tried again'),
  /** Their message was lost or given up: they were queued again. */
  AppliesResent: count,
  /** Could not be read, or not be queued again. */
  ResendFailed: alarmed('waiting applies cannot be queued again', twice),
  /** Not processed before the tick had to end. */
  ResendLeft: count,
  AppliesStranded: alarmed('an approved apply was given up: no worker finished it'),
  AlertsDeliveredLate: count,
  /** Each attempt. Waiting alerts are tried again each minute. */
  AlertsRefused: alarmed('alerts cannot be published, and wait', twice),
  /** Their check is late by more than the margin. Written every five minutes, by a rule that runs nothing else. */
  WorkspacesOverdue: alarmed('a workspace was not checked in time, or the watch function does not report', {
    ...twice,
    silence: 'wrong',
  }),
  MostOverdueSeconds: { unit: 'Seconds' },
  /** Since the check that found its reason. Written every five minutes, 0 where none waits. */
  OldestWaitingAlertSeconds: {
    ...alarmed('an alert has waited too long, or the watch function does not report', {
      ...twice,
      from: 900,
      silence: 'wrong',
    }),
    unit: 'Seconds',
  },
  /** Calls of the API without a valid token, or without the right that they need. */
  CallsDenied: count,
} satisfies Record<string, Metric>

export type MetricName = keyof typeof table
export const metricTable: Readonly<Record<MetricName, Metric>> = table

/** The metrics that raise an alarm, with their rules. */
export const alarmedMetrics: readonly (readonly [MetricName, AlarmRule])[] = Object.entries(metricTable).flatMap(
  ([name, { alarm }]) => (alarm === undefined ? [] : [[name as MetricName, alarm] as const]),
)
