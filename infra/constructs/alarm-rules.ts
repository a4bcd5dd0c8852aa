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
  readonly functions: ByName<IFunction>
  /** Functions that Lambda calls from an internal queue, which drops calls that wait too long. */
  readonly asynchronous: ByName<IFunction>
  readonly heartbeat: IFunction
  readonly queues: ByName<IQueue>
  readonly deadLetters: ByName<IQueue>
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

const functionRules = (its: IFunction, name: string): readonly Rule[] => [
  {
    id: `${name}Errors`,
    means: `the function ${name} fails, or runs out of time or memory`,
    metric: its.metricErrors({ period }),
  },
  {
    id: `${name}Throttles`,
    means: `the function ${name} may not run as often as it must`,
    metric: its.metricThrottles({ period }),
  },
]

const deadLetterRules = (its: IQueue, name: string): readonly Rule[] => [
  {
    id: name,
    means: `work was given up, and waits in the queue ${name}`,
    metric: its.metricApproximateNumberOfMessagesVisible(most),
    silence: 'same',
  },
  {
    id: `${name}Forgotten`,
    means: `work has waited for ${isForgotten.toDays()} days in the queue ${name}: SQS deletes it soon`,
    metric: its.metricApproximateAgeOfOldestMessage(most),
    from: isForgotten.toSeconds(),
    silence: 'same',
  },
]

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

export const alarmRules = (watched: Watched): readonly Rule[] => [
  {
    id: 'Silent',
    means: 'no tick of the schedule for five minutes: nothing is being checked',
    metric: watched.heartbeat.metricInvocations({ period }),
    below: true,
    silence: 'wrong',
  },
  ...each(watched.functions, functionRules),
  ...each(watched.asynchronous, (its, name) => [
    {
      id: `${name}Dropped`,
      means: `a call of the function ${name} was dropped`,
      metric: its.metric('AsyncEventsDropped', sum),
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
  ...each(watched.deadLetters, deadLetterRules),
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
