import { Duration } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { period, type Rule } from './alarms.ts'
import { keptFor } from './queues.ts'

/** By the first part of the alarm's name. */
type ByName<Thing> = Readonly<Record<string, Thing>>

export interface Watched {
  /** Functions whose failures no other alarm shows. */
  readonly functions: ByName<IFunction>
  /** Of those, the ones that queues call. A throttled schedule is silent. */
  readonly fed: ByName<IFunction>
  readonly heartbeat: IFunction
  readonly queues: ByName<IQueue>
  readonly deadLetters: ByName<IQueue>
  /** Of those, the ones whose messages nobody requests again. */
  readonly kept: ByName<IQueue>
  readonly apis: ByName<HttpApi>
  /** Calls that API Gateway refused, by API. */
  readonly refusals: ReadonlyMap<string, IMetric>
  readonly topics: ByName<ITopic>
  readonly tableName: string
}

/** A check, or the work before it in the queue, may take a quarter of an hour. */
const waitsTooLong = Duration.minutes(30)
/** In five minutes: somebody whose token has ended calls a few times, and stops. */
const mostRefused = 20
/** Four days are left to inspect work that was given up. */
const isForgotten = Duration.days(keptFor.toDays() - 4)

const sum = { period, statistic: 'Sum' }
const most = { period, statistic: 'Maximum' }

const each = <Thing>(things: ByName<Thing>, rules: (thing: Thing, name: string) => readonly Rule[]): readonly Rule[] =>
  Object.entries(things).flatMap(([name, thing]) => rules(thing, name))

const tableRule = (tableName: string, kind: 'Read' | 'Write'): Rule => ({
  id: `Table${kind}Throttles`,
  means: `the table takes fewer ${kind.toLowerCase()}s than are asked for`,
  metric: new Metric({
    ...sum,
    namespace: 'AWS/DynamoDB',
    metricName: `${kind}ThrottleEvents`,
    dimensionsMap: { TableName: tableName },
  }),
  periods: 2,
})

/**
 * CloudWatch is paid for each metric of an alarm, also of one alarm over several metrics. So what another alarm shows has none
 * of its own: a call of the API that fails is an answer with 5xx, a schedule that may not run is silent, a watch that does
 * not report is missing from its own metrics.
 */
export const alarmRules = (watched: Watched): readonly Rule[] => [
  {
    id: 'Silent',
    means: 'no tick of the schedule for five minutes: nothing is being checked',
    metric: watched.heartbeat.metricInvocations({ period }),
    below: true,
    silence: 'wrong',
  },
  ...each(watched.functions, (its, name) => [
    {
      id: `${name}Errors`,
      means: `the function ${name} fails, or runs out of time or memory`,
      metric: its.metricErrors({ period }),
    },
  ]),
  ...each(watched.fed, (its, name) => [
    {
      id: `${name}Throttles`,
      means: `the function ${name} may not run as often as it must`,
      metric: its.metricThrottles({ period }),
    },
  ]),
  ...each(watched.queues, (its, name) => [
    {
      id: `${name}Waiting`,
      means: `the oldest message of the queue ${name} has waited for ${waitsTooLong.toMinutes()} minutes: the queue is blocked, or too long`,
      metric: its.metricApproximateAgeOfOldestMessage(most),
      from: waitsTooLong.toSeconds(),
      silence: 'same',
    },
  ]),
  ...each(watched.deadLetters, (its, name) => [
    {
      id: name,
      means: `work was given up, and waits in the queue ${name}`,
      metric: its.metricApproximateNumberOfMessagesVisible(most),
      silence: 'same',
    },
  ]),
  ...each(watched.kept, (its, name) => [
    {
      id: `${name}Forgotten`,
      means: `work has waited for ${isForgotten.toDays()} days in the queue ${name}: SQS deletes it soon`,
      metric: its.metricApproximateAgeOfOldestMessage(most),
      from: isForgotten.toSeconds(),
      silence: 'same',
    },
  ]),
  ...each(watched.apis, (its, name) => [
    {
      id: `${name}ServerErrors`,
      means: `the API for ${name.toLowerCase()} answers with 5xx`,
      metric: its.metricServerError(sum),
    },
  ]),
  ...[...watched.refusals].map(([name, metric]) => ({
    id: `${name}Refused`,
    means: `the API for ${name.toLowerCase()} refuses calls: tokens that it does not believe (401), or too many calls (429)`,
    metric,
    from: mostRefused,
    periods: 2,
  })),
  ...each(watched.topics, (its, name) => [
    {
      id: `${name}Undeliverable`,
      means: `a subscriber of the topic ${name} cannot be reached`,
      metric: its.metricNumberOfNotificationsFailed(sum),
    },
  ]),
  tableRule(watched.tableName, 'Read'),
  tableRule(watched.tableName, 'Write'),
]
