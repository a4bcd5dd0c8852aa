/*
 * What the functions count, one line each. It imports nothing, so that functions/ emits these names and infra/ makes its
 * alarms of them: an alarm on what nobody emits does not compile, and what stands here without being emitted fails a test.
 */

/** When somebody is told. The functions write the number, so its sum or maximum over five minutes is compared. */
export interface AlarmRule {
  /** The least number that is wrong. */
  readonly from: number
  /** What no number at all means. `wrong`: it is written at fixed times, whatever happens. */
  readonly silence: 'fine' | 'wrong'
  /** Periods of five minutes in a row. */
  readonly periods?: number
  /** What it means, for the description of the alarm; what to do stands in docs/operations.md. */
  readonly means: string
}

interface Metric {
  /** Counts are summed up, of times the longest counts. */
  readonly unit: 'Count' | 'Seconds'
  readonly alarm?: AlarmRule
}

/** In CloudWatch; each deployment is a `service` of its own in it. */
export const metricNamespace = 'Plumbline'

export const metricTable = {
  ChecksEnqueued: { unit: 'Count' },
  /** Due, and not queued because another check of the workspace is pending. */
  ChecksCovered: { unit: 'Count' },
  /** Met an apply, and due again in a minute. */
  ChecksPostponed: { unit: 'Count' },
  ChecksRefused: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', periods: 2, means: 'the queue of checks refuses what is due' },
  },
  /** Due, and not looked at before the tick had to end: so many at least. */
  DueLeft: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', periods: 2, means: 'more is due than a tick can queue' },
  },
  /** Entries of the due list, or parts of it, of which a tick could make nothing. */
  DueFailed: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', periods: 2, means: 'checks that are due cannot be queued' },
  },
  /** Entries of the due list that named no workspace and no time: they were taken out. The log names them. */
  DueDropped: { unit: 'Count' },
  /** Workspaces, at each tick. */
  Quarantined: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', means: 'a workspace is in quarantine: it is not checked' },
  },
  ChecksDone: { unit: 'Count' },
  /** Ended without a plan, or did not run at all. */
  ChecksFailed: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', means: 'a check failed: nothing is known of its workspace' },
  },
  AppliesDone: { unit: 'Count' },
  /** Stopped at its deadline, and goes on in another invocation. */
  AppliesHandedOver: { unit: 'Count' },
  /** What was approved is not what would be sent: the answer of the apply, and nothing that is broken. */
  AppliesRefused: { unit: 'Count' },
  AppliesFailed: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', means: 'an apply did not do all that was approved' },
  },
  AppliesInterrupted: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', means: 'an apply could not be carried on, and is tried again' },
  },
  /** Their message was lost or given up: they were queued again. */
  AppliesResent: { unit: 'Count' },
  /** Could not be looked at, or queued again. */
  ResendFailed: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', periods: 2, means: 'applies that wait cannot be queued again' },
  },
  /** Not looked at before the tick had to end. */
  ResendLeft: { unit: 'Count' },
  AppliesStranded: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', means: 'an approved apply was given up: no worker came to its end' },
  },
  AlertsDeliveredLate: { unit: 'Count' },
  /** Each time that somebody tried. What waits is tried again each minute. */
  AlertsRefused: {
    unit: 'Count',
    alarm: { from: 1, silence: 'fine', periods: 2, means: 'alerts cannot be handed over, and wait' },
  },
  /** Those whose check is missing for longer than the margin. Written each five minutes, by a rule that runs nothing else. */
  WorkspacesOverdue: {
    unit: 'Count',
    alarm: {
      from: 1,
      silence: 'wrong',
      periods: 2,
      means: 'a workspace was not checked in time, or nobody can say so',
    },
  },
  MostOverdueSeconds: { unit: 'Seconds' },
  /** Since the check that found its reason. Written each five minutes, 0 where none waits. */
  OldestWaitingAlertSeconds: {
    unit: 'Seconds',
    alarm: {
      from: 900,
      silence: 'wrong',
      periods: 2,
      means: 'an alert waits and nobody has heard of it, or nobody can say so',
    },
  },
  /** Calls of the API without a usable token, or without the right that they need. */
  CallsDenied: { unit: 'Count' },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metricTable

/** The metrics that somebody is told about, with when. */
export const alarmedMetrics: readonly (readonly [MetricName, AlarmRule])[] = Object.entries<Metric>(
  metricTable,
).flatMap(([name, { alarm }]) => (alarm === undefined ? [] : [[name as MetricName, alarm] as const]))
